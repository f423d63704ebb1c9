import { describe, expect, test } from 'vitest';
import { availableRequests, findObstacle, UNPACED } from '../../../../src/client/gate/budget/budget.js';
import {
  countReport,
  countSent,
  type GateReport,
} from '../../../../src/client/gate/budget/budget-counting.js';
import type { BudgetState } from '../../../../src/client/gate/budget/budget-state.js';
import type { Plan, RateWindow } from '../../../../src/schema/rate-limit.js';
import { createTestBudget, RESET, responseWith } from '../test-budget.js';

describe('a lost response', () => {
  test('is confirmed by the response to a later request', () => {
    const { budget, left, send } = createTestBudget();
    send(responseWith(10));
    countReport(budget, countSent(budget, 0), { kind: 'no-response', sent: true }, 0);
    expect(left()).toBe(9);
    send(responseWith(9));
    expect(left()).toBe(9);
  });

  test('is not confirmed by the response to an earlier request', () => {
    const { budget, left, send } = createTestBudget();
    send(responseWith(10));
    const [lost, other] = [countSent(budget, 0), countSent(budget, 0)];
    countReport(budget, lost, { kind: 'no-response', sent: true }, 0);
    countReport(budget, other, responseWith(9), 0);
    expect(left()).toBe(8);
  });
});

describe('several lost responses', () => {
  const lose = (budget: BudgetState, serial: number): void => {
    countReport(budget, serial, { kind: 'no-response', sent: true }, 0);
  };

  test('are confirmed one by one, each by a response to a later request', () => {
    const { budget, left, send } = createTestBudget();
    send(responseWith(10));
    const [first, second] = [countSent(budget, 0), countSent(budget, 0)];
    lose(budget, first);
    const later = countSent(budget, 0);
    lose(budget, second);
    expect(left()).toBe(7);
    countReport(budget, later, responseWith(8), 0);
    expect(left()).toBe(7);
    send(responseWith(7));
    expect(left()).toBe(7);
  });

  test('all count, and the oldest count for good above the maximum', () => {
    const { budget, left, send } = createTestBudget();
    send(responseWith(1_000, RESET, 0, 1_000));
    for (let count = 0; count < 300; count += 1) lose(budget, countSent(budget, 0));
    expect(left()).toBe(700);
    expect(budget.windows[0]?.unconfirmed).toHaveLength(256);
  });
});

test('a response without headers leaves the request unconfirmed', () => {
  const { left, send } = createTestBudget();
  send(responseWith(10));
  send({ kind: 'response' });
  expect(left()).toBe(9);
  send(responseWith(9));
  expect(left()).toBe(9);
});

const limited = (holdMs: number): GateReport => ({ kind: 'rate-limited', holdMs, retryAfterMs: holdMs });

describe('consecutive 429 responses', () => {
  test('of one burst count once, a repeat counts again', () => {
    const { budget, send } = createTestBudget();
    const burst = [countSent(budget, 0), countSent(budget, 0), countSent(budget, 0)];
    for (const serial of burst) countReport(budget, serial, limited(1_000), 0);
    expect(budget.consecutive429Count).toBe(1);
    send(limited(1_000), 1_000);
    expect(budget.consecutive429Count).toBe(2);
  });

  test('are not reset by the response to an earlier request', () => {
    const { budget, send } = createTestBudget();
    const [first, second] = [countSent(budget, 0), countSent(budget, 0)];
    countReport(budget, first, limited(1_000), 0);
    countReport(budget, second, { kind: 'response' }, 0);
    expect(budget.consecutive429Count).toBe(1);
    send({ kind: 'response' }, 1_000);
    expect(budget.consecutive429Count).toBe(0);
  });

  test('of one burst hold until the latest Retry-After', () => {
    const { budget } = createTestBudget();
    const [first, second] = [countSent(budget, 0), countSent(budget, 0)];
    countReport(budget, first, limited(5_000), 0);
    countReport(budget, second, limited(1_000), 0);
    expect(findObstacle(budget, 4_999, 0)).toMatchObject({ reason: 'rate-limited', until: 5_000 });
    expect(findObstacle(budget, 4_999, UNPACED)).toMatchObject({ reason: 'rate-limited' });
    expect(findObstacle(budget, 5_000, 0)).toBeUndefined();
  });

  test('admit one probe at a time', () => {
    const { budget, send } = createTestBudget();
    send(limited(1_000));
    const probe = countSent(budget, 0);
    expect(findObstacle(budget, 1_000, UNPACED)).toEqual({ reason: 'rate-limited' });
    countReport(budget, probe, { kind: 'response' }, 1_000);
    expect(findObstacle(budget, 1_000, 0)).toBeUndefined();
  });
});

describe('a Retry-After that ends before the window', () => {
  test('reports the end of the window at once', () => {
    const { budget, send } = createTestBudget();
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

describe('a change of plan', () => {
  const ofPlan = (limit: number, window: RateWindow, plan: Plan, remaining: number): GateReport => ({
    kind: 'response',
    rateLimit: { limit, remaining, resetAt: RESET, window, plan },
    untilResetMs: RESET,
  });

  test('drops the windows of the old plan', () => {
    const { budget, send } = createTestBudget();
    send(ofPlan(1_000, 'day', 'free', 2));
    send(ofPlan(60, 'minute', 'free', 59));
    send(ofPlan(300, 'minute', 'pro', 299));
    expect(budget.windows).toMatchObject([{ rateLimit: { limit: 300 } }]);
    expect(availableRequests(budget, 0, 0)).toBe(150);
  });

  test('keeps both windows of the new plan', () => {
    const { budget, send } = createTestBudget();
    send(ofPlan(10_000, 'day', 'pro', 500));
    send(ofPlan(300, 'minute', 'pro', 299));
    expect(budget.windows).toMatchObject([{ remaining: 499 }, { remaining: 299 }]);
  });
});

describe('the window of a limit', () => {
  test.each([
    [1_000, 60_000, 'minute', 'business'],
    [1_000, 30_000, 'minute', 'business'],
    [1_000, 61_000, undefined, undefined],
    [5_000, 60_000, 'minute', undefined],
  ])('of %i with resets %i ms apart is %s, plan %s', (limit, apart, window, plan) => {
    const { budget, send } = createTestBudget();
    send(responseWith(10, 50_000, 0, limit));
    expect(budget.rateLimit).not.toHaveProperty('window');
    send(responseWith(9, 50_000, 0, limit));
    expect(budget.rateLimit).not.toHaveProperty('window');
    send(responseWith(10, 50_000 + apart, 50_000, limit), 49_999);
    expect(budget.rateLimit?.window).toBe(window);
    expect(budget.rateLimit?.plan).toBe(plan);
  });

  test('is remembered once observed', () => {
    const { budget, send } = createTestBudget();
    const day: GateReport = {
      kind: 'response',
      rateLimit: { limit: 1_000, remaining: 5, resetAt: 90_000, window: 'day', plan: 'free' },
      untilResetMs: 90_000,
    };
    send(day);
    send(responseWith(4, 90_000, 60_000, 1_000), 60_000);
    expect(budget.rateLimit).toMatchObject({ window: 'day', plan: 'free' });
  });
});

describe('the last seen limit', () => {
  test('ignores a late response of an earlier window', () => {
    const { budget, send } = createTestBudget();
    send(responseWith(50));
    send(responseWith(40));
    send(responseWith(45));
    expect(budget.rateLimit?.remaining).toBe(40);
    send(responseWith(60, 2 * RESET));
    send(responseWith(10));
    expect(budget.rateLimit).toMatchObject({ remaining: 60, resetAt: 2 * RESET });
  });
});
