import { expect, test } from 'vitest';
import { createPetStore, type PetStore } from '../../src/client/internal.js';
import { createMock, type Mock } from '../../src/mock/index.js';
import { settle } from '../support/virtual-clock.js';
import { frozenClock, NOON } from './send-request.js';

const BASE_URL = 'https://mock.test/v1';

function clientOf(mock: Mock): PetStore {
  return createPetStore({ baseUrl: BASE_URL, apiKey: 'mock-key', fetch: mock.fetch, clock: mock.clock });
}

/** Moves the mock to the next reset, as often as needed for the calls to end. */
async function advanceUntil(mock: Mock, calls: Promise<unknown>): Promise<number> {
  let ended = false;
  let resets = 0;
  const end = (): void => {
    ended = true;
  };
  calls.then(end, end);
  for (let turn = 0; ; turn += 1) {
    await settle();
    if (ended) return resets;
    // Enough turns for the requests that the budget still allows.
    if (turn % 300 === 299) {
      mock.advance('until-reset');
      resets += 1;
    }
  }
}

test('200 calls take five windows of virtual time', async () => {
  const mock = createMock({ clock: frozenClock });
  mock.advance('25s');
  for (let count = 0; count < 55; count += 1) await mock.fetch(`${BASE_URL}/pets`, AUTHORIZED);
  const store = clientOf(mock);
  const calls = Promise.all(
    Array.from({ length: 200 }, () => store.pets.list({ limit: 1 }, { retry: { waitMaxMs: 600_000 } })),
  );
  const resets = await advanceUntil(mock, calls);
  expect((await calls).length).toBe(200);
  expect(resets).toBeGreaterThanOrEqual(4);
  expect(new Date(mock.clock.now()).getUTCMinutes()).toBe(4);
  expect(mock.journal.filter(({ status }) => status === 429)).toEqual([]);
});

const AUTHORIZED = { headers: { authorization: 'Bearer mock-key' } };

test('until-reset ends the wait after a 429, with its jitter', async () => {
  const mock = createMock({ clock: frozenClock, faults: ['rate-limit:seconds=7.5'] });
  const list = clientOf(mock).pets.list();
  await settle();
  mock.advance('until-reset');
  expect(await list).toHaveLength(20);
  mock.verify.respectedRetryAfter();
  expect(mock.clock.now() - NOON).toBeLessThan(9_500);
});

test('a reset frees existing clients with the clock of the mock', async () => {
  const mock = createMock({ clock: frozenClock });
  const store = clientOf(mock);
  for (let count = 0; count < 60; count += 1) await store.pets.list();
  const waiting = store.pets.list();
  await settle();
  mock.reset();
  expect(await waiting).toHaveLength(20);
  for (let count = 0; count < 59; count += 1) await store.pets.list();
  expect(mock.clock.now()).toBe(NOON);
});

test('a client created after a reset starts fresh', async () => {
  const mock = createMock();
  const exhaust = async (): Promise<void> => {
    const store = createPetStore({ baseUrl: BASE_URL, apiKey: 'mock-key', fetch: mock.fetch });
    for (let count = 0; count < 60; count += 1) await store.pets.list({}, { retry: { waitMaxMs: 0 } });
  };
  await exhaust();
  mock.reset();
  await exhaust();
});

test('a frozen clock ends waits only by advance', async () => {
  let base = NOON;
  const mock = createMock({ clock: { now: () => base } });
  mock.clock.freeze();
  base += 60_000;
  expect([mock.clock.now(), mock.clock.isFrozen]).toEqual([NOON, true]);
  mock.advance('1s');
  expect(mock.clock.now()).toBe(NOON + 1_000);
  mock.clock.run();
  expect(mock.clock.now()).toBe(NOON + 1_000);
  base += 500;
  expect([mock.clock.now(), mock.clock.isFrozen]).toEqual([NOON + 1_500, false]);
  const before = mock.clock.monotonic();
  mock.reset();
  expect(mock.clock.now()).toBe(base);
  expect(mock.clock.monotonic()).toBeGreaterThan(before);
});
