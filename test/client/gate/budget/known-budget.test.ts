import { expect, test } from 'vitest';
import { countReport, countSent } from '../../../../src/client/gate/budget/budget-counting.js';
import { createBudget } from '../../../../src/client/gate/budget/budget-state.js';
import { knownBudget } from '../../../../src/client/gate/budget/budget.js';

test('lists every open window, less the requests in flight, and the hold of a 429', () => {
  const state = createBudget();
  expect(knownBudget(state, 0)).toEqual({ windows: [], heldForMs: 0 });
  const report = (limit: number, remaining: number, untilResetMs: number): void => {
    const rateLimit = { limit, remaining, resetAt: 1_000_000 };
    countReport(state, countSent(state, 0), { kind: 'response', rateLimit, untilResetMs }, 0);
  };
  report(1_000, 500, 90_000);
  report(60, 30, 50_000);
  countSent(state, 0);
  countReport(state, countSent(state, 0), { kind: 'no-response', sent: true }, 0);
  expect(knownBudget(state, 10_000)).toEqual({
    windows: [
      { limit: 60, remaining: 28, resetAt: new Date(1_000_000), resetsInMs: 40_000 },
      { limit: 1_000, remaining: 497, resetAt: new Date(1_000_000), resetsInMs: 80_000 },
    ],
    heldForMs: 0,
  });
  countReport(
    state,
    countSent(state, 0),
    { kind: 'rate-limited', holdMs: 5_000, retryAfterMs: 4_000 },
    10_000,
  );
  expect(knownBudget(state, 12_000).heldForMs).toBe(3_000);
  expect(knownBudget(state, 60_000)).toMatchObject({ windows: [{ limit: 1_000 }], heldForMs: 0 });
});
