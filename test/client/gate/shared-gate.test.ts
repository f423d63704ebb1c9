import { describe, expect, test } from 'vitest';
import { parseBudget } from '../../../src/client/gate/budget/budget-text.js';
import { createSimulatedService, seededRandom } from '../../support/simulated-service.js';
import { openStore } from '../../support/stores.js';
import { entering, LIMITED, openProcesses, told } from './shared-processes.js';

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
      const { clock, place } = openProcesses();
      const minutes = 3;
      const random = seededRandom(perMinute + processes + latencyMs);
      const latency = (): number => 10 + 100 * random();
      const service = createSimulatedService(clock, { perMinute, perDay: 1e6, latencyMs: latency });
      place.latencyMs = () => latencyMs * random();
      const served = Array.from({ length: processes }, () => 0);
      const opened = served.map((_count, index) =>
        openStore('https://api.test/v1', {
          clock: { ...clock },
          random,
          transport: service,
          gate: { id: 'test', open: () => place.open(`p${String(index)}`), close: () => Promise.resolve() },
          retry: { waitMaxMs: 1e9 },
        }),
      );
      const work = async (index: number): Promise<void> => {
        while (clock.monotonic() < minutes * 60_000) {
          await opened[index]!.store.pets.list();
          served[index]! += 1;
        }
      };
      void Promise.all(opened.flatMap((_store, index) => Array.from({ length: calls }, () => work(index))));
      await clock.advance(minutes * 60_000);
      expect(service.limited).toBe(0);
      expect(service.served).toBeGreaterThanOrEqual(0.98 * perMinute * minutes);
      const fair = (perMinute * minutes) / processes;
      for (const count of served) expect(count).toBeGreaterThan(fair / 2);
      expect(opened.flatMap(({ warnings }) => warnings)).toEqual([]);
    },
    60_000,
  );

  test('obey a 429 that one of them got, and let one probe go when it is over', async () => {
    const { clock, process, report } = openProcesses();
    const [one, other] = [process('one'), process('other')];
    await report(one, LIMITED);
    const entries = [entering(other), entering(other), entering(one)];
    await clock.advance(900);
    expect(entries.filter(({ permit }) => permit)).toHaveLength(0);
    await clock.advance(400);
    const probes = entries.filter(({ permit }) => permit);
    expect(probes).toHaveLength(1);
    probes[0]?.permit?.release({ kind: 'response' });
    await clock.advance(400);
    expect(entries.filter(({ permit }) => permit)).toHaveLength(3);
    expect([one.consecutive429Count, other.consecutive429Count]).toEqual([0, 0]);
  });

  test('go in the order in which they came', async () => {
    const { clock, process, report } = openProcesses();
    const gates = ['a', 'b', 'c', 'd'].map((name) => process(name, seededRandom(name.charCodeAt(0))));
    await report(gates[0]!, told(0));
    const order: number[] = [];
    for (const [index, gate] of [...gates.entries()].reverse()) {
      void entering(gate).promise.then((permit) => {
        order.push(index);
        clock.setTimeout(() => permit.release(told(1)), 50);
      });
      await clock.advance(100);
    }
    await clock.advance(70_000);
    expect(order).toEqual([3, 2, 1, 0]);
  });

  test('go by one budget, too, where one of them sets no limit to a request', async () => {
    const { clock, place, failures, process, report } = openProcesses();
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
    const { clock, process, report } = openProcesses();
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
    const { clock, process } = openProcesses();
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
      const { clock, process } = openProcesses();
      const gate = process('one');
      const entry = entering(gate, { pace: false });
      await clock.advance(0);
      entering(gate, { pace: false });
      await afterTurns(turns);
      entry.permit?.release(LIMITED);
      await clock.advance(0);
      const { heldForMs } = await process('other').readBudget();
      expect([turns, heldForMs]).toEqual([turns, 1_000]);
    }
  });
});

describe('a process that dies', () => {
  test('with a request under way frees it when its lease is over, and it counts as sent', async () => {
    const { clock, place, process, report } = openProcesses();
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
    const { clock, place, process, report } = openProcesses();
    const [dead, other] = [process('dead'), process('other')];
    await report(other, told(5));
    entering(dead);
    await clock.advance(100);
    place.gone.add('dead');
    const entry = entering(other);
    await clock.advance(0);
    expect(entry.permit).toBeDefined();
    expect(place.text).not.toContain('"holder":"dead"');
    expect(await other.readBudget()).toMatchObject({ windows: [{ remaining: 3 }] });
  });

  test('as the probe, or as the first in the queue, holds nobody up for long', async () => {
    const { clock, place, process, report } = openProcesses();
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
