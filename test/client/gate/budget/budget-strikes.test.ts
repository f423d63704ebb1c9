import { describe, expect, test } from 'vitest';
import {
  countReport,
  countSent,
  type GateReport,
} from '../../../../src/client/gate/budget/budget-counting.js';
import { findObstacle, UNPACED } from '../../../../src/client/gate/budget/budget.js';
import { openBudget, RESET } from '../spent-budget.js';

const limited = (holdMs: number): GateReport => ({ kind: 'rate-limited', holdMs, retryAfterMs: holdMs });

describe('strikes', () => {
  test('count a burst once, and a repeat once more', () => {
    const { budget, send } = openBudget();
    const burst = [countSent(budget, 0), countSent(budget, 0), countSent(budget, 0)];
    for (const serial of burst) countReport(budget, serial, limited(1_000), 0);
    expect(budget.consecutive429Count).toBe(1);
    send(limited(1_000), 1_000);
    expect(budget.consecutive429Count).toBe(2);
  });

  test('are not forgiven by an answer to a request that was sent before', () => {
    const { budget, send } = openBudget();
    const [first, second] = [countSent(budget, 0), countSent(budget, 0)];
    countReport(budget, first, limited(1_000), 0);
    countReport(budget, second, { kind: 'response' }, 0);
    expect(budget.consecutive429Count).toBe(1);
    send({ kind: 'response' }, 1_000);
    expect(budget.consecutive429Count).toBe(0);
  });

  test('hold to the latest of what a burst was told', () => {
    const { budget } = openBudget();
    const [first, second] = [countSent(budget, 0), countSent(budget, 0)];
    countReport(budget, first, limited(5_000), 0);
    countReport(budget, second, limited(1_000), 0);
    expect(findObstacle(budget, 4_999, 0)).toMatchObject({ reason: 'rate-limited', until: 5_000 });
    expect(findObstacle(budget, 4_999, UNPACED)).toMatchObject({ reason: 'rate-limited' });
    expect(findObstacle(budget, 5_000, 0)).toBeUndefined();
  });

  test('let one probe through at a time', () => {
    const { budget, send } = openBudget();
    send(limited(1_000));
    const probe = countSent(budget, 0);
    expect(findObstacle(budget, 1_000, UNPACED)).toEqual({ reason: 'rate-limited' });
    countReport(budget, probe, { kind: 'response' }, 1_000);
    expect(findObstacle(budget, 1_000, 0)).toBeUndefined();
  });
});

describe('a 429 that is shorter than its window', () => {
  test('tells of the window at once, since nothing may be sent before it ends', () => {
    const { budget, send } = openBudget();
    const rateLimit = { limit: 60, remaining: 0, resetAt: RESET };
    send({ kind: 'rate-limited', holdMs: 2_000, retryAfterMs: 2_000, rateLimit, untilResetMs: RESET });
    expect(findObstacle(budget, 0, 0)).toMatchObject({
      reason: 'rate-limited',
      until: RESET,
      retryAfterUntil: RESET,
    });
    expect(findObstacle(budget, 0, UNPACED)).toMatchObject({ reason: 'rate-limited', until: 2_000 });
  });
});
