import type { BudgetState } from './budget-state.js';
import { obstacle, UNPACED } from './budget.js';
import type { KnownBudget } from './gate.js';

/** Reads the state for people and programs. */
export function knownBudget(state: BudgetState, now: number): KnownBudget {
  const hold = obstacle(state, now, UNPACED);
  const windows = state.windows.map(({ remaining, doubts, endsAt, rateLimit }) => ({
    ...rateLimit,
    remaining: Math.max(0, remaining - doubts.length - state.underWay),
    resetsInMs: endsAt - now,
  }));
  windows.sort((one, other) => one.resetsInMs - other.resetsInMs);
  return { windows, heldForMs: hold?.until === undefined ? 0 : hold.until - now };
}
