import { describe, expect, test } from 'vitest';
import {
  countReport,
  countSent,
  type GateReport,
} from '../../../../src/client/gate/budget/budget-counting.js';
import { type BudgetState, createBudget } from '../../../../src/client/gate/budget/budget-state.js';
import { availableRequests, findObstacle, knownBudget } from '../../../../src/client/gate/budget/budget.js';
import { mergeBudgets, shiftBudget } from '../../../../src/client/gate/budget/merge-budgets.js';
import { updateTickets, addLease } from '../../../../src/client/gate/budget/leases.js';
import { responseWith } from '../test-budget.js';

function budget(...reports: GateReport[]): BudgetState {
  const state = createBudget();
  for (const report of reports) countReport(state, countSent(state, 0), report, 0);
  return state;
}
const limited = (holdMs: number): GateReport => ({ kind: 'rate-limited', holdMs, retryAfterMs: holdMs });
const merged = (shared: BudgetState, own: BudgetState, now = 0): BudgetState =>
  mergeBudgets(shared, own, 'me', now);

describe('two merged budgets', () => {
  test.each([
    ['the shared budget', budget(limited(9_000)), budget(responseWith(5))],
    ['the own budget', budget(responseWith(5)), budget(limited(9_000))],
    ['both', budget(limited(9_000)), budget(limited(2_000))],
  ])('keep the hold of %s, and admit one probe after it', (_, shared, own) => {
    const state = merged(shared, own);
    expect(findObstacle(state, 8_999, -1)).toMatchObject({ reason: 'rate-limited', until: 9_000 });
    expect(state.consecutive429Count).toBe(1);
    expect(findObstacle(state, 9_000, -1)).toBeUndefined();
    addLease(state, 9_000, { holder: 'me', number: 1, leaseMs: 1_000 });
    expect(findObstacle(state, 9_000, -1)).toMatchObject({ reason: 'rate-limited' });
  });

  test('keep the lower remaining number of one window, the later of two windows, and all others', () => {
    const shared = budget(
      responseWith(40),
      responseWith(500, 900_000, 0, 1_000),
      responseWith(8, 60_000, 0, 300),
    );
    const own = budget(responseWith(20), responseWith(3, 120_000, 0, 300));
    const { windows } = merged(shared, own);
    expect(windows.map(({ rateLimit, remaining }) => [rateLimit.limit, remaining])).toEqual(
      expect.arrayContaining([
        [60, 19],
        [1_000, 499],
        [300, 3],
      ]),
    );
  });

  test('admit one probe first, also if both know the window', () => {
    for (const [shared, own] of [
      [createBudget(), budget(responseWith(5))],
      [budget(responseWith(5)), createBudget()],
      [budget(responseWith(5)), budget(responseWith(5))],
    ] as const) {
      const state = merged(shared, own);
      expect(availableRequests(state, 0, 0)).toBe(1);
      countReport(state, countSent(state, 0), responseWith(4), 0);
      expect(availableRequests(state, 0, 0)).toBe(2);
    }
  });

  test('drop ended windows', () => {
    const state = merged(budget(responseWith(0)), budget(responseWith(0, 120_000)), 70_000);
    expect(state.windows).toMatchObject([{ endsAt: 120_000 }]);
    expect(merged(budget(responseWith(0)), budget(responseWith(0)), 70_000).unknownSince).toBeDefined();
  });

  test('take the leases of each process from its own budget', () => {
    const [shared, own] = [budget(responseWith(10)), budget(responseWith(10))];
    addLease(shared, 0, { holder: 'me', number: 1, leaseMs: 1_000 });
    addLease(shared, 0, { holder: 'other', number: 1, leaseMs: 1_000 });
    addLease(own, 0, { holder: 'me', number: 2, leaseMs: 1_000 });
    updateTickets(shared, 'me', [{ level: 0, waitingCount: 1, wasServed: false }], 0);
    updateTickets(shared, 'other', [{ level: 0, waitingCount: 1, wasServed: false }], 0);
    const state = merged(shared, own);
    expect(state.leases.map(({ holder, number }) => [holder, number])).toEqual([
      ['other', 1],
      ['me', 2],
    ]);
    expect(state.tickets.map(({ holder }) => holder)).toEqual(['other']);
    expect(knownBudget(state, 0).windows).toMatchObject([{ remaining: 8 }]);
  });

  test('keep the windows that either of them has inferred', () => {
    const shared = { ...createBudget(), learnedWindows: [{ limit: 60, window: 'minute' as const }] };
    const own = {
      ...createBudget(),
      learnedWindows: [
        { limit: 60, window: 'minute' as const },
        { limit: 1_000, window: 'day' as const },
      ],
    };
    expect(merged(shared, own).learnedWindows).toEqual(own.learnedWindows);
  });
});

test('a shifted budget has the same obstacles at the shifted time', () => {
  const state = budget(responseWith(0), limited(2_000));
  const shifted = shiftBudget(state, 5_000);
  expect(findObstacle(shifted, 6_999, 0)).toMatchObject({ until: 65_000 });
  expect(findObstacle(shifted, 6_999, -1)).toMatchObject({ until: 7_000 });
  expect(shiftBudget(createBudget(), 5_000)).toEqual(createBudget());
});
