import { beforeEach, describe, expect, test } from 'vitest';
import { settle, spend } from '../../../src/client/gate/budget/budget-counting.js';
import { type BudgetState, createBudget, ENTRIES_MAX } from '../../../src/client/gate/budget/budget-state.js';
import { parseBudget, writeBudget } from '../../../src/client/gate/budget/budget-text.js';
import { obstacle, UNPACED } from '../../../src/client/gate/budget/budget.js';
import type { GateReport } from '../../../src/client/gate/budget/gate.js';
import { knownBudget } from '../../../src/client/gate/budget/known-budget.js';
import {
  type Demand,
  disown,
  forgetOthers,
  nextLook,
  queueUp,
  reap,
  release,
  shareOf,
  takeLease,
} from '../../../src/client/gate/sharing.js';

const told = (remaining: number): GateReport => ({
  kind: 'answer',
  rateLimit: { limit: 60, remaining, resetAt: 60_000 },
  untilResetMs: 60_000,
});
const nobodyGone = (): boolean => false;
const waits = (wants: number, change: Partial<Demand> = {}): Demand => ({
  level: 0,
  wants,
  served: false,
  ...change,
});
const left = (): number | undefined => knownBudget(state, 0).windows[0]?.remaining;
const order = (): string[] => state.tickets.map(({ holder }) => holder);

let state: BudgetState;
beforeEach(() => {
  state = createBudget();
  settle(state, spend(state, 0), told(10), 0);
});
const lease = (holder: string, number: number): void => {
  takeLease(state, 0, { holder, number, leaseMs: 1_000 });
};

describe('a lease', () => {
  test('counts as under way until it is released', () => {
    lease('a', 1);
    expect(left()).toBe(9);
    expect(release(state, 0, { holder: 'a', number: 1, report: told(9) })).toMatchObject({ remaining: 9 });
    expect(state).toMatchObject({ underWay: 0, leases: [] });
  });

  test('whose time is over, or whose holder is dead, counts as sent', () => {
    lease('a', 1);
    lease('b', 1);
    reap(state, 999, nobodyGone);
    expect(state.underWay).toBe(2);
    reap(state, 999, (holder) => holder === 'b');
    expect(state).toMatchObject({ underWay: 1, leases: [{ holder: 'a' }] });
    reap(state, 1_000, nobodyGone);
    expect(state).toMatchObject({ underWay: 0, leases: [] });
    expect(left()).toBe(8);
  });

  test('that was given up is told of all the same, and nothing is counted twice', () => {
    lease('a', 1);
    reap(state, 1_000, nobodyGone);
    release(state, 1_100, { holder: 'a', number: 1, report: { kind: 'none', sent: true } });
    expect(left()).toBe(9);
    release(state, 1_100, { holder: 'a', number: 1, report: told(9) });
    expect(state.underWay).toBe(0);
    expect(left()).toBe(8);
    release(state, 1_100, { holder: 'a', number: 1, report: { kind: 'limited', holdMs: 500, toldMs: 500 } });
    expect(obstacle(state, 1_100, -1)).toMatchObject({ until: 1_600 });
  });

  test('of which its holder knows nothing was never sent', () => {
    lease('a', 1);
    lease('a', 2);
    lease('b', 1);
    disown(state, 0, 'a', (number) => number === 2);
    expect(state.leases).toMatchObject([{ holder: 'a', number: 2 }, { holder: 'b' }]);
    expect(left()).toBe(8);
  });

  test('of others is lost where they are lost sight of', () => {
    lease('a', 1);
    lease('b', 1);
    queueUp(state, 'b', [waits(1)], 0);
    forgetOthers(state, 0, 'a');
    expect(state).toMatchObject({ leases: [{ holder: 'a' }], tickets: [], underWay: 1 });
    expect(left()).toBe(8);
  });
});

test('no more go, paced or not, than a text can hold', () => {
  state.leases = Array.from({ length: ENTRIES_MAX - 3 }, (_, number) => ({
    holder: 'a',
    number,
    serial: number,
    expiresAt: 1_000,
  }));
  expect(shareOf(state, 0, 'a', UNPACED)).toBe(3);
  expect(parseBudget(writeBudget(state))).toBeDefined();
  for (const number of [1, 2, 3, 4]) lease('b', number);
  expect(shareOf(state, 0, 'a', UNPACED)).toBe(0);
});

