import { getEventListeners } from 'node:events';
import { beforeEach, describe, expect, test } from 'vitest';
import { parseBudget } from '../../../src/client/gate/budget-text.js';
import type { Gate, GateReport, GateRequest, GateWait, Permit } from '../../../src/client/gate/gate.js';
import { createSharedGate, type SharedGate } from '../../../src/client/gate/shared.js';
import { createSimulatedService, seededRandom } from '../../support/simulated-service.js';
import { openStore, rejection } from '../../support/stores.js';
import { createTestPlace, type TestPlace } from '../../support/test-ledger.js';
import { createVirtualClock, NOON, type VirtualClock } from '../../support/virtual-clock.js';

const LIMITED: GateReport = { kind: 'limited', holdMs: 1_000, toldMs: 900 };
const told = (remaining: number, untilResetMs = 60_000): GateReport => ({
  kind: 'answer',
  rateLimit: { limit: 60, remaining, resetAt: NOON + 60_000 },
  untilResetMs,
});
const request = (change: Partial<GateRequest> = {}): GateRequest => ({
  pace: true,
  onWait: () => undefined,
  ...change,
});

let clock: VirtualClock;
let place: TestPlace;
let failures: unknown[];
beforeEach(() => {
  clock = createVirtualClock(NOON);
  place = createTestPlace(clock);
  failures = [];
});
const process = (holder: string, random: () => number = () => 0.5): SharedGate =>
  createSharedGate(place.open(holder), { clock, random, onFailure: (error) => failures.push(error) });

/** Enters, and keeps what became of it. */
function entering(
  gate: Gate,
  change: Partial<GateRequest> = {},
): { permit: Permit | undefined; promise: Promise<Permit> } {
  const promise = Promise.resolve(gate.enter(request(change)));
  const entry: { permit: Permit | undefined; promise: Promise<Permit> } = { permit: undefined, promise };
  promise.then(
    (permit) => (entry.permit = permit),
    () => undefined,
  );
  return entry;
}
async function report(gate: SharedGate, what: GateReport): Promise<void> {
  const { promise } = entering(gate);
  await clock.advance(500);
  (await promise).leave(what);
  await clock.advance(0);
  await gate.flush();
}

describe('processes that share a budget', () => {
  test.each([
    ['one call each, in files', 60, 8, 1, 0],
    ['four calls each, in files', 300, 8, 4, 0],
    ['eight calls each, in files', 1_000, 8, 8, 0],
    ['one call each, across a network', 60, 8, 1, 3],
    ['four calls each, across a network', 300, 8, 4, 3],
    ['alone, across a network', 300, 1, 16, 3],
  ])(
    '%s: no 429, the quota used up, and nobody starves',
    async (_, perMinute, processes, calls, latencyMs) => {
      const minutes = 3;
      const random = seededRandom(perMinute + processes + latencyMs);
      const latency = (): number => 10 + 100 * random();
      const service = createSimulatedService(clock, { perMinute, perDay: 1e6, latencyMs: latency });
      place.latencyMs = () => latencyMs * random();
      const served = Array.from({ length: processes }, () => 0);
      const work = async (index: number): Promise<void> => {
        while (clock.monotonic() < minutes * 60_000) {
          const { store } = stores[index]!;
          await store.pets.list();
          served[index]! += 1;
        }
      };
      const gates = served.map((_count, index) => process(`p${String(index)}`, random));
      const stores = gates.map((gate) =>
        openStore('https://api.test/v1', {
          clock: { ...clock },
          transport: service,
          gate,
          retry: { waitMaxMs: 1e9 },
        }),
      );
      void Promise.all(gates.flatMap((_gate, index) => Array.from({ length: calls }, () => work(index))));
      await clock.advance(minutes * 60_000);
      expect(service.limited).toBe(0);
      expect(service.served).toBeGreaterThanOrEqual(0.98 * perMinute * minutes);
      const fair = (perMinute * minutes) / processes;
      for (const count of served) expect(count).toBeGreaterThan(fair / 2);
      expect(failures).toEqual([]);
    },
    60_000,
  );

  test('obey a 429 that one of them got, and let one probe go when it is over', async () => {
    const [one, other] = [process('one'), process('other')];
    await report(one, LIMITED);
    const entries = [entering(other), entering(other), entering(one)];
    await clock.advance(900);
    expect(entries.filter(({ permit }) => permit)).toHaveLength(0);
    await clock.advance(400);
    const probes = entries.filter(({ permit }) => permit);
    expect(probes).toHaveLength(1);
    probes[0]?.permit?.leave({ kind: 'answer' });
    await clock.advance(400);
    expect(entries.filter(({ permit }) => permit)).toHaveLength(3);
    expect([one.strikes, other.strikes]).toEqual([0, 0]);
  });

  test('go in the order in which they came', async () => {
    const gates = ['a', 'b', 'c', 'd'].map((name) => process(name, seededRandom(name.charCodeAt(0))));
    await report(gates[0]!, told(0));
    const order: number[] = [];
    for (const [index, gate] of [...gates.entries()].reverse()) {
      void entering(gate).promise.then((permit) => {
        order.push(index);
        clock.setTimeout(() => permit.leave(told(1)), 50);
      });
      await clock.advance(100);
    }
    await clock.advance(70_000);
    expect(order).toEqual([3, 2, 1, 0]);
  });

  test('go by one budget, too, where one of them sets no limit to a request', async () => {
    const [one, other] = [process('one'), process('other')];
    await report(one, told(0));
    entering(other, { pace: false, leaseMs: Infinity });
    await clock.advance(0);
    expect(parseBudget(place.text ?? '')?.leases[0]?.expiresAt).toBeLessThan(5_000_000 + 3 * 86_400_000);
    const newcomer = entering(process('newcomer'));
    await clock.advance(1_000);
    expect(newcomer.permit).toBeUndefined();
    expect(failures).toEqual([]);
  });

  test('count what is under way in each of them', async () => {
    const [one, other] = [process('one'), process('other')];
    await report(one, told(3));
    const entries = [entering(one), entering(other), entering(other)];
    await clock.advance(500);
    expect(entries.map(({ permit }) => permit !== undefined)).toEqual([true, true, false]);
  });
});

