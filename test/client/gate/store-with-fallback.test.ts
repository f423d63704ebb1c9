import { beforeEach, describe, expect, test } from 'vitest';
import { findObstacle } from '../../../src/client/gate/budget/obstacle.js';
import { openWindows } from '../../../src/client/gate/budget/passes.js';
import { UNPACED, type Budget, createBudget, resetState } from '../../../src/client/gate/budget/budget.js';
import { countReport, countSent, type GateReport } from '../../../src/client/gate/budget/budget-counting.js';
import { formatBudget, parseBudget } from '../../../src/client/gate/budget/budget-text.js';
import { StoreWithFallback } from '../../../src/client/gate/store-with-fallback.js';
import { DamagedBudgetError, describeGateFailure } from '../../../src/client/gate/fallible-store.js';
import { createTestStorage, type TestStorage } from '../../support/test-storage.js';
import { createVirtualClock, type VirtualClock } from '../../support/virtual-clock.js';
import { limited, responseWith } from './test-budget.js';

const left = (remaining: number): GateReport => responseWith(remaining, 5_060_000, 5_000_000);
const stateOf = ({ text }: { text: string | undefined }): Budget =>
  (text === undefined ? undefined : parseBudget(text)) ?? createBudget();

let clock: VirtualClock;
let storage: TestStorage;
let store: StoreWithFallback;
let failures: unknown[];
beforeEach(() => {
  clock = createVirtualClock();
  storage = createTestStorage(clock);
  failures = [];
  store = openStore('me');
});

function openStore(holder: string): StoreWithFallback {
  const onFailure = (error: unknown): undefined => void failures.push(error);
  return new StoreWithFallback(
    storage.open(holder),
    { clock, random: () => 0.5, onFailure },
    () => undefined,
  );
}

/** Advances the clock until an operation has finished. */
async function finished<T>(operation: Promise<T>): Promise<T> {
  await clock.advance(50);
  return operation;
}

/** Reports one request. Resolves with the budget and the time. */
async function report(to: StoreWithFallback, what: GateReport): Promise<{ state: Budget; now: number }> {
  const { stored, now } = await finished(
    to.update((state, time) => {
      countReport(state, countSent(state, time), what, time);
      return { state };
    }),
  );
  return { state: stored.state, now };
}

describe.each([
  ['at once', 0],
  ['after 5 ms', 5],
])('a store that responds %s', (_, latencyMs) => {
  beforeEach(() => {
    storage.latencyMs = () => latencyMs;
  });

  test('merges both budgets when it works again', async () => {
    await report(store, { kind: 'response' });
    storage.mode = 'fails';
    await report(store, limited(30_000));
    const heldUntil = clock.monotonic() + 5_000_000 - 50 + 30_000;
    storage.mode = 'works';
    await report(openStore('other'), left(7));
    await clock.advance(1_000);
    await finished(store.read());
    const { stored } = await finished(store.update((state) => ({ state })));
    for (const merged of [stored.state, stateOf(storage)]) {
      expect(merged.heldUntil).toBeGreaterThanOrEqual(heldUntil);
      expect(openWindows(merged)).toMatchObject([{ remaining: 7 }]);
    }
    await report(store, { kind: 'response' });
    expect(stateOf(storage).consecutive429Count).toBe(0);
    expect(failures).toHaveLength(1);
    storage.mode = 'fails';
    await finished(store.read());
    expect(failures).toHaveLength(2);
  });

  test('is retried less and less often, and at least every 12 seconds', async () => {
    await report(store, { kind: 'response' });
    storage.mode = 'fails';
    await finished(store.read());
    let operations = 0;
    storage.latencyMs = () => {
      operations += 1;
      return latencyMs;
    };
    const times: number[] = [];
    for (const startedAt = clock.monotonic(); clock.monotonic() - startedAt < 100_000;) {
      const before = operations;
      await finished(store.read());
      if (operations > before) times.push(clock.monotonic() - startedAt);
    }
    expect(times.length).toBeLessThanOrEqual(14);
    for (const [index, time] of times.entries()) expect(time - (times[index - 1] ?? 0)).toBeLessThan(12_500);
  });
});

test('a store that hangs delays one operation by ten seconds, and none after it', async () => {
  storage.latencyMs = () => 5;
  await report(store, limited(60_000));
  storage.mode = 'hangs';
  const reading = store.read();
  await clock.advance(10_000);
  expect((await reading).state.consecutive429Count).toBe(1);
  for (let second = 0; second < 60; second += 1) {
    const startedAt = clock.monotonic();
    await store.read();
    await store.update((state) => ({ state }));
    expect(clock.monotonic()).toBe(startedAt);
    await clock.advance(1_000);
  }
  expect(failures).toHaveLength(1);
});

test('a process that was never connected converts its budget to the clock of the store', async () => {
  storage.mode = 'fails';
  await report(store, limited(30_000));
  storage.mode = 'works';
  await clock.advance(1_000);
  await finished(store.read());
  const { state, now } = await finished(store.read());
  expect(now).toBeGreaterThan(5_000_000);
  expect(state.heldUntil - now).toBeGreaterThan(28_000);
  expect(state.heldUntil - now).toBeLessThan(30_000);
});

