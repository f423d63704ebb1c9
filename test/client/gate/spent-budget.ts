import { countReport, countSent, type GateReport } from '../../../src/client/gate/budget/budget-counting.js';
import { type BudgetState, createBudget } from '../../../src/client/gate/budget/budget-state.js';
import { knownBudget } from '../../../src/client/gate/budget/known-budget.js';

/** When the window of these tests ends, by the budget's own clock. */
export const RESET = 60_000;

/** An answer that tells of a window which ends at a time of the budget's own clock. */
export function told(remaining: number, resetAt = RESET, now = 0, limit = 60): GateReport {
  return { kind: 'response', rateLimit: { limit, remaining, resetAt }, untilResetMs: resetAt - now };
}

/** A budget, and what tests do with it. */
export interface SpentBudget {
  budget: BudgetState;
  /** Requests left, as far as is known. */
  left(): number | undefined;
  /** Sends one and has it answered at once. */
  send(report: GateReport, now?: number): void;
}

/** Opens a budget of which nothing is known. */
export function openBudget(): SpentBudget {
  const budget = createBudget();
  return {
    budget,
    left: () => knownBudget(budget, 0).windows[0]?.remaining,
    send(report, now = 0) {
      countReport(budget, countSent(budget, 0), report, now);
    },
  };
}
