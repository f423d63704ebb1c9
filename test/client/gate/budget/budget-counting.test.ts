import { describe, expect, test } from 'vitest';
import { type Budget, type OpenWindow, UNPACED } from '../../../../src/client/gate/budget/budget.js';
import { openWindows } from '../../../../src/client/gate/budget/passes.js';
import type { GateReport } from '../../../../src/client/gate/budget/budget-counting.js';
import type { Plan, RateWindow } from '../../../../src/schema/rate-limit.js';
import { createTestBudget, limited, LOST, RESET, responseWith } from '../test-budget.js';

describe('lost responses', () => {
  test('are confirmed one by one, each by a response to a later request', () => {
    const { end, left, send, start } = createTestBudget(responseWith(10));
    const [first, second] = [start(), start()];
    end(first, LOST);
    const later = start();
    end(second, LOST);
    expect(left()).toBe(7);
    end(later, responseWith(8));
    expect(left()).toBe(7);
    send(responseWith(7));
    expect(left()).toBe(7);
  });

  test('all count, and the oldest count for good above the maximum', () => {
    const { budget, left, send } = createTestBudget(responseWith(1_000, RESET, 0, 1_000));
    for (let count = 0; count < 300; count += 1) send(LOST);
    expect(left()).toBe(700);
    expect(openWindows(budget)[0]?.unconfirmed).toHaveLength(256);
  });

  test('count in a window that an earlier request reveals later', () => {
    const { budget, end, left, send, start } = createTestBudget(LOST);
    const [earlier, lost] = [start(), start()];
    end(lost, LOST);
    end(earlier, responseWith(58));
    expect(left()).toBe(57);
    send(responseWith(56));
    expect(left()).toBe(56);
    // None of them is a request of another user of the key.
    expect(openWindows(budget)[0]?.foreignCount).toBe(0);
  });

  test('include those without headers', () => {
    const { left, send } = createTestBudget(responseWith(10), { kind: 'response' });
    expect(left()).toBe(9);
    send(responseWith(9));
    expect(left()).toBe(9);
  });
});

describe('consecutive 429 responses', () => {
  test('of one burst count once and hold until the latest Retry-After, a repeat counts again', () => {
    const { budget, end, obstacle, send, start } = createTestBudget();
    const burst = [start(), start(), start()];
    for (const [index, serial] of burst.entries()) end(serial, limited(index === 1 ? 5_000 : 1_000));
    expect(budget.consecutive429Count).toBe(1);
    for (const level of [0, UNPACED])
      expect(obstacle(4_999, level)).toMatchObject({ reason: 'rate-limited', until: 5_000 });
    expect(obstacle(5_000)).toBeUndefined();
    send(limited(1_000), 5_000);
    expect(budget.consecutive429Count).toBe(2);
  });

  test('are not reset by the response to an earlier request', () => {
    const { budget, end, send, start } = createTestBudget();
    const [first, second] = [start(), start()];
    end(first, limited(1_000));
    end(second, { kind: 'response' });
    expect(budget.consecutive429Count).toBe(1);
    send({ kind: 'response' }, 1_000);
    expect(budget.consecutive429Count).toBe(0);
  });
});

test('a Retry-After that ends before the window reports the end of the window at once', () => {
  const rateLimit = { limit: 60, remaining: 0, resetAt: RESET };
  const { obstacle } = createTestBudget({ ...limited(2_000), rateLimit, untilResetMs: RESET } as GateReport);
  expect(obstacle()).toMatchObject({ reason: 'rate-limited', until: RESET, retryAfterUntil: RESET });
  expect(obstacle(0, UNPACED)).toMatchObject({ reason: 'rate-limited', until: 2_000 });
});

const ofPlan = (limit: number, window: RateWindow, plan: Plan, remaining: number): GateReport => ({
  kind: 'response',
  rateLimit: { limit, remaining, resetAt: RESET, window, plan },
  untilResetMs: RESET,
});

test('a change of plan drops the windows of the old plan, and keeps both of the new one', () => {
  const { available, budget, send } = createTestBudget(
    ofPlan(1_000, 'day', 'free', 2),
    ofPlan(60, 'minute', 'free', 59),
    ofPlan(300, 'minute', 'pro', 299),
  );
  expect(openWindows(budget)).toMatchObject([{ rateLimit: { limit: 300 } }]);
  expect(available()).toBe(150);
  send(ofPlan(10_000, 'day', 'pro', 500));
  expect(openWindows(budget)).toMatchObject([{ remaining: 298 }, { remaining: 500 }]);
});

