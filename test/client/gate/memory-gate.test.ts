import { describe, expect, test } from 'vitest';
import { UNPACED } from '../../../src/client/gate/budget/budget.js';
import { createPetStoreOver } from '../../../src/client/create.js';
import type { Reading, Swap } from '../../../src/client/gate/gate-store.js';
import { memoryGate } from '../../../src/client/gate/memory-gate.js';
import { findGate } from '../../../src/client/gate/registry.js';
import { nodeHttpTransport } from '../../../src/client/transport/node-http.js';
import { RateLimitError } from '../../../src/errors.js';
import { KEY, rejection } from '../../support/stores.js';
import { createVirtualClock, NOON } from '../../support/virtual-clock.js';

describe('a call in the queue', () => {
  const USED_UP = {
    rateLimit: { limit: 60, remaining: 0, resetAt: NOON + 30_000, window: 'minute', plan: 'free' },
    untilResetMs: 30_000,
  } as const;
  /** A client and its gate. */
  const open = (waitMaxMs: number) => {
    const clock = createVirtualClock(NOON);
    const service = {};
    const gate = findGate(
      {
        service,
        clock,
        random: () => 0,
        origin: 'https://api.test',
        store: undefined,
        onFailure: () => undefined,
      },
      KEY,
    );
    const options = { apiKey: KEY, baseUrl: 'https://api.test/v1', clock, retry: { waitMaxMs } };
    return { clock, gate, store: createPetStoreOver(nodeHttpTransport(), options, service) };
  };

  test('is rejected at once if its wait would exceed waitMaxMs', async () => {
    const { clock, gate, store } = open(60_000);
    (await gate.acquire({ level: 0, onWait: () => undefined })).release({ kind: 'response', ...USED_UP });
    const calls = Array.from({ length: 61 }, () => store.pets.list());
    for (const call of calls.slice(0, 60)) call.catch(() => undefined);
    const refused = await rejection(calls[60]!);
    expect(refused).toBeInstanceOf(RateLimitError);
    expect(refused).toMatchObject({ retryAfterMs: 90_000, outcome: 'not-sent' });
    expect(clock.monotonic()).toBe(0);
  });

  test('is rejected after waitMaxMs if the awaited response does not arrive', async () => {
    const { clock, gate, store } = open(10_000);
    await gate.acquire({ level: 0, onWait: () => undefined });
    const before = await gate.acquire({ level: UNPACED, onWait: () => undefined });
    before.release({ kind: 'rate-limited', holdMs: 1, retryAfterMs: 1 });
    const call = store.pets.list();
    const refused = rejection(call);
    // One request is probing after the 429, so the call waits 2 s longer.
    await clock.advance(12_001);
    expect(await refused).toBeInstanceOf(RateLimitError);
    expect(clock.pending).toBe(0);
  });
});

const gateClock = createVirtualClock();
const gateOf = (store: ReturnType<typeof memoryGate> | undefined, service: object = gateClock) =>
  findGate(
    {
      service,
      clock: gateClock,
      random: () => 0,
      origin: 'https://api.test',
      store,
      onFailure: () => undefined,
    },
    'key',
  );

describe('memoryGate', () => {
  test('has a budget of its own', () => {
    const [one, other] = [memoryGate(), memoryGate()];
    expect(gateOf(one)).not.toBe(gateOf(other));
    expect(gateOf(one)).not.toBe(gateOf(undefined));
  });

  test('shares its budget among the clients that it is passed to, whatever their fetch', () => {
    const store = memoryGate();
    expect(gateOf(store, {})).toBe(gateOf(store, {}));
  });

  test('admits at once, without a budgetStore', () => {
    expect(gateOf(memoryGate()).acquire({ level: 0, onWait: () => undefined })).not.toBeInstanceOf(Promise);
  });

  test('is a store that any caller can open', async () => {
    const store = memoryGate();
    const [one, other] = [store.open('budget'), store.open('budget')];
    const seen = one.read() as Reading;
    expect(seen.text).toBeUndefined();
    expect((one.swap(seen, 'a', 1) as Swap).swapped).toBe(true);
    expect(other.swap(seen, 'b', 1)).toMatchObject({ swapped: false, reading: { text: 'a' } });
    expect((store.open('another').read() as Reading).text).toBeUndefined();
    await store.close();
  });
});

test.each([{ foo: 1 }, 5, null])('memoryGate rejects the options %j', (options) => {
  const create = memoryGate as (options: unknown) => unknown;
  expect(() => create(options)).toThrow(
    expect.objectContaining({
      name: 'ConfigurationError',
      option: 'gate',
      hint: 'memoryGate has no options.',
    }),
  );
});
