import { describe, expect, test } from 'vitest';
import {
  countReport,
  countSent,
  type GateReport,
} from '../../../../src/client/gate/budget/budget-counting.js';
import { type BudgetState, createBudget } from '../../../../src/client/gate/budget/budget-state.js';
import { availableRequests, findObstacle } from '../../../../src/client/gate/budget/budget.js';
import { knownBudget } from '../../../../src/client/gate/budget/known-budget.js';
import { mergeBudgets, shiftBudget } from '../../../../src/client/gate/budget/merge-budgets.js';
import { updateTickets, takeLease } from '../../../../src/client/gate/budget/leases.js';

const told = (remaining: number, resetAt = 60_000, limit = 60): GateReport => ({
  kind: 'response',
  rateLimit: { limit, remaining, resetAt },
  untilResetMs: resetAt,
});
function budget(...reports: GateReport[]): BudgetState {
  const state = createBudget();
  for (const report of reports) countReport(state, countSent(state, 0), report, 0);
  return state;
}
const limited = (holdMs: number): GateReport => ({ kind: 'rate-limited', holdMs, retryAfterMs: holdMs });
const merged = (shared: BudgetState, own: BudgetState, now = 0): BudgetState =>
  mergeBudgets(shared, own, 'me', now);

describe('two accounts of one budget', () => {
  test.each([
    ['the shared one', budget(limited(9_000)), budget(told(5))],
    ['the own one', budget(told(5)), budget(limited(9_000))],
    ['both', budget(limited(9_000)), budget(limited(2_000))],
  ])('keep the hold of %s, and let one probe go after it', (_, shared, own) => {
    const state = merged(shared, own);
    expect(findObstacle(state, 8_999, -1)).toMatchObject({ reason: 'rate-limited', until: 9_000 });
    expect(state.consecutive429Count).toBe(1);
    expect(findObstacle(state, 9_000, -1)).toBeUndefined();
    takeLease(state, 9_000, { holder: 'me', number: 1, leaseMs: 1_000 });
    expect(findObstacle(state, 9_000, -1)).toMatchObject({ reason: 'rate-limited' });
  });

  test('keep the lower number of one window, the later of two, and the windows that only one has', () => {
    const shared = budget(told(40), told(500, 900_000, 1_000), told(8, 60_000, 300));
    const own = budget(told(20), told(3, 120_000, 300));
    const { windows } = merged(shared, own);
    expect(windows.map(({ rateLimit, remaining }) => [rateLimit.limit, remaining])).toEqual(
      expect.arrayContaining([
        [60, 19],
        [1_000, 499],
        [300, 3],
      ]),
    );
  });

  test('let one probe go first, whatever each of them knows', () => {
    for (const [shared, own] of [
      [createBudget(), budget(told(5))],
      [budget(told(5)), createBudget()],
      [budget(told(5)), budget(told(5))],
    ] as const) {
      const state = merged(shared, own);
      expect(availableRequests(state, 0, 0)).toBe(1);
      countReport(state, countSent(state, 0), told(4), 0);
      expect(availableRequests(state, 0, 0)).toBe(2);
    }
  });

  test('have forgotten the windows that are over', () => {
    const state = merged(budget(told(0)), budget(told(0, 120_000)), 70_000);
    expect(state.windows).toMatchObject([{ endsAt: 120_000 }]);
    expect(merged(budget(told(0)), budget(told(0)), 70_000).unknownSince).toBeDefined();
  });

  test('believe each process of its own requests', () => {
    const [shared, own] = [budget(told(10)), budget(told(10))];
    takeLease(shared, 0, { holder: 'me', number: 1, leaseMs: 1_000 });
    takeLease(shared, 0, { holder: 'other', number: 1, leaseMs: 1_000 });
    takeLease(own, 0, { holder: 'me', number: 2, leaseMs: 1_000 });
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

  test('know every length of a window that one has learned', () => {
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

test('a budget on another clock is the same at the same moment', () => {
  const state = budget(told(0), limited(2_000));
  const shifted = shiftBudget(state, 5_000);
  expect(findObstacle(shifted, 6_999, 0)).toMatchObject({ until: 65_000 });
  expect(findObstacle(shifted, 6_999, -1)).toMatchObject({ until: 7_000 });
  expect(shiftBudget(createBudget(), 5_000)).toEqual(createBudget());
});
