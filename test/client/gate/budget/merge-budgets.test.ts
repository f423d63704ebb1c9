import { describe, expect, test } from 'vitest';
import type { GateReport } from '../../../../src/client/gate/budget/budget-counting.js';
import { type BudgetState, createBudget } from '../../../../src/client/gate/budget/budget-state.js';
import { availableRequests, findObstacle, knownBudget } from '../../../../src/client/gate/budget/budget.js';
import { mergeBudgets, shiftBudget } from '../../../../src/client/gate/budget/merge-budgets.js';
import { updateTickets, addLease } from '../../../../src/client/gate/budget/leases.js';
import { createTestBudget, limited, responseWith } from '../test-budget.js';

const budget = (...reports: GateReport[]): BudgetState => createTestBudget(...reports).budget;
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
    const of = (limit: number, remaining: number, resetAt: number) =>
      responseWith(remaining, resetAt, 0, limit);
    const shared = budget(responseWith(40), of(1_000, 500, 900_000), of(300, 8, 60_000));
    const { windows } = merged(shared, budget(responseWith(20), of(300, 3, 120_000)));
    const found = windows.map(({ rateLimit, remaining }) => [rateLimit.limit, remaining]);
    expect(new Map(found as [number, number][])).toEqual(
      new Map([
        [60, 19],
        [1_000, 499],
        [300, 3],
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
    expect(state).toMatchObject({ unknownSince: 1, windows: [{ remaining: 5 }] });
  });

  test('drop ended windows', () => {
    const state = merged(budget(responseWith(0)), budget(responseWith(0, 120_000)), 70_000);
    expect(state.windows).toMatchObject([{ endsAt: 120_000 }]);
  });

  test('take the leases of each process from its own budget', () => {
    const [shared, own] = [budget(responseWith(10)), budget(responseWith(10))];
    const lease = (state: BudgetState, holder: string, number: number): void => {
      addLease(state, 0, { holder, number, leaseMs: 1_000 });
    };
    lease(shared, 'me', 1);
    lease(shared, 'other', 1);
    lease(own, 'me', 2);
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

  test('keep the windows that either of them has inferred', () => {
    const learnedWindows: BudgetState['learnedWindows'] = [
      { limit: 60, window: 'minute' },
      { limit: 1_000, window: 'day' },
    ];
    const shared = { ...createBudget(), learnedWindows: learnedWindows.slice(0, 1) };
    expect(merged(shared, { ...createBudget(), learnedWindows }).learnedWindows).toEqual(learnedWindows);
  });
});

test('a shifted budget has the same obstacles at the shifted time', () => {
  const shifted = shiftBudget(budget(responseWith(0), limited(2_000)), 5_000);
  expect(findObstacle(shifted, 6_999, 0)).toMatchObject({ until: 65_000 });
  expect(findObstacle(shifted, 6_999, -1)).toMatchObject({ until: 7_000 });
  expect(shiftBudget(createBudget(), 5_000)).toEqual(createBudget());
});