describe('the window of a limit', () => {
  test.each([
    [1_000, 60_000, 'minute', 'business'],
    [1_000, 61_000, undefined, undefined],
    [5_000, 60_000, undefined, undefined],
    [5, 5_000, undefined, undefined],
  ])('of %i with resets %i ms apart is %s, plan %s', (limit, apart, window, plan) => {
    const { budget, send } = createTestBudget();
    for (const remaining of [10, 9]) {
      send(responseWith(remaining, 50_000, 0, limit));
      expect(budget.rateLimit).not.toHaveProperty('window');
    }
    send(responseWith(10, 50_000 + apart, 50_000, limit), 49_999);
    expect([budget.rateLimit?.window, budget.rateLimit?.plan]).toEqual([window, plan]);
  });

  test.each([
    [1_000, 86_400_000],
    [60, 900_000],
  ])('of %i is unknown if each reset is %i ms away, because the window slides', (limit, away) => {
    const day = away === 86_400_000 ? ({ window: 'day', plan: 'free' } as const) : {};
    const { budget, send } = createTestBudget();
    for (const at of [0, 10_000, 20_000]) {
      const rateLimit = { limit, remaining: 50, resetAt: at + away, ...day };
      send({ kind: 'response', rateLimit, untilResetMs: away }, at);
    }
    expect(budget.rateLimit).not.toHaveProperty('window');
    expect(budget.rateLimit).not.toHaveProperty('plan');
  });

  test('is remembered once observed, for its limit, and not for the end of a ban', () => {
    const { budget, send } = createTestBudget({
      ...ofPlan(1_000, 'day', 'free', 5),
      untilResetMs: 90_000,
    } as GateReport);
    send(responseWith(4, RESET, 59_000, 1_000), 59_000);
    expect(budget.rateLimit).toMatchObject({ window: 'day', plan: 'free' });
    // The other limit of the plan.
    send(responseWith(4, RESET, 59_000, 60), 59_000);
    expect(budget.rateLimit).toMatchObject({ window: 'minute', plan: 'free' });
    send(responseWith(0, 3 * RESET, 0, 1_000));
    expect(budget.rateLimit).not.toHaveProperty('window');
  });
});

describe('requests that the service rejected', () => {
  const ofMinute = (kind: 'response' | 'rate-limited'): GateReport =>
    ({ ...responseWith(0, RESET, 0, 5), kind, holdMs: 1_000, retryAfterMs: 1_000 }) as GateReport;
  const dayOf = (budget: Budget): OpenWindow =>
    openWindows(budget).find(({ rateLimit }) => rateLimit.limit === 1_000)!;
  const DAY_RESET = 20 * RESET;

  test('are given back to the other window by the response to a request that was alone', () => {
    const { budget, end, send, start } = createTestBudget(responseWith(900, DAY_RESET, 0, 1_000));
    const burst = [start(), start(), start()];
    for (const serial of burst) end(serial, ofMinute('rate-limited'));
    expect(dayOf(budget)).toMatchObject({ remaining: 897, rejectedCount: 3 });
    send(responseWith(899, DAY_RESET, 0, 1_000));
    expect(dayOf(budget)).toMatchObject({ remaining: 899, rejectedCount: 0 });
  });

  test.each(['before it', 'after it'])('are not given back if another one was sent %s', (order) => {
    const { budget, end, start } = createTestBudget(responseWith(900, DAY_RESET, 0, 1_000));
    end(start(), ofMinute('rate-limited'));
    const [first, second] = [start(), start()];
    const [ended, other] = order === 'before it' ? [second, first] : [first, second];
    end(ended, responseWith(899, DAY_RESET, 0, 1_000));
    expect(dayOf(budget).remaining).toBe(899);
    end(other, responseWith(900, DAY_RESET, 0, 1_000));
    expect(dayOf(budget)).toMatchObject({ remaining: 899, rejectedCount: 1 });
  });

  test('are given back at most once, and passed requests never', () => {
    const { budget, end, send, start } = createTestBudget(responseWith(900, DAY_RESET, 0, 1_000));
    end(start(), ofMinute('response'));
    end(start(), ofMinute('rate-limited'));
    send(responseWith(950, DAY_RESET, 0, 1_000));
    expect(dayOf(budget).remaining).toBe(899);
    send(responseWith(950, DAY_RESET, 0, 1_000));
    expect(dayOf(budget).remaining).toBe(899);
  });
});