describe('an exchange that ends', () => {
  const TURNS = 16;
  const afterTurns = async (turns: number): Promise<void> => {
    for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  };

  test('misses no call that comes at that very moment', async () => {
    for (let turns = 0; turns < TURNS; turns += 1) {
      const gate = process(`p${String(turns)}`);
      const first = entering(gate, { pace: false });
      await afterTurns(turns);
      const second = entering(gate, { pace: false });
      await clock.advance(0);
      expect([turns, first.permit !== undefined, second.permit !== undefined]).toEqual([turns, true, true]);
    }
  });

  test('nor what becomes of a request', async () => {
    for (let turns = 0; turns < TURNS; turns += 1) {
      place = createTestPlace(clock);
      const gate = process('one');
      const entry = entering(gate, { pace: false });
      await clock.advance(0);
      entering(gate, { pace: false });
      await afterTurns(turns);
      entry.permit?.leave(LIMITED);
      await clock.advance(0);
      const { heldForMs } = await process('other').look();
      expect([turns, heldForMs]).toEqual([turns, 1_000]);
    }
  });
});

describe('a process that dies', () => {
  test('with a request under way frees it when its lease is over, and it counts as sent', async () => {
    const [dead, other] = [process('dead'), process('other')];
    await report(other, told(1));
    entering(dead, { leaseMs: 2_000 });
    await clock.advance(100);
    const entry = entering(other);
    await clock.advance(6_000);
    expect(entry.permit).toBeUndefined();
    expect(place.text).toContain('"holder":"dead"');
    await clock.advance(1_500);
    expect(place.text).not.toContain('"holder":"dead"');
    // The last one may have been counted: nothing is left before the reset.
    await clock.advance(50_000);
    expect(entry.permit).toBeUndefined();
    await clock.advance(5_000);
    expect(entry.permit).toBeDefined();
  });

  test('frees it at once where it is known to be dead', async () => {
    const [dead, other] = [process('dead'), process('other')];
    await report(other, told(5));
    entering(dead);
    await clock.advance(100);
    place.gone.add('dead');
    const entry = entering(other);
    await clock.advance(0);
    expect(entry.permit).toBeDefined();
    expect(place.text).not.toContain('"holder":"dead"');
    expect(await other.look()).toMatchObject({ windows: [{ remaining: 3 }] });
  });

  test('as the probe, or as the first in the queue, holds nobody up for long', async () => {
    const [dead, next, last] = [process('dead'), process('next'), process('last')];
    await report(last, LIMITED);
    entering(dead);
    await clock.advance(10);
    const [second, third] = [entering(next), entering(last)];
    await clock.advance(900);
    // It dies in the queue, without a word: its timers never fire again.
    place.gone.add('dead');
    await clock.advance(300);
    expect([second.permit, third.permit].filter(Boolean)).toHaveLength(1);
  });
});

