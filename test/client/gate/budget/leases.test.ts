import { beforeEach, describe, expect, test } from 'vitest';
import { countReport, countSent } from '../../../../src/client/gate/budget/budget-counting.js';
import {
  type Budget,
  createBudget,
  ENTRIES_MAX,
  UNPACED,
} from '../../../../src/client/gate/budget/budget.js';
import { parseBudget, formatBudget } from '../../../../src/client/gate/budget/budget-text.js';
import { findObstacle } from '../../../../src/client/gate/budget/obstacle.js';
import { knownBudget } from '../../../../src/client/gate/budget/known-budget.js';
import {
  type Demand,
  dropUnknownLeases,
  dropOthers,
  nextPollAt,
  updateTickets,
  dropExpired,
  releaseLease,
  shareFor,
  addLease,
} from '../../../../src/client/gate/budget/leases.js';
import { MANY_PASSED, responseWith } from '../test-budget.js';

const noneDead = (): boolean => false;
const waits = (waitingCount: number, change: Partial<Demand> = {}): Demand => ({
  level: 0,
  waitingCount,
  wasServed: false,
  ...change,
});
const left = (): number | undefined => knownBudget(state, 0).windows[0]?.remaining;
const order = (): string[] => state.tickets.map(({ holder }) => holder);

let state: Budget;
beforeEach(() => {
  state = { ...createBudget(), passedCount: MANY_PASSED };
  countReport(state, countSent(state, 0), responseWith(10), 0);
});
const lease = (holder: string, number: number): void => {
  addLease(state, 0, { holder, number, leaseMs: 1_000 });
};

describe('a lease', () => {
  test('counts as sent if it expires or its process is dead', () => {
    lease('a', 1);
    lease('b', 1);
    dropExpired(state, 999, noneDead);
    expect(state.inFlight).toBe(2);
    const checked: string[] = [];
    updateTickets(state, 'b', [waits(1)], 0);
    dropExpired(state, 999, (holder) => checked.push(holder) > 0 && holder === 'b');
    expect(checked).toEqual(['a', 'b']);
    expect(state).toMatchObject({ inFlight: 1, leases: [{ holder: 'a' }] });
    dropExpired(state, 1_000, noneDead);
    expect(state).toMatchObject({ inFlight: 0, leases: [] });
    expect(left()).toBe(8);
  });

  test('still counts its response after it has expired, once', () => {
    lease('a', 1);
    dropExpired(state, 1_000, noneDead);
    addLease(state, 1_000, { holder: 'a', number: 2, leaseMs: 1_000 });
    releaseLease(state, 1_100, { holder: 'a', number: 1, report: { kind: 'no-response', sent: true } });
    expect(left()).toBe(8);
    releaseLease(state, 1_100, { holder: 'a', number: 1, report: responseWith(9) });
    expect(state).toMatchObject({ inFlight: 1, leases: [{ number: 2 }] });
    expect(left()).toBe(7);
    releaseLease(state, 1_100, {
      holder: 'a',
      number: 1,
      report: { kind: 'rate-limited', holdMs: 500, retryAfterMs: 500 },
    });
    expect(findObstacle(state, 1_100, UNPACED)).toMatchObject({ until: 1_600 });
  });

  test('counts as never sent if its process does not know it', () => {
    lease('a', 1);
    lease('a', 2);
    lease('b', 1);
    dropUnknownLeases(state, 0, 'a', (number) => number === 2);
    expect(state.leases).toMatchObject([{ holder: 'a', number: 2 }, { holder: 'b' }]);
    expect(left()).toBe(8);
  });

  test('of another process counts as lost if the store fails', () => {
    lease('a', 1);
    lease('b', 1);
    updateTickets(state, 'b', [waits(1)], 0);
    dropOthers(state, 0, 'a');
    expect(state).toMatchObject({ leases: [{ holder: 'a' }], tickets: [], inFlight: 1 });
    expect(left()).toBe(8);
  });
});

test('admits no more requests than the stored text can hold', () => {
  state.leases = Array.from({ length: ENTRIES_MAX - 3 }, (_, number) => ({
    holder: 'a',
    number,
    serial: number,
    expiresAt: 1_000,
  }));
  expect(shareFor(state, 0, 'a', UNPACED)).toBe(3);
  expect(parseBudget(formatBudget(state))).toBeDefined();
  for (const number of [1, 2, 3, 4]) lease('b', number);
  expect(shareFor(state, 0, 'a', UNPACED)).toBe(0);
});

