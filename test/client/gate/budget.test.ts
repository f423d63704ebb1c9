import { beforeEach, describe, expect, test } from 'vitest';
import { type Budget, createBudget } from '../../../src/client/gate/budget.js';
import type { GateReport } from '../../../src/client/gate/gate.js';

const RESET = 60_000;

/** An answer that tells of a window which ends at a time of the budget's own clock. */
const told = (remaining: number, resetAt = RESET, now = 0, limit = 60): GateReport => ({
  kind: 'answer',
  rateLimit: { limit, remaining, resetAt },
  untilResetMs: resetAt - now,
});
const limited = (holdMs: number): GateReport => ({ kind: 'limited', holdMs, toldMs: holdMs });

let budget: Budget;
beforeEach(() => {
  budget = createBudget();
});

/** Sends one and has it answered at once. */
const send = (report: GateReport, now = 0): void => {
  budget.settle(budget.spend(), report, now);
};

describe('a budget', () => {
  test('lets one request learn the limit, and holds the others until it has', () => {
    expect(budget.obstacle(0, true)).toBeUndefined();
    const probe = budget.spend();
    expect(budget.obstacle(0, true)).toEqual({ reason: 'paced' });
    expect(budget.obstacle(0, false)).toBeUndefined();
    budget.settle(probe, told(59), 0);
    expect(budget.obstacle(0, true)).toBeUndefined();
  });

  test('lets the others go where the answers tell no limit', () => {
    send({ kind: 'answer' });
    for (let count = 0; count < 1_000; count += 1) {
      expect(budget.obstacle(0, true)).toBeUndefined();
      budget.spend();
    }
  });

  test('never has more under way than are left', () => {
    send(told(2));
    const one = budget.spend();
    expect(budget.obstacle(0, true)).toBeUndefined();
    budget.spend();
    expect(budget.obstacle(0, true)).toMatchObject({ reason: 'paced' });
    expect(budget.obstacle(0, true)?.until).toBeUndefined();
    budget.settle(one, told(1), 0);
    expect(budget.obstacle(0, true)).toMatchObject({ reason: 'paced' });
  });

  test('sends nothing at 0 left until the reset, and one probe then', () => {
    send(told(0));
    expect(budget.obstacle(0, true)).toMatchObject({
      reason: 'paced',
      until: RESET,
      toldUntil: RESET,
    });
    expect(budget.obstacle(RESET - 1, true)).toMatchObject({ until: RESET });
    expect(budget.obstacle(RESET, true)).toBeUndefined();
    budget.spend();
    expect(budget.obstacle(RESET, true)).toEqual({ reason: 'paced' });
  });

  test('takes the lower number of answers that come out of order', () => {
    send(told(10));
    const [early, late] = [budget.spend(), budget.spend()];
    budget.settle(late, told(0), 0);
    budget.settle(early, told(1), 0);
    expect(budget.obstacle(0, true)).toMatchObject({ until: RESET });
  });

  test('ignores a late answer of a window that is over', () => {
    const old = budget.spend();
    send(told(50, 2 * RESET));
    budget.settle(old, told(0, RESET), RESET);
    expect(budget.obstacle(RESET, true)).toBeUndefined();
  });

  test('counts a request without an answer as counted, if it may have been sent', () => {
    send(told(1));
    budget.settle(budget.spend(), { kind: 'none', sent: false }, 0);
    expect(budget.obstacle(0, true)).toBeUndefined();
    budget.settle(budget.spend(), { kind: 'none', sent: true }, 0);
    expect(budget.obstacle(0, true)).toMatchObject({ until: RESET });
  });

  test('waits for the longer of two windows that are both used up', () => {
    send(told(0, RESET, 0, 60));
    send(told(0, 10 * RESET, 0, 1_000));
    expect(budget.obstacle(0, true)).toMatchObject({ until: 10 * RESET, rateLimit: { limit: 1_000 } });
    expect(budget.obstacle(RESET, true)).toMatchObject({ until: 10 * RESET });
  });

  test('counts in the one window what was told of the other', () => {
    send(told(2, RESET, 0, 60));
    send(told(500, 10 * RESET, 0, 1_000));
    send(told(499, 10 * RESET, 0, 1_000));
    expect(budget.obstacle(0, true)).toMatchObject({ until: RESET, rateLimit: { limit: 60 } });
  });

  test('is not held up at a new window by a request of the old one that hangs', () => {
    send(told(5));
    const hanging = budget.spend();
    expect(budget.obstacle(RESET, true)).toBeUndefined();
    const probe = budget.spend();
    expect(budget.obstacle(RESET, true)).toEqual({ reason: 'paced' });
    budget.settle(probe, told(59, 2 * RESET, RESET), RESET);
    expect(budget.obstacle(RESET, true)).toBeUndefined();
    budget.settle(hanging, { kind: 'none', sent: true }, RESET);
    expect(budget.obstacle(RESET, true)).toBeUndefined();
  });
});