describe('who waits', () => {
  test('is told for how long, where that is known', async () => {
    const gate = process('one');
    await report(gate, LIMITED);
    const waits: GateWait[] = [];
    entering(gate, { onWait: (wait) => waits.push(wait) });
    await clock.advance(100);
    expect(waits).toEqual([{ reason: 'rate-limited', delayMs: 1_000, toldMs: 900 }]);
  });

  test('is told of it too where others wait for the same already, and may refuse it', async () => {
    const gate = process('one');
    await report(gate, told(0));
    const waits: GateWait[] = [];
    entering(gate, { onWait: (wait) => waits.push(wait) });
    await clock.advance(1_000);
    const refused = rejection(
      entering(gate, {
        onWait: (wait) => {
          waits.push(wait);
          throw new Error('too long');
        },
      }).promise,
    );
    await clock.advance(0);
    expect(waits.map(({ delayMs }) => delayMs)).toEqual([60_000, 59_000]);
    expect(await refused).toEqual(new Error('too long'));
  });

  test('is told of the window after the next where so many are before', async () => {
    const gate = process('one');
    await report(gate, told(0));
    const delays: (number | undefined)[] = [];
    for (let count = 0; count < 61; count += 1)
      entering(gate, { onWait: ({ delayMs }) => delays.push(delayMs) });
    await clock.advance(0);
    expect(delays.slice(0, 60).every((delayMs) => delayMs === 60_000)).toBe(true);
    expect(delays[60]).toBe(120_000);
  });

  test('may refuse it, or be aborted, and leaves no place, no timer and no listener', async () => {
    const gate = process('one');
    await report(gate, LIMITED);
    const refusal = new Error('too long');
    const refused = rejection(
      entering(gate, {
        onWait: () => {
          throw refusal;
        },
      }).promise,
    );
    const controller = new AbortController();
    const aborted = rejection(entering(gate, { signal: controller.signal }).promise);
    await clock.advance(10);
    expect(await refused).toBe(refusal);
    expect(place.text).toContain('"wants"');
    controller.abort('over');
    expect(await aborted).toBe('over');
    await clock.advance(0);
    expect(place.text).not.toContain('"wants"');
    expect(clock.pending).toBe(0);
    expect(getEventListeners(controller.signal, 'abort')).toHaveLength(0);
    expect(gate.idle).toBe(false);
  });

  test('and is aborted while its permit is on the way gives it back', async () => {
    place.latencyMs = () => 5;
    const gate = process('one');
    const controller = new AbortController();
    const aborted = rejection(entering(gate, { signal: controller.signal }).promise);
    await clock.advance(12);
    controller.abort('over');
    expect(await aborted).toBe('over');
    await clock.advance(100);
    expect(place.text).not.toContain('"holder":"one"');
  });

  test('is not held up by who leaves more to others', async () => {
    const [bulk, counter] = [process('bulk'), process('counter')];
    await report(bulk, told(12));
    const entries = Array.from({ length: 5 }, () => entering(bulk, { reservePercent: 20 }));
    await clock.advance(100);
    expect(entries.filter(({ permit }) => permit)).toHaveLength(0);
    const [person, local] = [entering(counter), entering(bulk)];
    await clock.advance(100);
    expect([person.permit, local.permit]).not.toContain(undefined);
  });
});

