import { beforeEach, describe, expect, test } from 'vitest';
import { type BudgetState, createBudget } from '../../../src/client/gate/budget-state.js';
import {
  earliestAfter,
  obstacle,
  settle,
  spareRequests,
  spend,
  UNPACED,
} from '../../../src/client/gate/budget.js';
import type { GateReport } from '../../../src/client/gate/gate.js';
import type { Plan, RateWindow } from '../../../src/schema/rate-limit.js';
import { knownBudget } from '../../../src/client/gate/known-budget.js';

const RESET = 60_000;

/** An answer that tells of a window which ends at a time of the budget's own clock. */
const told = (remaining: number, resetAt = RESET, now = 0, limit = 60): GateReport => ({
  kind: 'answer',
  rateLimit: { limit, remaining, resetAt },
  untilResetMs: resetAt - now,
});
const limited = (holdMs: number): GateReport => ({ kind: 'limited', holdMs, toldMs: holdMs });

let budget: BudgetState;
beforeEach(() => {
  budget = createBudget();
});

/** Requests left, as far as is known. */
const left = (): number | undefined => knownBudget(budget, 0).windows[0]?.remaining;
/** Sends one and has it answered at once. */
const send = (report: GateReport, now = 0): void => {
  settle(budget, spend(budget, 0), report, now);
};

describe('a budget', () => {
  test('lets one request learn the limit, and holds the others until it has', () => {
    expect(obstacle(budget, 0, 0)).toBeUndefined();
    const probe = spend(budget, 0);
    expect(obstacle(budget, 0, 0)).toEqual({ reason: 'paced', lapsesAt: 2_000 });
    expect(obstacle(budget, 0, UNPACED)).toBeUndefined();
    settle(budget, probe, told(59), 0);
    expect(obstacle(budget, 0, 0)).toBeUndefined();
  });

  test('never has more than half of what is left under way, and the last ones go one by one', () => {
    send(told(5));
    const sent = [spend(budget, 0), spend(budget, 0)];
    expect(spareRequests(budget, 0, 0)).toBe(1);
    expect(obstacle(budget, 0, 0)).toBeUndefined();
    sent.push(spend(budget, 0));
    expect(obstacle(budget, 0, 0)).toMatchObject({ reason: 'paced' });
    expect(obstacle(budget, 0, 0)?.until).toBeUndefined();
    for (const [index, serial] of sent.entries()) settle(budget, serial, told(4 - index), 0);
    expect(spareRequests(budget, 0, 0)).toBe(1);
    spend(budget, 0);
    expect(spareRequests(budget, 0, 0)).toBe(0);
  });

  test('has less under way where others take more of the window than we do', () => {
    send(told(40));
    send(told(39));
    expect(spareRequests(budget, 0, 0)).toBe(20);
    for (const remaining of [35, 31, 27]) send(told(remaining));
    // Three of theirs for each of ours: each of ours under way stands for four, and one is held back for them.
    expect(budget.windows[0]).toMatchObject({ ours: 4, foreign: 9 });
    expect(spareRequests(budget, 0, 0)).toBe(Math.floor((27 - 1 + 1) / (1 + 9 / 4)));
  });

  test('sends nothing at 0 left until the reset, and one probe then', () => {
    send(told(0));
    expect(obstacle(budget, 0, 0)).toMatchObject({
      reason: 'paced',
      until: RESET,
      toldUntil: RESET,
    });
    expect(obstacle(budget, RESET - 1, 0)).toMatchObject({ until: RESET });
    expect(obstacle(budget, RESET, 0)).toBeUndefined();
    spend(budget, RESET);
    expect(obstacle(budget, RESET, 0)).toMatchObject({ reason: 'paced', lapsesAt: RESET + 2_000 });
  });

  test('takes the lower number of answers that come out of order', () => {
    send(told(10));
    const [early, late] = [spend(budget, 0), spend(budget, 0)];
    settle(budget, late, told(0), 0);
    settle(budget, early, told(1), 0);
    expect(obstacle(budget, 0, 0)).toMatchObject({ until: RESET });
  });

  test('ignores a late answer of a window that is over', () => {
    const old = spend(budget, 0);
    send(told(50, 2 * RESET));
    settle(budget, old, told(0, RESET), RESET);
    expect(obstacle(budget, RESET, 0)).toBeUndefined();
  });

  test('counts a request without an answer as counted, if it may have been sent', () => {
    send(told(1));
    settle(budget, spend(budget, 0), { kind: 'none', sent: false }, 0);
    expect(obstacle(budget, 0, 0)).toBeUndefined();
    settle(budget, spend(budget, 0), { kind: 'none', sent: true }, 0);
    expect(obstacle(budget, 0, 0)).toMatchObject({ until: RESET });
  });

  test('waits for the longer of two windows that are both used up', () => {
    send(told(0, RESET, 0, 60));
    send(told(0, 10 * RESET, 0, 1_000));
    expect(obstacle(budget, 0, 0)).toMatchObject({ until: 10 * RESET, rateLimit: { limit: 1_000 } });
    expect(obstacle(budget, RESET, 0)).toMatchObject({ until: 10 * RESET });
  });

  test('counts in the one window what was told of the other', () => {
    send(told(2, RESET, 0, 60));
    send(told(500, 10 * RESET, 0, 1_000));
    send(told(499, 10 * RESET, 0, 1_000));
    expect(obstacle(budget, 0, 0)).toMatchObject({ until: RESET, rateLimit: { limit: 60 } });
  });

  test('is not held up at a new window by a request of the old one that hangs', () => {
    send(told(5));
    const hanging = spend(budget, 0);
    expect(obstacle(budget, RESET, 0)).toBeUndefined();
    const probe = spend(budget, RESET);
    expect(obstacle(budget, RESET, 0)).toMatchObject({ reason: 'paced' });
    settle(budget, probe, told(59, 2 * RESET, RESET), RESET);
    expect(obstacle(budget, RESET, 0)).toBeUndefined();
    settle(budget, hanging, { kind: 'none', sent: true }, RESET);
    expect(obstacle(budget, RESET, 0)).toBeUndefined();
  });
});