describe('strikes', () => {
  test('count a burst once, and a repeat once more', () => {
    const burst = [budget.spend(), budget.spend(), budget.spend()];
    for (const serial of burst) budget.settle(serial, limited(1_000), 0);
    expect(budget.strikes).toBe(1);
    send(limited(1_000), 1_000);
    expect(budget.strikes).toBe(2);
  });

  test('are not forgiven by an answer to a request that was sent before', () => {
    const [first, second] = [budget.spend(), budget.spend()];
    budget.settle(first, limited(1_000), 0);
    budget.settle(second, { kind: 'answer' }, 0);
    expect(budget.strikes).toBe(1);
    send({ kind: 'answer' }, 1_000);
    expect(budget.strikes).toBe(0);
  });

  test('hold to the latest of what a burst was told', () => {
    const [first, second] = [budget.spend(), budget.spend()];
    budget.settle(first, limited(5_000), 0);
    budget.settle(second, limited(1_000), 0);
    expect(budget.obstacle(4_999, true)).toMatchObject({ reason: 'rate-limited', until: 5_000 });
    expect(budget.obstacle(4_999, false)).toMatchObject({ reason: 'rate-limited' });
    expect(budget.obstacle(5_000, true)).toBeUndefined();
  });

  test('let one probe through at a time', () => {
    send(limited(1_000));
    const probe = budget.spend();
    expect(budget.obstacle(1_000, false)).toEqual({ reason: 'rate-limited' });
    budget.settle(probe, { kind: 'answer' }, 1_000);
    expect(budget.obstacle(1_000, true)).toBeUndefined();
  });
});

describe('the window of a limit', () => {
  test.each([
    [1_000, 60_000, 'minute', 'business'],
    [1_000, 30_000, 'minute', 'business'],
    [1_000, 61_000, undefined, undefined],
    [5_000, 60_000, 'minute', undefined],
  ])('of %i whose resets are %i ms apart is %s, plan %s', (limit, apart, window, plan) => {
    send(told(10, 50_000, 0, limit));
    expect(budget.rateLimit).not.toHaveProperty('window');
    send(told(9, 50_000, 0, limit));
    expect(budget.rateLimit).not.toHaveProperty('window');
    send(told(10, 50_000 + apart, 50_000, limit), 49_999);
    expect(budget.rateLimit?.window).toBe(window);
    expect(budget.rateLimit?.plan).toBe(plan);
  });

  test('is remembered once it has been seen', () => {
    const day: GateReport = {
      kind: 'answer',
      rateLimit: { limit: 1_000, remaining: 5, resetAt: 90_000, window: 'day', plan: 'free' },
      untilResetMs: 90_000,
    };
    send(day);
    send(told(4, 90_000, 60_000, 1_000), 60_000);
    expect(budget.rateLimit).toMatchObject({ window: 'day', plan: 'free' });
  });
});

describe('a 429 that is shorter than its window', () => {
  test('tells of the window at once, since nothing may be sent before it ends', () => {
    const rateLimit = { limit: 60, remaining: 0, resetAt: RESET };
    send({ kind: 'limited', holdMs: 2_000, toldMs: 2_000, rateLimit, untilResetMs: RESET });
    expect(budget.obstacle(0, true)).toMatchObject({
      reason: 'rate-limited',
      until: RESET,
      toldUntil: RESET,
    });
    expect(budget.obstacle(0, false)).toMatchObject({ reason: 'rate-limited', until: 2_000 });
  });
});

describe('the limit last seen', () => {
  test('is that of the window, not of an answer that was overtaken', () => {
    send(told(50));
    send(told(40));
    send(told(45));
    expect(budget.rateLimit?.remaining).toBe(40);
    send(told(60, 2 * RESET));
    send(told(10));
    expect(budget.rateLimit).toMatchObject({ remaining: 60, resetAt: 2 * RESET });
  });
});
