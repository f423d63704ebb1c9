import { countReport, countSent, type GateReport } from '../../../src/client/gate/budget/budget-counting.js';
import { type Budget, createBudget } from '../../../src/client/gate/budget/budget.js';
import { availableRequests, findObstacle } from '../../../src/client/gate/budget/obstacle.js';
import type { Obstacle } from '../../../src/client/gate/budget/limit-room.js';
import { knownBudget } from '../../../src/client/gate/budget/known-budget.js';

/** End of the window in these tests, on the clock of the budget. */
export const RESET = 60_000;

/** No response to a request that the service may have counted. */
export const LOST: GateReport = { kind: 'no-response', sent: true };

/** After so many responses, the number of simultaneous requests is not limited. */
export const MANY_PASSED = 1_000_000;

/** A response with so many requests remaining, in a window that ends at `resetAt`. */
export function responseWith(remaining: number, resetAt = RESET, now = 0, limit = 60): GateReport {
  return { kind: 'response', rateLimit: { limit, remaining, resetAt }, untilResetMs: resetAt - now };
}

/** A 429 response. */
export function limited(holdMs: number): GateReport {
  return { kind: 'rate-limited', holdMs, retryAfterMs: holdMs };
}

export interface TestBudget {
  budget: Budget;
  /** Requests left in the first known window. */
  left(): number | undefined;
  /** Starts a request. Returns its serial number. */
  start(now?: number): number;
  end(serial: number, report: GateReport, now?: number): void;
  /** Starts and ends a request. */
  send(report: GateReport, now?: number): void;
  obstacle(now?: number, level?: number): Obstacle | undefined;
  /** Number of requests that may be sent. */
  available(level?: number, now?: number): number;
}

/** Creates a budget after these responses. */
export function createTestBudget(...reports: GateReport[]): TestBudget {
  const budget: Budget = { ...createBudget(), passedCount: MANY_PASSED };
  const test: TestBudget = {
    budget,
    left: () => knownBudget(budget, 0).windows[0]?.remaining,
    start: (now = 0) => countSent(budget, now),
    end: (serial, report, now = 0) => void countReport(budget, serial, report, now),
    send: (report, now) => {
      test.end(test.start(), report, now);
    },
    obstacle: (now = 0, level = 0) => findObstacle(budget, now, level),
    available: (level = 0, now = 0) => availableRequests(budget, now, level),
  };
  for (const report of reports) test.send(report);
  return test;
}