describe('a budget of which nothing is known', () => {
  const lost: GateReport = { kind: 'none', sent: true };

  test('lets one more probe go for each that failed: a dead connection sets nobody free', () => {
    settle(budget, spend(budget, 0), lost, 0);
    const [first] = [spend(budget, 0), spend(budget, 0)];
    expect(obstacle(budget, 0, 0)).toMatchObject({ reason: 'paced' });
    settle(budget, first, lost, 0);
    expect(spareRequests(budget, 0, 0)).toBe(2);
  });

  test('lets one more go for each answer that tells no limit, and eight at most', () => {
    for (let count = 1; count <= 20; count += 1) {
      send({ kind: 'answer' });
      expect(spareRequests(budget, 0, 0)).toBe(Math.min(8, count + 1));
    }
    send(told(59));
    expect(spareRequests(budget, 0, 0)).toBe(30);
  });

  test('goes by what an answer told is left where its reset is past', () => {
    const spare = [30, 20, 10, 5, 3, 2, 1, 0].map((remaining) => {
      send(told(remaining, -RESET, -RESET));
      return spareRequests(budget, 0, 0);
    });
    expect(spare).toEqual([2, 3, 4, 3, 2, 1, 1, 1]);
  });

  test('lets another probe go where one hangs, and again one', () => {
    spend(budget, 0);
    expect(obstacle(budget, 1_999, 0)).toMatchObject({ lapsesAt: 2_000 });
    expect(obstacle(budget, 2_000, 0)).toBeUndefined();
    spend(budget, 2_000);
    expect(obstacle(budget, 2_000, 0)).toMatchObject({ lapsesAt: 4_000 });
  });

  test('counts its probes anew in the next window', () => {
    settle(budget, spend(budget, 0), lost, 0);
    expect(budget.probesMax).toBe(2);
    send(told(5));
    expect(obstacle(budget, RESET, 0)).toBeUndefined();
    expect(budget.probesMax).toBe(1);
  });
});