describe('a place in the queue', () => {
  test('is behind those who came before, and kept while one waits', () => {
    queueUp(state, 'a', [waits(1)], 100);
    queueUp(state, 'b', [waits(1)], 100);
    queueUp(state, 'a', [waits(5)], 200);
    expect(order()).toEqual(['a', 'b']);
    expect(state.tickets[0]?.wants).toBe(5);
  });

  test('is behind the others again once one was served, and gone when nobody waits', () => {
    queueUp(state, 'a', [waits(1)], 100);
    queueUp(state, 'b', [waits(1)], 100);
    queueUp(state, 'a', [waits(1, { served: true })], 200);
    expect(order()).toEqual(['b', 'a']);
    queueUp(state, 'b', [], 200);
    expect(order()).toEqual(['a']);
  });

  test('is written anew only where it would lapse, so that looking costs nothing', () => {
    queueUp(state, 'a', [waits(1)], 1_000);
    const [ticket] = state.tickets;
    queueUp(state, 'a', [waits(1)], 1_900);
    expect(state.tickets[0]).toBe(ticket);
    queueUp(state, 'a', [waits(1)], 2_100);
    expect(state.tickets[0]?.dueAt).toBe(4_100);
    queueUp(state, 'a', [waits(1)], 200);
    expect(state.tickets[0]?.dueAt).toBe(2_200);
  });

  test('lapses where its holder does not look, or is dead', () => {
    queueUp(state, 'a', [waits(1)], 1_000);
    queueUp(state, 'b', [waits(1)], 9_000);
    reap(state, 3_000, nobodyGone);
    expect(order()).toEqual(['a', 'b']);
    reap(state, 3_001, nobodyGone);
    expect(order()).toEqual(['b']);
    reap(state, 3_001, () => true);
    expect(order()).toEqual([]);
  });
});

describe('the share of a process', () => {
  beforeEach(() => {
    state = createBudget();
    settle(state, spend(state, 0), told(19), 0);
  });

  test('is all there is where nobody else waits', () => {
    expect(shareOf(state, 0, 'a', 0)).toBe(10);
    queueUp(state, 'a', [waits(3)], 0);
    expect(shareOf(state, 0, 'a', 0)).toBe(10);
  });

  test('leaves to those before it what they wait for', () => {
    queueUp(state, 'a', [waits(9)], 0);
    expect(shareOf(state, 0, 'b', 0)).toBe(1);
    queueUp(state, 'a', [waits(10)], 0);
    expect(shareOf(state, 0, 'b', 0)).toBe(0);
  });

  test('is equal to that of the others who wait, and one at least', () => {
    for (const holder of ['a', 'b', 'c', 'd']) queueUp(state, holder, [waits(100)], 0);
    expect(shareOf(state, 0, 'a', 0)).toBe(2);
    settle(state, spend(state, 0), told(2), 0);
    expect(shareOf(state, 0, 'a', 0)).toBe(1);
    expect(shareOf(state, 0, 'b', 0)).toBe(0);
  });

  test('is not held up by who may not go itself', () => {
    queueUp(state, 'bulk', [waits(100, { level: 50 })], 0);
    expect(shareOf(state, 0, 'bulk', 50)).toBe(0);
    expect(shareOf(state, 0, 'counter', 0)).toBeGreaterThan(0);
  });

  test('is nothing where the budget is used up', () => {
    settle(state, spend(state, 0), told(0), 0);
    expect(shareOf(state, 0, 'a', 0)).toBe(0);
  });
});

describe('the next look', () => {
  const at = (levels: readonly number[], random: number): number =>
    nextLook(state, 0, levels, { pollMs: 10, random: () => random });

  test('comes soon where another answers, and a little spread', () => {
    expect([at([0], 0), at([0], 0.9)]).toEqual([5, 14]);
  });

  test('comes at the end of what stands in the way, and never before', () => {
    settle(state, spend(state, 0), told(0), 0);
    expect([at([0], 0), at([0], 0.5)]).toEqual([60_000, 60_010]);
    settle(state, spend(state, 0), { kind: 'limited', holdMs: 700, toldMs: 700 }, 0);
    expect(at([UNPACED, 0], 0)).toBe(700);
  });
});
