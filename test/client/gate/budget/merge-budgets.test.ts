import { describe, expect, test } from 'vitest';
import type { GateReport } from '../../../../src/client/gate/budget/budget-counting.js';
import { openWindows } from '../../../../src/client/gate/budget/passes.js';
import { type Budget, createBudget } from '../../../../src/client/gate/budget/budget.js';
import { availableRequests, findObstacle } from '../../../../src/client/gate/budget/obstacle.js';
import { knownBudget } from '../../../../src/client/gate/budget/known-budget.js';
import {
  copyBudget,
  isStricter,
  isUnusedCopy,
  mergeBudgets,
  shiftBudget,
} from '../../../../src/client/gate/budget/merge-budgets.js';
import { createLimit } from '../../../../src/client/gate/budget/learn-limits.js';
import { updateTickets, addLease } from '../../../../src/client/gate/budget/leases.js';
import { createTestBudget, limited, LOST, RESET, responseWith } from '../test-budget.js';

const budget = (...reports: GateReport[]): Budget => createTestBudget(...reports).budget;
const merged = (shared: Budget, own: Budget, now = 0): Budget => mergeBudgets(shared, own, 'me', now);

describe('two merged budgets', () => {
  test.each([
    ['the shared budget', budget(limited(9_000)), budget(responseWith(5))],
    ['the own budget', budget(responseWith(5)), budget(limited(9_000))],
    ['both', budget(limited(9_000)), budget(limited(2_000))],
  ])('keep the hold of %s, and admit one probe after it', (_, shared, own) => {
    const state = merged(shared, own);
    const hold = { reason: 'rate-limited', until: 9_000, retryAfterUntil: 9_000 };
    expect(findObstacle(state, 8_999, -1)).toMatchObject(hold);
    expect(state.consecutive429Count).toBe(1);
    expect(findObstacle(state, 9_000, -1)).toBeUndefined();
    addLease(state, 9_000, { holder: 'me', number: 1, leaseMs: 1_000 });
    expect(findObstacle(state, 9_000, -1)).toMatchObject({ reason: 'rate-limited' });
  });

  test('keep the lower remaining number of one window, the later of two windows, and all others', () => {
    const of = (limit: number, remaining: number, resetAt: number) =>
      responseWith(remaining, resetAt, 0, limit);
    const shared = [of(1_000, 500, 900_000), of(300, 8, 60_000), of(500, 90, 120_000), of(700, 50, 60_000)];
    const own = [of(300, 19, 120_000), of(500, 30, 60_000), of(700, 60, 60_000)];
    const state = merged(budget(responseWith(40), ...shared), budget(responseWith(20), ...own));
    const found = openWindows(state).map(({ rateLimit, remaining }) => [rateLimit.limit, remaining]);
    expect(new Map(found as [number, number][])).toEqual(
      new Map([
        [60, 17],
        [1_000, 497],
        [300, 17],
        [500, 89],
        [700, 50],
      ]),
    );
  });

  test.each([
    ['own', createBudget(), budget(responseWith(5))],
    ['shared', budget(responseWith(5)), createBudget()],
    ['both', budget(responseWith(5)), budget(responseWith(5))],
  ])('admit one probe first, also if the window is known: %s', (_, shared, own) => {
    const state = merged(shared, own);
    expect(availableRequests(state, 0, 0)).toBe(1);
    expect(state).toMatchObject({ unknownSince: 1, limits: [{ open: { remaining: 5 } }] });
  });

  test('drop ended windows', () => {
    const shared = budget(responseWith(0), responseWith(0, 120_000, 0, 1_000));
    const state = merged(shared, budget(responseWith(0, RESET, 0, 300)), 70_000);
    expect(openWindows(state)).toMatchObject([{ endsAt: 120_000 }]);
  });

  test('take the leases of each process from its own budget', () => {
    const [shared, own] = [budget(responseWith(10)), budget(responseWith(10))];
    const lease = (state: Budget, holder: string, number: number): void => {
      addLease(state, 0, { holder, number, leaseMs: 1_000 });
    };
    lease(shared, 'me', 1);
    lease(shared, 'other', 1);
    lease(own, 'me', 2);
    lease(own, 'other', 3);
    for (const holder of ['me', 'other'])
      updateTickets(shared, holder, [{ level: 0, waitingCount: 1, wasServed: false }], 0);
    const state = merged(shared, own);
    expect(state).toMatchObject({
      leases: [
        { holder: 'other', number: 1 },
        { holder: 'me', number: 2 },
      ],
      tickets: [{ holder: 'other' }],
    });
    expect(knownBudget(state, 0).windows).toMatchObject([{ remaining: 8 }]);
  });

  test('keep the limits that either of them knows, the stricter ones', () => {
    const minute = createLimit(60, 'response', 60_000);
    const counted = { ...createLimit(5, 'learned', 5_000), isHidden: true };
    const shared = { ...createBudget(), limits: [minute, counted] };
    const own = {
      ...createBudget(),
      limits: [createLimit(1_000, 'plan', 86_400_000), { ...counted, limit: 4 }],
    };
    expect(merged(shared, own).limits).toMatchObject([{ limit: 60 }, { limit: 4 }, { limit: 1_000 }]);
    expect(merged(own, shared).limits).toMatchObject([{ limit: 1_000 }, { limit: 4 }, { limit: 60 }]);
  });

  test.each([
    ['own', budget(), budget(responseWith(5)), 5],
    ['shared', budget(responseWith(5)), budget(), 5],
    ['own, if later', budget(responseWith(9)), budget(responseWith(5, 2 * RESET)), 5],
    ['shared, if later', budget(responseWith(5, 2 * RESET)), budget(responseWith(9)), 5],
    ['own, if of the same window', budget(responseWith(9)), budget(responseWith(5)), 5],
  ])('have the last rate limit of one: %s', (_, shared, own, remaining) => {
    expect(merged(shared, own).rateLimit).toMatchObject({ remaining });
  });

  test.each([
    [budget(responseWith(20), LOST, LOST), budget(responseWith(20), LOST)],
    [budget(responseWith(20), LOST), budget(responseWith(20), LOST, LOST)],
  ])('count the lost requests of the one with more of them, until any response', (shared, own) => {
    const state = merged(shared, own);
    expect(openWindows(state)).toMatchObject([{ remaining: 20, unconfirmed: [3, 3], firstRemaining: 20 }]);
  });

  test.each([
    [budget(LOST, LOST), budget(LOST)],
    [budget(LOST), budget(LOST, LOST)],
  ])('count the lost requests of an unknown window, too', (shared, own) => {
    expect(merged(shared, own).unconfirmed).toEqual([2, 2]);
  });
});