describe('a lost answer', () => {
  test('is forgotten once a later request was told what is left', () => {
    send(told(10));
    settle(budget, spend(budget, 0), { kind: 'none', sent: true }, 0);
    expect(left()).toBe(9);
    send(told(9));
    expect(left()).toBe(9);
  });

  test('is not forgiven by the answer to a request that was sent before it was lost', () => {
    send(told(10));
    const [lost, other] = [spend(budget, 0), spend(budget, 0)];
    settle(budget, lost, { kind: 'none', sent: true }, 0);
    settle(budget, other, told(9), 0);
    expect(left()).toBe(8);
  });
});

describe('several lost answers', () => {
  const lose = (serial: number): void => {
    settle(budget, serial, { kind: 'none', sent: true }, 0);
  };

  test('are forgotten one by one, each by an answer to who was sent after it was lost', () => {
    send(told(10));
    const [first, second] = [spend(budget, 0), spend(budget, 0)];
    lose(first);
    const later = spend(budget, 0);
    lose(second);
    expect(left()).toBe(7);
    settle(budget, later, told(8), 0);
    expect(left()).toBe(7);
    send(told(7));
    expect(left()).toBe(7);
  });

  test('are as many as were lost, and beyond hope counted for good', () => {
    send(told(1_000, RESET, 0, 1_000));
    for (let count = 0; count < 300; count += 1) lose(spend(budget, 0));
    expect(left()).toBe(700);
    expect(budget.windows[0]?.doubts).toHaveLength(256);
  });
});

test('an answer without headers is one that may or may not have been counted', () => {
  send(told(10));
  send({ kind: 'answer' });
  expect(left()).toBe(9);
  send(told(9));
  expect(left()).toBe(9);
});

describe('a plan that changes', () => {
  const ofPlan = (limit: number, window: RateWindow, plan: Plan, remaining: number): GateReport => ({
    kind: 'answer',
    rateLimit: { limit, remaining, resetAt: RESET, window, plan },
    untilResetMs: RESET,
  });

  test('takes the windows of the old one with it', () => {
    send(ofPlan(1_000, 'day', 'free', 2));
    send(ofPlan(60, 'minute', 'free', 59));
    send(ofPlan(300, 'minute', 'pro', 299));
    expect(budget.windows).toMatchObject([{ rateLimit: { limit: 300 } }]);
    expect(spareRequests(budget, 0, 0)).toBe(150);
  });

  test('and leaves both windows of one plan', () => {
    send(ofPlan(10_000, 'day', 'pro', 500));
    send(ofPlan(300, 'minute', 'pro', 299));
    expect(budget.windows).toMatchObject([{ remaining: 499 }, { remaining: 299 }]);
  });
});

describe('a reserve', () => {
  test('is left unspent, by who has one and by nobody else', () => {
    send(told(30));
    expect(spareRequests(budget, 0, 25)).toBe(8);
    send(told(15));
    expect(obstacle(budget, 0, 25)).toMatchObject({ reason: 'paced', until: RESET, toldUntil: RESET });
    expect(obstacle(budget, 0, 24.9)).toMatchObject({ until: RESET });
    expect(obstacle(budget, 0, 23)).toBeUndefined();
    expect(obstacle(budget, 0, UNPACED)).toBeUndefined();
  });

  test('takes the part of each window, rounded up', () => {
    send(told(500, RESET, 0, 1_000));
    send(told(2, 10 * RESET, 0, 7));
    expect(spareRequests(budget, 0, 20)).toBe(0);
    expect(spareRequests(budget, 0, 14)).toBe(1);
  });
});

