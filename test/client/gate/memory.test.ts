import { getEventListeners } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { Gate, GateRequest, GateWait, Permit } from '../../../src/client/gate/gate.js';
import { createMemoryGate } from '../../../src/client/gate/memory.js';
import type { PetStore } from '../../../src/client/pet-store.js';
import { RateLimitError } from '../../../src/errors.js';
import {
  createSimulatedService,
  seededRandom,
  type SimulatedService,
} from '../../support/simulated-service.js';
import { openStore, rejection } from '../../support/stores.js';
import { createVirtualClock, NOON, type VirtualClock } from '../../support/virtual-clock.js';

interface World {
  clock: VirtualClock;
  service: SimulatedService;
  store: PetStore;
}

function openWorld(
  perMinute: number,
  perDay: number,
  latency: readonly [number, number],
  seed: number,
  waitMaxMs = 3_600_000,
): World {
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

/** Keeps so many calls under way until the time is over; resolves with what they were refused with. */
function keepBusy({ clock, store }: World, workers: number, untilMs: number): Promise<unknown[]> {
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

describe('alone on its key', () => {
  test.each([
    ['free, one after the other', 60, 1e6, 1, [10, 50]],
    ['free, 32 at a time', 60, 1e6, 32, [10, 200]],
    ['pro, 8 at a time', 300, 1e6, 8, [10, 200]],
    ['pro, 100 at a time', 300, 1e6, 100, [10, 400]],
    ['business, 32 at a time', 1_000, 1e6, 32, [5, 150]],
    ['a quota of one', 1, 1e6, 8, [10, 200]],
    ['answers that take seconds', 300, 1e6, 64, [50, 4_000]],
  ] as const)('%s: no 429 and the quota used up', async (_, perMinute, perDay, workers, latency) => {
    const minutes = 4;
    const world = openWorld(perMinute, perDay, latency, 7);
    const busy = keepBusy(world, workers, minutes * 60_000);
    await world.clock.advance(minutes * 60_000);
    expect(world.service.limited).toBe(0);
    expect(world.service.served).toBeGreaterThanOrEqual(0.98 * perMinute * minutes);
    // What is still out ends in the next minutes.
    await world.clock.advance(600_000);
    expect(await busy).toEqual([]);
  });

  test('the day’s quota is used up under the minute’s without a 429, and the rest is told when', async () => {
    const world = openWorld(60, 200, [10, 200], 3);
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

  test('calls are sent in the order in which they came, and none is forgotten', async () => {
    const { clock, service, store } = openWorld(60, 1e6, [10, 200], 5);
    const paths = Array.from({ length: 150 }, (_, index) => `/pets/${String(index)}`);
    const calls = paths.map((path) => store.request('GET', path));
    await clock.advance(180_000);
    await Promise.all(calls);
    expect(service.sent).toEqual(paths.map((path) => `/v1${path}`));
    expect(clock.pending).toBe(0);
  });
});

test('with a foreign user of the key a 429 may come, but none is provoked before its time is over', async () => {
  const world = openWorld(60, 1e6, [10, 200], 11);
  const minutes = 6;
  const random = seededRandom(13);
  const takeAway = (): void => {
    world.service.takeOne();
    world.clock.setTimeout(takeAway, 500 + 3_000 * random());
  };
  takeAway();
  const busy = keepBusy(world, 16, minutes * 60_000);
  await world.clock.advance(minutes * 60_000);
  expect(world.service.early).toBe(0);
  // At most one burst of what was under way when the last answer came, not one a call.
  expect(world.service.limited).toBeLessThanOrEqual(minutes * 3);
  expect(world.service.served).toBeGreaterThan(minutes * 60 * 0.5);
  await world.clock.advance(130_000);
  await busy;
});

describe('the queue', () => {
  const request = (change: Partial<GateRequest> = {}): GateRequest => ({
    pace: true,
    onWait: () => undefined,
    ...change,
  });
  const limited = { kind: 'limited', holdMs: 1_000, toldMs: 900 } as const;
  /** A gate that a 429 has just closed for a second. */
  const closedGate = async (): Promise<{ gate: Gate; clock: VirtualClock }> => {
    const clock = createVirtualClock();
    const gate = createMemoryGate(clock);
    (await gate.enter(request())).leave(limited);
    return { gate, clock };
  };

  test('does not exist where nothing has to be waited for: the permit is there at once', () => {
    expect(createMemoryGate(createVirtualClock()).enter(request())).not.toBeInstanceOf(Promise);
  });

  test('tells each wait once, with what of it was told', async () => {
    const { gate, clock } = await closedGate();
    const waits: GateWait[] = [];
    const entered = gate.enter(request({ onWait: (wait) => waits.push(wait) }));
    const behind = gate.enter(request());
    await clock.advance(500);
    void gate.enter(request());
    expect(waits).toEqual([{ reason: 'rate-limited', delayMs: 1_000, toldMs: 900 }]);
    await clock.advance(500);
    (await entered).leave({ kind: 'answer' });
    (await behind).leave({ kind: 'answer' });
  });

  test('is let in by a new window though the last request of the old one hangs', async () => {
    const clock = createVirtualClock();
    const gate = createMemoryGate(clock);
    const rateLimit = { limit: 60, remaining: 1, resetAt: 30_000 };
    (await gate.enter(request())).leave({ kind: 'answer', rateLimit, untilResetMs: 30_000 });
    await gate.enter(request());
    let entered = false;
    void Promise.resolve(gate.enter(request())).then(() => (entered = true));
    await clock.advance(29_999);
    expect(entered).toBe(false);
    await clock.advance(1);
    expect(entered).toBe(true);
  });

  test('tells a newcomer alone of a wait that the others know', async () => {
    const { gate, clock } = await closedGate();
    const told: string[] = [];
    const waiter = (name: string): GateRequest => request({ onWait: () => told.push(name) });
    const entered = ['first', 'second', 'third'].map((name) => Promise.resolve(gate.enter(waiter(name))));
    expect(told).toEqual(['first', 'second', 'third']);
    expect(clock.pending).toBe(1);
    await clock.advance(1_000);
    (await entered[0]!).leave({ kind: 'answer' });
    for (const next of entered.slice(1)) (await next).leave({ kind: 'answer' });
  });

  test('takes no place where the wait is refused', async () => {
    const { gate, clock } = await closedGate();
    const refusal = new Error('too long');
    const refuse = (): never => {
      throw refusal;
    };
    expect(await rejection(Promise.resolve(gate.enter(request({ onWait: refuse }))))).toBe(refusal);
    expect(clock.pending).toBe(0);
  });

  test('takes no place where the signal is aborted already', async () => {
    const { gate, clock } = await closedGate();
    const entered = Promise.resolve(gate.enter(request({ signal: AbortSignal.abort('over') })));
    expect(await rejection(entered)).toBe('over');
    expect(clock.pending).toBe(0);
  });

  test('is left by an abort without a trace', async () => {
    const { gate, clock } = await closedGate();
    const controller = new AbortController();
    const entered = rejection(Promise.resolve(gate.enter(request({ signal: controller.signal }))));
    expect(clock.pending).toBe(1);
    controller.abort('over');
    expect(await entered).toBe('over');
    expect(clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
  });

  test('keeps no listener on the signal of who was let in', async () => {
    const { gate, clock } = await closedGate();
    const { signal } = new AbortController();
    const entered = gate.enter(request({ signal }));
    await clock.advance(1_000);
    await entered;
    expect(getEventListeners(signal, 'abort')).toHaveLength(0);
  });

  test('lets one probe go first, and the others after its answer', async () => {
    const { gate, clock } = await closedGate();
    const entered: Permit[] = [];
    for (let count = 0; count < 3; count += 1) {
      void Promise.resolve(gate.enter(request())).then((permit) => entered.push(permit));
    }
    await clock.advance(1_000);
    expect(entered).toHaveLength(1);
    entered[0]?.leave({ kind: 'answer' });
    await clock.advance(0);
    expect(entered).toHaveLength(3);
  });

  test('is not overtaken by who comes in the very moment in which it opens', async () => {
    const clock = createVirtualClock();
    const gate = createMemoryGate(clock);
    const order: string[] = [];
    const enter = (name: string): void =>
      void Promise.resolve(gate.enter(request())).then((permit) => {
        order.push(name);
        permit.leave({ kind: 'answer' });
      });
    clock.setTimeout(() => enter('late'), 1_000);
    (await gate.enter(request())).leave(limited);
    enter('early');
    await clock.advance(1_000);
    expect(order).toEqual(['early', 'late']);
  });

  test('sends another probe after one that got no answer', async () => {
    const { gate, clock } = await closedGate();
    const entered: Permit[] = [];
    for (let count = 0; count < 3; count += 1) {
      void Promise.resolve(gate.enter(request())).then((permit) => entered.push(permit));
    }
    await clock.advance(1_000);
    entered[0]?.leave({ kind: 'none', sent: true });
    await clock.advance(0);
    expect(entered).toHaveLength(2);
    expect(gate.strikes).toBe(1);
  });

  test('keeps one timer, also where being told of a wait brings another call', async () => {
    const { gate, clock } = await closedGate();
    let brought = false;
    const again = (): void => {
      if (brought) return;
      brought = true;
      void gate.enter(request());
    };
    void gate.enter(request({ onWait: again }));
    expect(clock.pending).toBe(1);
    await clock.advance(1_000);
    expect(clock.pending).toBe(0);
  });

  test('a permit that is given back twice counts once', async () => {
    const clock = createVirtualClock();
    const gate = createMemoryGate(clock);
    const permit = await gate.enter(request());
    permit.leave(limited);
    expect(permit.leave(limited)).toBeUndefined();
    expect(gate.strikes).toBe(1);
  });
});

describe('a call in the queue', () => {
  const HALF_USED = { rateLimit: { limit: 60, remaining: 0, resetAt: NOON + 30_000 }, untilResetMs: 30_000 };
  /** A client whose first answer comes when the test says so. */
  const open = (waitMaxMs: number) => {
    const clock = createVirtualClock(NOON);
    const gate = createMemoryGate(clock);
    const { store } = openStore('https://api.test/v1', { clock, gate, retry: { waitMaxMs } });
    return { clock, gate, store };
  };

  test('that sees that it can not be served within its limits ends at once, and says when it could', async () => {
    const { clock, gate, store } = open(60_000);
    (await gate.enter({ pace: true, onWait: () => undefined })).leave({ kind: 'answer', ...HALF_USED });
    const calls = Array.from({ length: 61 }, () => store.pets.list());
    for (const call of calls.slice(0, 60)) call.catch(() => undefined);
    const refused = await rejection(calls[60]!);
    expect(refused).toBeInstanceOf(RateLimitError);
    expect(refused).toMatchObject({ retryAfterMs: 90_000, outcome: 'not-sent' });
    expect(clock.monotonic()).toBe(0);
  });

  test('that has waited longer than it may, for an answer that does not come, ends', async () => {
    const { clock, gate, store } = open(10_000);
    await gate.enter({ pace: true, onWait: () => undefined });
    const before = await gate.enter({ pace: false, onWait: () => undefined });
    before.leave({ kind: 'limited', holdMs: 1, toldMs: 1 });
    const call = store.pets.list();
    const refused = rejection(call);
    await clock.advance(10_001);
    expect(await refused).toBeInstanceOf(RateLimitError);
    expect(clock.pending).toBe(0);
  });
});