describe('several windows of one response', () => {
  const shown = (limit: number, remaining: number, windowMs: number, now = 0) => ({
    rateLimit: { limit, remaining, resetAt: now + windowMs },
    untilResetMs: windowMs,
    windowMs,
  });
  const both = (
    remaining: readonly [number, number],
    lengths: readonly [number, number],
    now = 0,
  ): GateReport => ({
    kind: 'response',
    ...shown(60, remaining[0], lengths[0], now),
    others: [shown(500, remaining[1], lengths[1], now)],
  });

  test('all count, and the one with fewer requests left is shown', () => {
    const { available, budget, send } = createTestBudget(both([59, 40], [RESET, 15 * RESET]));
    expect(
      openWindows(budget)
        .map(({ remaining }) => remaining)
        .sort(),
    ).toEqual([40, 59]);
    expect(available()).toBe(20);
    send(both([0, 39], [RESET, 15 * RESET]));
    expect(budget.rateLimit).toMatchObject({ limit: 60, remaining: 0 });
    expect(available()).toBe(0);
  });

  test('have the lengths that the service names', () => {
    const { budget } = createTestBudget(both([59, 499], [7_000, 13_000]));
    expect(budget.limits).toMatchObject([
      { limit: 500, lengthMs: 13_000 },
      { limit: 60, lengthMs: 7_000 },
    ]);
  });

  test('neither imply a plan that one of them contradicts, nor replace each other', () => {
    const day = 1_440 * RESET;
    const report = both([59, 499], [RESET, day]);
    const { budget, send } = createTestBudget(report);
    send({
      ...report,
      rateLimit: { limit: 60, remaining: 58, resetAt: RESET, window: 'minute' },
    } as GateReport);
    expect(budget.rateLimit).toEqual({ limit: 60, remaining: 58, resetAt: RESET, window: 'minute' });
    expect(openWindows(budget)).toHaveLength(2);
    expect(budget.limits.map(({ limit }) => limit)).toEqual([500, 60]);
  });
});

test('the last seen limit ignores a late response of an earlier window', () => {
  const { budget, send } = createTestBudget(responseWith(50), responseWith(40), responseWith(45));
  expect(budget.rateLimit?.remaining).toBe(40);
  send(responseWith(60, 2 * RESET));
  send(responseWith(10));
  expect(budget.rateLimit).toMatchObject({ remaining: 60, resetAt: 2 * RESET });
  expect(openWindows(budget)).toHaveLength(1);
});

describe('a limit of no plan that the service changes', () => {
  const MINUTES = Array.from({ length: 12 }, (_, minute) => minute * RESET);

  test('counts for ten minutes, and then no longer', () => {
    const { budget, send } = createTestBudget(responseWith(49, RESET, 0, 50));
    for (const at of MINUTES) {
      send(responseWith(79, at + RESET, at, 80), at);
      expect(budget.limits.map(({ limit }) => limit)).toEqual(at < 600_000 ? [50, 80] : [80]);
    }
  });

  test('in each response neither makes the budget grow, nor drops the window that is used up', () => {
    const { budget, obstacle, send } = createTestBudget(responseWith(0, RESET, 0, 10));
    for (let limit = 11; limit < 100; limit += 1) send(responseWith(5, RESET, 0, limit));
    expect(budget.limits.length).toBeLessThanOrEqual(8);
    expect(openWindows(budget).length).toBeLessThanOrEqual(8);
    expect(obstacle()).toMatchObject({ until: RESET });
  });
});

test('a window whose reset was rounded down ends its length after the last response, at most a second later', () => {
  const reset = (remaining: number, at: number, resetAt: number): GateReport =>
    responseWith(remaining, resetAt, at, 5);
  const { budget, obstacle, send } = createTestBudget(reset(0, 0, 5_000));
  const rejection = { ...reset(0, 5_100, 5_000), kind: 'rate-limited', holdMs: 1_000 } as GateReport;
  const endsAt = (): number | undefined => budget.limits[0]?.open?.endsAt;
  // The window ends.
  obstacle(5_050);
  send(rejection, 5_100);
  obstacle(6_100);
  send(reset(4, 6_200, 11_000), 6_200);
  expect(endsAt()).toBe(11_200);
  send(reset(3, 6_500, 11_000), 6_500);
  expect(endsAt()).toBe(11_500);
  send(reset(2, 9_000, 11_000), 9_000);
  expect(endsAt()).toBe(12_000);
});