describe('a told wait is kept whole', () => {
  const heldUntil = (): number => parseBudget(place.text ?? '')?.heldUntil ?? Number.NaN;
  const limited = (holdMs: number): GateReport => ({ kind: 'limited', holdMs, toldMs: holdMs });

  test('where the 429 comes while the ledger is being read', async () => {
    place.latencyMs = () => 200;
    const gate = process('one');
    const [one, other] = [entering(gate, { pace: false }), entering(gate, { pace: false })];
    await clock.advance(2_000);
    one.permit?.leave({ kind: 'answer' });
    await clock.advance(350);
    other.permit?.leave(limited(1_000));
    const until = 5_000_000 + clock.monotonic() + 1_000;
    await clock.advance(5_000);
    expect(heldUntil()).toBeGreaterThanOrEqual(until);
  });

  test('where the ledger was slow, failed, and is back', async () => {
    place.latencyMs = () => 400;
    const gate = process('one');
    const entry = entering(gate);
    await clock.advance(2_000);
    place.latencyMs = () => 0;
    place.mode = 'fails';
    entry.permit?.leave(limited(2_000));
    const until = 5_000_000 + clock.monotonic() + 2_000;
    await gate.flush();
    place.mode = 'works';
    await clock.advance(1_050);
    entering(gate);
    await clock.advance(0);
    expect(heldUntil()).toBeGreaterThanOrEqual(until);
    expect(heldUntil()).toBeLessThan(until + 1_000);
  });

  test.each([
    ['before the request', 'request'],
    ['before the 429', '429'],
  ])('where the ledger comes back with a text from %s', async (_, before) => {
    const gate = process('one');
    await report(gate, { kind: 'answer' });
    let older = place.text;
    const entry = entering(gate);
    await clock.advance(0);
    if (before === '429') older = place.text;
    entry.permit?.leave(limited(2_000));
    await gate.flush();
    place.text = older;
    const next = [entering(gate), entering(gate)];
    await clock.advance(1_999);
    expect(next.filter(({ permit }) => permit)).toHaveLength(0);
    await clock.advance(100);
    expect(next.filter(({ permit }) => permit)).toHaveLength(1);
  });

  test('but not twice, where the process slept through it', async () => {
    let sleptMs = 0;
    const ledger = place.open('one');
    const awake = async <T extends { now: number }>(reading: T): Promise<T> =>
      Promise.resolve({ ...reading, now: reading.now + sleptMs });
    const gate = createSharedGate(
      {
        ...ledger,
        read: async () => awake(await ledger.read()),
        swap: async (seen, text, expiresInMs) => {
          const swap = await ledger.swap(seen, text, expiresInMs);
          return { ...swap, reading: await awake(swap.reading) };
        },
      },
      { clock, random: () => 0.5, onFailure: (error) => failures.push(error) },
    );
    await report(gate, limited(60_000));
    sleptMs = 100_000;
    const entry = entering(gate);
    await clock.advance(0);
    expect(entry.permit).toBeDefined();
  });
});

describe('a ledger', () => {
  test('that fails is done without, with one warning, and a 429 is carried over when it is back', async () => {
    const [one, other] = [process('one'), process('other')];
    await report(one, { kind: 'answer' });
    place.mode = 'fails';
    await report(one, { kind: 'limited', holdMs: 20_000, toldMs: 20_000 });
    expect(failures).toHaveLength(1);
    place.mode = 'works';
    const waiting = entering(one);
    await clock.advance(3_000);
    await one.look();
    const entry = entering(other);
    await clock.advance(10_000);
    expect([waiting.permit, entry.permit]).toEqual([undefined, undefined]);
    await clock.advance(10_000);
    expect([waiting.permit, entry.permit].filter(Boolean)).toHaveLength(1);
  });

  test('that hangs holds a call for ten seconds, and the next ones not at all', async () => {
    place.latencyMs = () => 1;
    place.mode = 'hangs';
    const gate = process('one');
    const first = entering(gate);
    await clock.advance(10_001);
    expect(first.permit).toBeDefined();
    first.permit?.leave({ kind: 'answer' });
    const second = entering(gate);
    await clock.advance(0);
    expect(second.permit).toBeDefined();
  });

  test('whose text is no budget, or lost, begins with what is known here, with a warning', async () => {
    const gate = process('one');
    await report(gate, { kind: 'answer' });
    entering(process('other'));
    await clock.advance(0);
    await report(gate, { kind: 'limited', holdMs: 20_000, toldMs: 20_000 });
    expect(place.text).toContain('"holder":"other"');
    for (const text of ['nonsense', undefined]) {
      place.text = text;
      const entry = entering(gate);
      await clock.advance(5_000);
      expect(entry.permit).toBeUndefined();
    }
    expect(failures).toHaveLength(1);
    expect(place.text).toContain('"strikes":1');
    expect(place.text).not.toContain('"holder":"other"');
  });

  test('is told before a flush ends', async () => {
    place.latencyMs = () => 5;
    const gate = process('one');
    const entry = entering(gate);
    await clock.advance(100);
    entry.permit?.leave(told(7));
    const flushed = gate.flush();
    await clock.advance(100);
    await flushed;
    expect(place.text).toContain('"remaining":7');
    expect(gate.rateLimit?.remaining).toBe(7);
    expect(gate.idle).toBe(true);
  });
});