test.each<[string, (fields: Record<string, unknown>) => void]>([
  ['a hold', (fields) => (fields.heldUntil = 1e300)],
  ['the end of a wait', (fields) => (fields.retryAfterUntil = 1e300)],
  ['a request', (fields) => (fields.sentAt = 5_000_000 + 4 * 86_400_000)],
  ['a lease', (fields) => (fields.leases = [{ holder: 'x', number: 1, serial: 1, expiresAt: 1e15 }])],
  ['a ticket', (fields) => (fields.tickets = [{ holder: 'x', level: 0, waitingCount: 1, expiresAt: 1e15 }])],
])('replaces a stored budget in which %s ends too late, with one warning', async (_, damage) => {
  const stored = JSON.parse(formatBudget(createBudget())) as Record<string, unknown>;
  damage(stored);
  storage.text = JSON.stringify(stored);
  const { state, now } = await report(store, { kind: 'response' });
  expect(findObstacle(state, now, UNPACED)).toBeUndefined();
  await report(store, { kind: 'response' });
  expect(failures.map(String)).toEqual(['DamagedBudgetError: the stored text is not a valid rate budget']);
  expect(stateOf(storage)).toMatchObject({ leases: [], tickets: [] });
});

describe('a storage that is restored from a snapshot', () => {
  test.each<[string, GateReport, GateReport, object]>([
    ['fewer requests', left(7), left(3), { limits: [{ open: { remaining: 3 } }] }],
    ['no hold', left(7), limited(30_000), { heldUntil: 5_030_050, consecutive429Count: 1 }],
  ])('and has %s gets the known budget', async (_, first, second, expected) => {
    await report(store, first);
    const { text } = storage;
    await report(store, second);
    storage.text = text;
    expect((await finished(store.read())).state).toMatchObject(expected);
    expect(stateOf(storage)).toMatchObject(expected);
  });

  test('before a reset is reset again, one after another reset is used', async () => {
    await report(store, limited(30_000));
    const { text } = storage;
    await finished(store.update((state) => ({ state: resetState(state) })));
    storage.text = text;
    expect((await finished(store.read())).state).toMatchObject({ resetCount: 1, consecutive429Count: 0 });
    await report(store, limited(30_000));
    storage.text = formatBudget(resetState(stateOf(storage)));
    expect((await finished(store.read())).state).toMatchObject({ resetCount: 2, consecutive429Count: 0 });
    storage.mode = 'fails';
    await finished(store.read());
    storage.mode = 'works';
    await report(openStore('other'), limited(30_000));
    await clock.advance(1_000);
    await finished(store.read());
    expect((await finished(store.read())).state).toMatchObject({ resetCount: 2, consecutive429Count: 1 });
  });
});

test('writes nothing into an empty storage that nothing changes, and the same text again if it is lost', async () => {
  await finished(store.read());
  await finished(store.read());
  expect([storage.swaps, storage.text]).toEqual([0, undefined]);
  storage.text = 'nonsense';
  await finished(store.read());
  expect(storage.text).toBe(formatBudget(createBudget()));
  await report(store, left(7));
  const { text } = storage;
  storage.text = undefined;
  await finished(store.read());
  expect(storage.text).toBe(text);
});

test('merges its budget after an outage, even if others have sent more requests', async () => {
  await report(store, left(9));
  storage.mode = 'fails';
  await report(store, left(3));
  expect(store.isCurrent()).toBe(false);
  storage.mode = 'works';
  for (const remaining of [8, 7, 6]) await report(openStore('other'), left(remaining));
  await clock.advance(1_000);
  await finished(store.read());
  expect((await finished(store.read())).state).toMatchObject({ limits: [{ open: { remaining: 3 } }] });
});

test('counts the requests of other processes as lost when the store fails', async () => {
  await report(store, left(7));
  const other = storage.open('other');
  const reading = await other.read();
  const state = stateOf(reading);
  state.leases.push({
    holder: 'other',
    number: 1,
    serial: countSent(state, 0),
    expiresAt: reading.now + 35_000,
  });
  await other.swap(reading, formatBudget(state), 1_000);
  await store.update((current) => ({ state: { ...current, probesMax: 2 } }));
  storage.mode = 'fails';
  expect((await store.read()).state).toMatchObject({
    inFlight: 0,
    leases: [],
    limits: [{ open: { unconfirmed: [2] } }],
  });
});

test.each([
  [
    new DamagedBudgetError('odd'),
    'damage',
    'The stored rate budget was damaged (odd). A new one replaces it.',
  ],
  [
    new Error('down'),
    'outage of this machine',
    'The shared rate limit failed (down). It is now limited to this process.',
  ],
  [
    new Error(''),
    'outage of this machine',
    'The shared rate limit failed. It is now limited to this process.',
  ],
  [5, 'outage of this machine', 'The shared rate limit failed. It is now limited to this process.'],
])('describes the failure %j', (error, kind, message) => {
  expect(describeGateFailure(error, false)).toEqual({ kind, message });
});

test('describes a failure with a fallback', () => {
  const message = 'The shared rate limit failed (down). It is now limited to this machine.';
  expect(describeGateFailure(new Error('down'), true)).toEqual({ kind: 'outage', message });
});

test('rejects a store whose holder is invalid in the stored text', () => {
  expect(() => openStore('two words')).toThrow('The store has an invalid holder');
});
