import { describe, expect, test } from 'vitest';
import { describeBatch, estimateBatch } from '../../../../src/client/gate/budget/batch-estimate.js';
import { InvalidInputError } from '../../../../src/errors.js';
import type { KnownBudget, RateLimitWindow } from '../../../../src/client/gate/budget/budget.js';

const NOW = new Date(2026, 2, 1, 14, 5, 0).getTime();
const minute = (remaining: number, change: Partial<RateLimitWindow> = {}): RateLimitWindow => ({
  limit: 60,
  remaining,
  resetAt: new Date(NOW + 10_000),
  resetsInMs: 10_000,
  window: 'minute',
  plan: 'free',
  ...change,
});
const known = (...windows: RateLimitWindow[]): KnownBudget => ({ windows, heldForMs: 0 });

describe('a batch', () => {
  test.each([
    [10, 50, 0, 0],
    [50, 50, 0, 0],
    [51, 50, 10_000, 10_000],
    [110, 50, 10_000, 10_000],
    [111, 50, 70_000, 60_000],
    [830, 50, 730_000, 60_000],
    [0, 0, 0, 0],
  ])(
    'of %i requests with %i left takes %i ms, with a longest wait of %i ms',
    (requests, left, durationMs, longestWaitMs) => {
      expect(estimateBatch(requests, known(minute(left)), NOW)).toEqual({
        requests,
        left,
        leftUntil: new Date(NOW + 10_000),
        durationMs,
        longestWaitMs,
      });
    },
  );

  test('that exceeds the day limit waits for the next day, even if only the minute is known', () => {
    const estimate = estimateBatch(1_500, known(minute(60)), NOW);
    expect(estimate.longestWaitMs).toBeGreaterThan(80_000_000);
    expect(estimate.durationMs).toBeGreaterThan(86_400_000);
  });

  test('obeys and reports the window with fewer requests left', () => {
    const day = minute(3, { limit: 1_000, window: 'day', resetsInMs: 7_200_000 });
    const estimate = estimateBatch(4, known(minute(50), day), NOW);
    expect(estimate).toMatchObject({
      left: 3,
      leftUntil: new Date(NOW + 7_200_000),
      longestWaitMs: 7_200_000,
    });
  });

  test('first waits until a 429 hold has ended', () => {
    const budget = { ...known(minute(50)), heldForMs: 30_000 };
    expect(estimateBatch(1, budget, NOW)).toMatchObject({
      durationMs: 30_000,
      leftUntil: new Date(NOW + 30_000),
    });
    expect(estimateBatch(0, budget, NOW)).toMatchObject({ durationMs: 0 });
  });

  test('leaves the reserve of each window unused', () => {
    expect(estimateBatch(45, known(minute(50)), NOW, 25)).toMatchObject({ left: 35, durationMs: 10_000 });
    expect(estimateBatch(81, known(minute(50)), NOW, 25)).toMatchObject({ durationMs: 70_000 });
  });

  test('takes no time if nothing is known about the limit', () => {
    expect(estimateBatch(240, known(), NOW)).toEqual({ requests: 240, durationMs: 0, longestWaitMs: 0 });
  });

  test('never ends if the limit is 0', () => {
    const nothing = { limit: 0, remaining: 0, resetAt: new Date(NOW), resetsInMs: 10_000 };
    expect(estimateBatch(1, known(nothing), NOW).durationMs).toBe(Infinity);
  });
});

test.each([
  [240, known(minute(100, { limit: 60 })), '240 requests, 100 left until 14:05:10, about 2 min'],
  [1, known(minute(50)), '1 request, 50 left until 14:05:10'],
  [51, known(minute(50)), '51 requests, 50 left until 14:05:10, under a minute'],
  [12_000, known(minute(50)), '12000 requests, 50 left until 14:05:10, about 11 days'],
  [240, known(), '240 requests'],
  [
    1,
    known({ limit: 0, remaining: 0, resetAt: new Date(NOW), resetsInMs: 10_000 }),
    '1 request, 0 left until 14:05:10, more than the rate limit ever allows',
  ],
])('describes %i requests', (requests, budget, line) => {
  expect(describeBatch(estimateBatch(requests, budget, NOW))).toBe(line);
});

test.each([
  [[undefined], 'requests must be a number of 0 or more'],
  [[1], 'known must be a result of PetStore.budget()'],
  [[1, {}, 0], 'known must be a result of PetStore.budget()'],
  [[1, { windows: [], heldForMs: 0 }], 'now must be a number of milliseconds'],
  [[1, { windows: [], heldForMs: 0 }, 0, 'x'], 'reservePercent must be a number of 0 or more'],
])('rejects the arguments %j', (values, message) => {
  const estimate = estimateBatch as (...values: unknown[]) => unknown;
  expect(() => estimate(...values)).toThrow(InvalidInputError);
  expect(() => estimate(...values)).toThrow(message);
});

test.each([undefined, null, {}, { requests: 1 }])('can not describe %j', (value) => {
  expect(() => describeBatch(value as never)).toThrow(InvalidInputError);
});
