import { describe, expect, test } from 'vitest';
import { UNPACED } from '../../../src/client/gate/budget/budget.js';
import { parseBudget } from '../../../src/client/gate/budget/budget-text.js';
import { seededRandom } from '../../support/random-runs.js';
import { rejection } from '../../support/stores.js';
import { NOON } from '../../support/virtual-clock.js';
import { acquire, LIMITED, openProcesses, responseWith } from './shared-processes.js';

/** More than an update needs. */
const TURNS = 16;
const afterTurns = async (turns: number): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
};

describe('processes that share a budget', () => {
  test('obey a 429 to one of them, and let one probe go first', async () => {
    const { clock, process, report } = openProcesses();
    const [one, other] = [process('one'), process('other')];
    await report(one, LIMITED);
    const entries = [acquire(other), acquire(other), acquire(one)];
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

  test('are served in order of arrival', async () => {
    const { clock, process, report } = openProcesses();
    const gates = ['a', 'b', 'c', 'd'].map((name) => process(name, seededRandom(name.charCodeAt(0))));
    await report(gates[0]!, responseWith(0));
    const order: number[] = [];
    for (const [index, gate] of [...gates.entries()].reverse()) {
      void acquire(gate).promise.then((permit) => {
        order.push(index);
        clock.setTimeout(() => permit.release(responseWith(1)), 50);
      });
      await clock.advance(100);
    }
    await clock.advance(70_000);
    expect(order).toEqual([3, 2, 1, 0]);
  });

  test('tell no call to wait for the report of the call before it', async () => {
    for (let turns = 0; turns < TURNS; turns += 1) {
      const { clock, storage, process } = openProcesses();
      storage.text = undefined;
      const gate = process('one');
      const waits: unknown[] = [];
      const first = acquire(gate);
      await clock.advance(0);
      first.permit?.release(responseWith(59));
      await afterTurns(turns);
      const next = acquire(gate, { onWait: (wait) => void waits.push(wait) });
      await clock.advance(0);
      expect({ turns, isAdmitted: next.permit !== undefined, waits }).toEqual({
        turns,
        isAdmitted: true,
        waits: [],
      });
    }
  });

  test('have a ticket for each priority level at which calls wait', async () => {
    const { clock, storage, process } = openProcesses();
    const gate = process('one');
    const tickets = () => parseBudget(storage.text ?? '')?.tickets;
    const first = acquire(gate);
    expect(gate.isIdle).toBe(false);
    for (const level of [0, 50, 50, 25]) acquire(gate, { level });
    await clock.advance(0);
    expect(tickets()).toMatchObject([
      { level: 0, waitingCount: 1 },
      { level: 25, waitingCount: 1 },
      { level: 50, waitingCount: 2 },
    ]);
    for (const level of [0, 0]) acquire(process('other'), { level });
    await clock.advance(2_000);
    expect(gate.isIdle).toBe(false);
    expect(tickets()).toContainEqual(expect.objectContaining({ holder: 'other', level: 0, waitingCount: 1 }));
    expect(first.permit?.release(responseWith(9))).toMatchObject({ remaining: 9 });
  });

  test('get equal shares, and queue behind the others after a share', async () => {
    const { clock, storage, process, report } = openProcesses();
    const tickets = () =>
      parseBudget(storage.text!)!.tickets.map((ticket) => [ticket.holder, ticket.level, ticket.waitingCount]);
    const [bulk, one, last] = [process('bulk'), process('one'), process('last')];
    await report(one, responseWith(20));
    acquire(bulk, { level: 50 });
    await clock.advance(0);
    for (let count = 0; count < 8; count += 1) acquire(one);
    await clock.advance(0);
    const others = [['bulk', 50, 1]];
    expect(tickets()).toEqual([...others, ['one', 0, 1]]);
    for (const level of [0, 50]) acquire(last, { level });
    await clock.advance(0);
    expect(tickets()).toEqual([...others, ['one', 0, 1], ['last', 50, 1]]);
    expect(parseBudget(storage.text!)!.leases[0]!.expiresAt).toBe(5_000_500 + 35_000);
    await clock.advance(60);
    expect(tickets()).toEqual([...others, ['last', 50, 1]]);
  });

  test('poll less and less often for a response to another process', async () => {
    const { clock, process } = openProcesses();
    acquire(process('one'));
    await clock.advance(0);
    const other = process('other');
    for (const _ of [1, 2]) {
      const { length } = clock.delays;
      acquire(other);
      await clock.advance(2_000);
      const polls = clock.delays.slice(length, length + 8).map(Math.round);
      expect(polls).toEqual([8, 13, 20, 33, 52, 84, 120, 120]);
    }
  });

  test('wait for the calls of earlier processes with the same or a lower priority level', async () => {
    const { clock, process, report } = openProcesses();
    const [one, other, bulk] = [process('one'), process('other'), process('bulk')];
    const rateLimit = {
      limit: 60,
      remaining: 0,
      resetAt: NOON + 60_000,
      window: 'minute',
      plan: 'free',
    } as const;
    await report(one, { kind: 'response', rateLimit, untilResetMs: 60_000 });
    for (let count = 0; count < 60; count += 1) {
      acquire(bulk, { level: 50 });
      acquire(one);
    }
    await clock.advance(0);
    const delays: (number | undefined)[] = [];
    acquire(other, { onWait: ({ delayMs }) => delays.push(delayMs) });
    await clock.advance(0);
    acquire(one, { onWait: ({ delayMs }) => delays.push(delayMs) });
    await clock.advance(0);
    expect(delays).toEqual([120_000, 120_000]);
  });

  test('reject their waiting calls if a function of the caller fails', async () => {
    const { clock, process, report } = openProcesses();
    await report(process('other'), responseWith(0));
    const gate = process('one', () => {
      throw new Error('odd');
    });
    const calls = [0, 50, 0].map((level) => rejection(acquire(gate, { level }).promise));
    await clock.advance(0);
    expect(await Promise.all(calls)).toEqual([new Error('odd'), new Error('odd'), new Error('odd')]);
  });

  test('share a budget even if one request has no time limit', async () => {
    const { clock, storage, failures, process, report } = openProcesses();
    const [one, other] = [process('one'), process('other')];
    await report(one, responseWith(0));
    acquire(other, { level: UNPACED, leaseMs: Infinity });
    await clock.advance(0);
    expect(parseBudget(storage.text ?? '')?.leases[0]?.expiresAt).toBeLessThan(5_000_000 + 3 * 86_400_000);
    const newcomer = acquire(process('newcomer'));
    await clock.advance(1_000);
    expect(newcomer.permit).toBeUndefined();
    expect(failures).toEqual([]);
  });
});

describe('an update of the store that ends', () => {
  test('misses no call that arrives at the same time', async () => {
    const { clock, process } = openProcesses();
    for (let turns = 0; turns < TURNS; turns += 1) {
      const gate = process(`p${String(turns)}`);
      const first = acquire(gate, { level: UNPACED });
      await afterTurns(turns);
      const second = acquire(gate, { level: UNPACED });
      await clock.advance(0);
      expect([turns, first.permit !== undefined, second.permit !== undefined]).toEqual([turns, true, true]);
    }
  });

  test('misses no report that arrives at the same time', async () => {
    for (let turns = 0; turns < TURNS; turns += 1) {
      const { clock, process } = openProcesses();
      const gate = process('one');
      const entry = acquire(gate, { level: UNPACED });
      await clock.advance(0);
      acquire(gate, { level: UNPACED });
      await afterTurns(turns);
      entry.permit?.release(LIMITED);
      await clock.advance(0);
      const { heldForMs } = await process('other').readBudget();
      expect([turns, heldForMs]).toEqual([turns, 1_000]);
    }
  });
});

describe('a reset', () => {
  test.each([0, 1, 2, 3])('counts if it is requested %i ms after an update has started', async (delayMs) => {
    const { clock, storage, process, report } = openProcesses();
    const gate = process('one');
    await report(gate, LIMITED);
    storage.latencyMs = () => 1;
    acquire(gate);
    await clock.advance(delayMs);
    const resets = Promise.all([1, 2].map(async () => gate.reset()));
    await clock.advance(100);
    expect(await resets).toEqual([true, true]);
    expect(parseBudget(storage.text!)).toMatchObject({ resetCount: 1, consecutive429Count: 0 });
  });
});

describe('one update of the store', () => {
  const inTurn = async (calls: (() => void)[]): Promise<void> => {
    for (const call of calls) {
      call();
      await Promise.resolve();
    }
  };

  test('serves all calls and reports of a turn', async () => {
    const { clock, storage, process, report } = openProcesses();
    const gate = process('one');
    await report(gate, responseWith(50));
    const entries = [acquire(gate)];
    await clock.advance(0);
    const { swaps } = storage;
    await inTurn(Array.from({ length: 8 }, () => () => entries.push(acquire(gate))));
    await clock.advance(0);
    expect([storage.swaps - swaps, entries.filter(({ permit }) => permit).length]).toEqual([1, 9]);
    const next: typeof entries = [];
    await inTurn(
      entries.map(({ permit }) => () => {
        permit?.release(responseWith(40));
        next.push(acquire(gate));
      }),
    );
    await clock.advance(0);
    expect([storage.swaps - swaps, next.filter(({ permit }) => permit).length]).toEqual([2, 9]);
  });

  test.each([
    ['a 429 response', LIMITED, 2, false, '"consecutive429Count":1'],
    ['the last response', responseWith(40), 1, false, '"remaining":40'],
    ['another response, for a flush,', responseWith(40), 2, true, '"remaining":40'],
  ])(
    'stores %s before the end of the turn, because the process may end',
    async (_, outcome, count, isFlushed, stored) => {
      const { storage, process, report } = openProcesses();
      const gate = process('one');
      await report(gate, responseWith(50));
      const entries = Array.from({ length: count }, () => acquire(gate));
      await afterTurns(TURNS);
      entries[0]?.permit?.release(outcome);
      if (isFlushed) void gate.flush();
      await afterTurns(TURNS);
      expect(storage.text).toContain(stored);
    },
  );
});

describe('a process that dies', () => {
  test('releases its lease at once if it is known to be dead', async () => {
    const { clock, storage, process, report } = openProcesses();
    const [dead, other] = [process('dead'), process('other')];
    await report(other, responseWith(5));
    acquire(dead);
    await clock.advance(100);
    storage.deadHolders.add('dead');
    const entry = acquire(other);
    await clock.advance(0);
    expect(entry.permit).toBeDefined();
    expect(storage.text).not.toContain('"holder":"dead"');
    expect(await other.readBudget()).toMatchObject({ windows: [{ remaining: 3 }] });
  });

  test('does not block the others, as probe or first in the queue', async () => {
    const { clock, storage, process, report } = openProcesses();
    const [dead, next, last] = [process('dead'), process('next'), process('last')];
    await report(last, LIMITED);
    acquire(dead);
    await clock.advance(10);
    const [second, third] = [acquire(next), acquire(last)];
    await clock.advance(900);
    // From here on its timers have no effect.
    storage.deadHolders.add('dead');
    await clock.advance(300);
    expect([second.permit, third.permit].filter(Boolean)).toHaveLength(1);
  });
});
