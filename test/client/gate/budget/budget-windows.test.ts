import { describe, expect, test } from 'vitest';
import type { GateReport } from '../../../../src/client/gate/budget/budget-counting.js';
import { availableRequests } from '../../../../src/client/gate/budget/budget.js';
import type { Plan, RateWindow } from '../../../../src/schema/rate-limit.js';
import { openBudget, RESET, told } from '../spent-budget.js';

describe('a plan that changes', () => {
  const ofPlan = (limit: number, window: RateWindow, plan: Plan, remaining: number): GateReport => ({
    kind: 'response',
    rateLimit: { limit, remaining, resetAt: RESET, window, plan },
    untilResetMs: RESET,
  });

  test('takes the windows of the old one with it', () => {
    const { budget, send } = openBudget();
    send(ofPlan(1_000, 'day', 'free', 2));
    send(ofPlan(60, 'minute', 'free', 59));
    send(ofPlan(300, 'minute', 'pro', 299));
    expect(budget.windows).toMatchObject([{ rateLimit: { limit: 300 } }]);
    expect(availableRequests(budget, 0, 0)).toBe(150);
  });

  test('and leaves both windows of one plan', () => {
    const { budget, send } = openBudget();
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
  ])('of %i whose resets are %i ms apart is %s, plan %s', (limit, apart, window, plan) => {
    const { budget, send } = openBudget();
    send(told(10, 50_000, 0, limit));
    expect(budget.rateLimit).not.toHaveProperty('window');
    send(told(9, 50_000, 0, limit));
    expect(budget.rateLimit).not.toHaveProperty('window');
    send(told(10, 50_000 + apart, 50_000, limit), 49_999);
    expect(budget.rateLimit?.window).toBe(window);
    expect(budget.rateLimit?.plan).toBe(plan);
  });

  test('is remembered once it has been seen', () => {
    const { budget, send } = openBudget();
    const day: GateReport = {
      kind: 'response',
      rateLimit: { limit: 1_000, remaining: 5, resetAt: 90_000, window: 'day', plan: 'free' },
      untilResetMs: 90_000,
    };
    send(day);
    send(told(4, 90_000, 60_000, 1_000), 60_000);
    expect(budget.rateLimit).toMatchObject({ window: 'day', plan: 'free' });
  });
});

describe('the limit last seen', () => {
  test('is that of the window, not of an answer that was overtaken', () => {
    const { budget, send } = openBudget();
    send(told(50));
    send(told(40));
    send(told(45));
    expect(budget.rateLimit?.remaining).toBe(40);
    send(told(60, 2 * RESET));
    send(told(10));
    expect(budget.rateLimit).toMatchObject({ remaining: 60, resetAt: 2 * RESET });
  });
});