describe('a ticket', () => {
  test('moves to the end after a turn, and is removed when nothing waits', () => {
    updateTickets(state, 'a', [waits(1)], 100);
    updateTickets(state, 'b', [waits(1)], 100);
    updateTickets(state, 'a', [waits(1, { wasServed: true })], 200);
    expect(order()).toEqual(['b', 'a']);
    updateTickets(state, 'b', [], 200);
    updateTickets(state, 'a', [waits(1), waits(2, { level: 50 })], 200);
    expect(state.tickets).toMatchObject([{ holder: 'a' }, { holder: 'a', level: 50, waitingCount: 2 }]);
  });

  test('is renewed only shortly before it expires, so that a poll writes nothing', () => {
    updateTickets(state, 'a', [waits(1)], 1_000);
    const [ticket] = state.tickets;
    updateTickets(state, 'a', [waits(1)], 1_900);
    expect(state.tickets).toHaveLength(1);
    expect(state.tickets[0]).toBe(ticket);
    updateTickets(state, 'a', [waits(1)], 2_100);
    expect(state.tickets[0]?.expiresAt).toBe(4_100);
    updateTickets(state, 'a', [waits(1)], 200);
    expect(state.tickets[0]?.expiresAt).toBe(2_200);
  });

  test('expires if its process does not poll or is dead', () => {
    updateTickets(state, 'a', [waits(1)], 1_000);
    updateTickets(state, 'b', [waits(1)], 9_000);
    dropExpired(state, 3_000, noneDead);
    expect(order()).toEqual(['a', 'b']);
    dropExpired(state, 3_001, noneDead);
    expect(order()).toEqual(['b']);
    dropExpired(state, 3_001, () => true);
    expect(order()).toEqual([]);
  });
});

describe('the share of a process', () => {
  beforeEach(() => {
    state = { ...createBudget(), passedCount: MANY_PASSED };
    countReport(state, countSent(state, 0), responseWith(19), 0);
  });

  test('excludes the requests for which earlier processes wait', () => {
    updateTickets(state, 'a', [waits(9)], 0);
    expect(shareFor(state, 0, 'b', 0)).toBe(1);
    updateTickets(state, 'a', [waits(10)], 0);
    expect(shareFor(state, 0, 'b', 0)).toBe(0);
  });

  test('is equal for all waiting processes, at least one', () => {
    for (const holder of ['a', 'b', 'c']) updateTickets(state, holder, [waits(100)], 0);
    expect(shareFor(state, 0, 'a', 0)).toBe(3);
    countReport(state, countSent(state, 0), responseWith(2), 0);
    expect(shareFor(state, 0, 'a', 0)).toBe(1);
    expect(shareFor(state, 0, 'b', 0)).toBe(0);
  });

  test('is not reduced by processes that can not send now', () => {
    updateTickets(state, 'bulk', [waits(100, { level: 50 })], 0);
    expect(shareFor(state, 0, 'bulk', 50)).toBe(0);
    expect(shareFor(state, 0, 'counter', 0)).toBeGreaterThan(0);
  });

  test('is 0 if the budget is used up', () => {
    countReport(state, countSent(state, 0), responseWith(0), 0);
    expect(shareFor(state, 0, 'a', 0)).toBe(0);
  });
});

describe('the next poll', () => {
  const at = (levels: readonly number[], random: number): number =>
    nextPollAt(state, 0, levels, { pollMs: 10, random: () => random });

  test('comes soon and with jitter while another response is awaited', () => {
    expect([at([0], 0), at([0], 0.9)]).toEqual([5, 14]);
  });

  test('comes when the obstacle ends, never before', () => {
    countReport(state, countSent(state, 0), responseWith(0), 0);
    expect([at([0], 0), at([0], 0.5)]).toEqual([60_000, 60_010]);
    countReport(state, countSent(state, 0), { kind: 'rate-limited', holdMs: 700, retryAfterMs: 700 }, 0);
    expect(at([UNPACED, 0], 0)).toBe(700);
  });
});
