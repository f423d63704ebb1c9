import { describe, expect, test } from 'vitest';
import { UNPACED } from '../../../src/client/gate/budget/budget.js';
import { createPetStoreOver } from '../../../src/client/create.js';
import type { Reading, Swap } from '../../../src/client/gate/gate-store.js';
import { memoryGate } from '../../../src/client/gate/memory-gate.js';
import { findGate } from '../../../src/client/gate/registry.js';
import { nodeHttpTransport } from '../../../src/client/transport/node-http.js';
import type { PetStore } from '../../../src/client/contract/pet-store.js';
import { ConfigurationError, RateLimitError } from '../../../src/errors.js';
import { createSimulatedService, type SimulatedService } from '../../support/simulated-service.js';
import { seededRandom } from '../../support/random-runs.js';
import { KEY, openStore, rejection } from '../../support/stores.js';
import { createVirtualClock, NOON, type VirtualClock } from '../../support/virtual-clock.js';

interface Simulation {
  clock: VirtualClock;
  service: SimulatedService;
  store: PetStore;
}

function openSimulation(
  perMinute: number,
  perDay: number,
  latency: readonly [number, number],
  seed: number,
  waitMaxMs = 3_600_000,
): Simulation {
  const random = seededRandom(seed);
  const clock = createVirtualClock(NOON);
  const [least, most] = latency;
  const latencyMs = (): number => Math.round(least + (most - least) * random());
  const service = createSimulatedService(clock, { perMinute, perDay, latencyMs });
  const { store } = openStore('https://api.test/v1', {
    clock,
    transport: service,
    random,
    retry: { waitMaxMs },
  });
  return { clock, service, store };
}

/** Keeps so many calls in flight until a time. Resolves with their errors. */
function keepBusy({ clock, store }: Simulation, workers: number, untilMs: number): Promise<unknown[]> {
  const refusals: unknown[] = [];
  const work = async (): Promise<void> => {
    while (clock.monotonic() < untilMs) {
      try {
        await store.pets.list();
      } catch (error) {
        refusals.push(error);
        return;
      }
    }
  };
  return Promise.all(Array.from({ length: workers }, work)).then(() => refusals);
}

describe('a client alone on its key', () => {
  test.each([
    ['a quota of one', 1, 1e6, 8, [10, 200]],
    ['responses that take seconds', 300, 1e6, 64, [50, 4_000]],
  ] as const)('%s: causes no 429 and uses all requests', async (_, perMinute, perDay, workers, latency) => {
    const minutes = 3;
    const world = openSimulation(perMinute, perDay, latency, 7);
    const busy = keepBusy(world, workers, minutes * 60_000);
    await world.clock.advance(minutes * 60_000);
    expect(world.service.limited).toBe(0);
    expect(world.service.served).toBeGreaterThanOrEqual(0.98 * perMinute * minutes);
    // The remaining calls end in the next minutes.
    await world.clock.advance(600_000);
    expect(await busy).toEqual([]);
  });

  test('uses up the day limit without a 429, and rejects the other calls with its reset', async () => {
    const world = openSimulation(60, 200, [10, 200], 3);
    const busy = keepBusy(world, 16, 10 * 60_000);
    await world.clock.advance(10 * 60_000);
    const refusals = await busy;
    expect(world.service.limited).toBe(0);
    expect(world.service.served).toBe(200);
    expect(refusals).toHaveLength(16);
    for (const refusal of refusals) {
      expect(refusal).toBeInstanceOf(RateLimitError);
      expect(refusal).toMatchObject({ outcome: 'not-sent', limit: 200, window: 'day' });
    }
  });

  test('sends all calls in order of arrival', async () => {
    const { clock, service, store } = openSimulation(60, 1e6, [10, 200], 5);
    const paths = Array.from({ length: 150 }, (_, index) => `/pets/${String(index)}`);
    const calls = paths.map((path) => store.request('GET', path));
    await clock.advance(180_000);
    await Promise.all(calls);
    expect(service.sent).toEqual(paths.map((path) => `/v1${path}`));
    expect(clock.pending).toBe(0);
  });
});

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

  test('admits at once, without a ledger', () => {
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
  expect(() => create(options)).toThrow(ConfigurationError);
});