test('a copy counts the requests in flight as lost, and is unused until a request is sent with it', () => {
  const source = budget(responseWith(9));
  addLease(source, 0, { holder: 'me', number: 1, leaseMs: 1_000 });
  addLease(source, 0, { holder: 'other', number: 1, leaseMs: 1_000 });
  const copy = copyBudget(source, { ...budget(LOST), resetCount: 4 }, 0);
  expect(copy).toMatchObject({ resetCount: 4, sentCount: 3, leases: [], inFlight: 0 });
  expect(knownBudget(copy, 0).windows).toMatchObject([{ remaining: 7 }]);
  expect(isUnusedCopy(copy)).toBe(true);
  addLease(copy, 0, { holder: 'me', number: 1, leaseMs: 1_000 });
  expect(isUnusedCopy(copy)).toBe(false);
});

describe('a budget is stricter than another one', () => {
  const ofDay = (remaining: number): GateReport => responseWith(remaining, RESET, 0, 1_000);
  test.each([
    ['that has no hold', true, budget(limited(9_000)), budget(), 0],
    ['unless the hold has ended', false, budget(limited(9_000)), budget(), 9_000],
    ['unless that one has the same hold', false, budget(limited(9_000)), budget(limited(9_000)), 0],
    ['that has no window', true, budget(responseWith(5)), budget(), 0],
    ['unless its window has ended', false, budget(responseWith(5)), budget(), RESET],
    ['with more requests left', true, budget(responseWith(5)), budget(responseWith(6)), 0],
    ['unless the same number is left', false, budget(responseWith(5)), budget(responseWith(5)), 0],
    ['with fewer requests lost', true, budget(responseWith(5), LOST), budget(responseWith(5)), 0],
    [
      'with fewer requests in flight',
      true,
      { ...budget(responseWith(5)), inFlight: 1 },
      budget(responseWith(5)),
      0,
    ],
    ['of an earlier window', true, budget(responseWith(5, 2 * RESET)), budget(responseWith(1)), 0],
    [
      'unless that is of a later window',
      false,
      budget(responseWith(5)),
      budget(responseWith(9, 2 * RESET)),
      0,
    ],
    ['in one of two windows', true, budget(responseWith(5), ofDay(5)), budget(responseWith(5), ofDay(6)), 0],
  ])('%s: %s', (_, expected, one, other, now) => {
    expect(isStricter(one, other, now)).toBe(expected);
  });
});

test('a shifted budget has the same obstacles at the shifted time', () => {
  const shifted = shiftBudget(budget(responseWith(0), limited(2_000)), 5_000);
  expect(findObstacle(shifted, 6_999, 0)).toMatchObject({ until: 65_000 });
  expect(findObstacle(shifted, 6_999, -1)).toMatchObject({ until: 7_000 });
  expect(shiftBudget(createBudget(), 5_000)).toEqual(createBudget());
  for (const [aheadMs, until] of [
    [-1_000, 2_000],
    [-1_001, 999],
    [1, 2_001],
  ] as const)
    expect(findObstacle(shiftBudget(budget(limited(2_000)), aheadMs), 0, -1)).toMatchObject({ until });
  const lost = budget(responseWith(9), LOST);
  expect(shiftBudget(lost, 0)).toEqual(lost);
});
