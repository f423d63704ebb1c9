import { countReport, countSent, type GateReport } from '../../../src/client/gate/budget/budget-counting.js';
import { type BudgetState, createBudget } from '../../../src/client/gate/budget/budget-state.js';
import { knownBudget } from '../../../src/client/gate/budget/budget.js';

/** End of the window in these tests, on the clock of the budget. */
export const RESET = 60_000;

/** A response with so many requests remaining, in a window that ends at `resetAt`. */
export function responseWith(remaining: number, resetAt = RESET, now = 0, limit = 60): GateReport {
  return { kind: 'response', rateLimit: { limit, remaining, resetAt }, untilResetMs: resetAt - now };
}

export interface TestBudget {
  budget: BudgetState;
  /** Requests left in the first known window. */
  left(): number | undefined;
  /** Counts a request and its report. */
  send(report: GateReport, now?: number): void;
}

/** Creates a budget in which nothing is known. */
export function createTestBudget(): TestBudget {
  const budget = createBudget();
  return {
    budget,
    left: () => knownBudget(budget, 0).windows[0]?.remaining,
    send(report, now = 0) {
      countReport(budget, countSent(budget, 0), report, now);
    },
  };
}