describe('other users of the key', () => {
  test('are seen by what is gone beyond our own, and left room for', () => {
    send(told(40));
    send(told(39), 1_000);
    expect(spareRequests(budget, 1_000, 0)).toBe(20);
    send(told(33), 2_000);
    // Five gone in two seconds: three are about to go; but no more than one request of sixty is held back. Of the others
    // five go for two of ours.
    expect(spareRequests(budget, 2_000, 0)).toBe(Math.floor((32 + 1) / (1 + 5 / 2)));
    send(told(1), 3_000);
    expect(obstacle(budget, 3_000, 0)).toMatchObject({ until: RESET });
  });

  test('are not seen where several of ours are under way', () => {
    send(told(40));
    const sent = [spend(budget, 0), spend(budget, 0), spend(budget, 0)];
    settle(budget, sent[2]!, told(37), 0);
    expect(budget.windows[0]?.foreign).toBe(0);
    settle(budget, sent[0]!, told(39), 0);
    settle(budget, sent[1]!, told(38), 0);
    expect(budget.windows[0]?.foreign).toBe(0);
  });
});

describe('who is served later', () => {
  test('is told the window in which that can be at the earliest', () => {
    expect(earliestAfter(budget, 0, 0, 1_000)).toBeUndefined();
    send(told(3));
    expect(earliestAfter(budget, 0, 0, 2)).toBeUndefined();
    expect(earliestAfter(budget, 0, 0, 3)).toMatchObject({ until: RESET, rateLimit: { limit: 60 } });
    expect(earliestAfter(budget, 0, 0, 62)).toMatchObject({ until: RESET });
    expect(earliestAfter(budget, 0, 0, 63)).toMatchObject({ until: 2 * RESET });
    expect(earliestAfter(budget, 0, 50, 0)).toMatchObject({ until: RESET });
    expect(earliestAfter(budget, 0, UNPACED, 1_000)).toBeUndefined();
  });
});

describe('strikes', () => {
  test('count a burst once, and a repeat once more', () => {
    const burst = [spend(budget, 0), spend(budget, 0), spend(budget, 0)];
    for (const serial of burst) settle(budget, serial, limited(1_000), 0);
    expect(budget.strikes).toBe(1);
    send(limited(1_000), 1_000);
    expect(budget.strikes).toBe(2);
  });

  test('are not forgiven by an answer to a request that was sent before', () => {
    const [first, second] = [spend(budget, 0), spend(budget, 0)];
    settle(budget, first, limited(1_000), 0);
    settle(budget, second, { kind: 'answer' }, 0);
    expect(budget.strikes).toBe(1);
    send({ kind: 'answer' }, 1_000);
    expect(budget.strikes).toBe(0);
  });

  test('hold to the latest of what a burst was told', () => {
    const [first, second] = [spend(budget, 0), spend(budget, 0)];
    settle(budget, first, limited(5_000), 0);
    settle(budget, second, limited(1_000), 0);
    expect(obstacle(budget, 4_999, 0)).toMatchObject({ reason: 'rate-limited', until: 5_000 });
    expect(obstacle(budget, 4_999, UNPACED)).toMatchObject({ reason: 'rate-limited' });
    expect(obstacle(budget, 5_000, 0)).toBeUndefined();
  });

  test('let one probe through at a time', () => {
    send(limited(1_000));
    const probe = spend(budget, 0);
    expect(obstacle(budget, 1_000, UNPACED)).toEqual({ reason: 'rate-limited' });
    settle(budget, probe, { kind: 'answer' }, 1_000);
    expect(obstacle(budget, 1_000, 0)).toBeUndefined();
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
    expect(obstacle(budget, 0, 0)).toMatchObject({
      reason: 'rate-limited',
      until: RESET,
      toldUntil: RESET,
    });
    expect(obstacle(budget, 0, UNPACED)).toMatchObject({ reason: 'rate-limited', until: 2_000 });
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
