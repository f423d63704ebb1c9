import { describe, expect, test } from 'vitest';
import { createWatchPace } from '../../../../src/cli/commands/pets/watch-pace.js';
import type { RateLimit } from '../../../../src/schema/rate-limit.js';

const NOW = Date.UTC(2026, 2, 1, 12);
const DAY_MS = 86_400_000;
const minute = (remaining: number, more: Partial<RateLimit> = {}): RateLimit => ({
  limit: 300,
  remaining,
  resetAt: NOW + 60_000,
  window: 'minute',
  ...more,
});

describe('without a wish', () => {
  test.each([
    ['no headers', undefined, 1, { delayMs: 10_000, scarce: false }],
    ['plenty', minute(299), 1, { delayMs: 10_000, scarce: false }],
    ['4 requests a look of 60 a minute: 7 looks', minute(56, { limit: 60 }), 4, { delayMs: 10_000 }],
    ['half of what is left', minute(10), 1, { delayMs: 12_000, scarce: true }],
    ['hardly anything left', minute(1), 1, { delayMs: 60_000, scarce: true }],
    ['nothing left', minute(0), 1, { delayMs: 60_000, scarce: true }],
    ['less than a look costs', minute(5), 4, { delayMs: 60_000, scarce: true }],
    [
      'the day of a plan that is known',
      minute(59, { limit: 60, plan: 'free' }),
      1,
      { delayMs: 172_800, scarce: true },
    ],
    ['and what a look costs of it', minute(296, { plan: 'pro' }), 4, { delayMs: 69_120, scarce: true }],
    [
      'a day that is told',
      minute(900, { limit: 1_000, window: 'day', resetAt: NOW + DAY_MS }),
      1,
      {
        delayMs: 192_000,
        scarce: true,
      },
    ],
    [
      'a clock that is late does not make a minute longer',
      minute(2, { resetAt: NOW + DAY_MS }),
      1,
      {
        delayMs: 60_000,
      },
    ],
    ['a window that has ended', minute(0, { resetAt: NOW - 1 }), 1, { delayMs: 10_000, scarce: false }],
  ] as const)('%s', (_, rateLimit, requests, next) => {
    expect(createWatchPace().after(requests, rateLimit, NOW)).toMatchObject(next);
  });

  test.each([60, 1_000, 10_000])('of %d a day, all alone, half is spent at the most', (limit) => {
    const resetAt = NOW + DAY_MS;
    const pace = createWatchPace();
    let now = NOW;
    let looks = 0;
    while (now < resetAt) {
      looks += 1;
      now += pace.after(1, { limit, remaining: limit - looks, resetAt, window: 'day' }, now).delayMs;
    }
    expect(looks).toBeLessThanOrEqual(limit / 2 + 1);
    expect(looks).toBeGreaterThan(limit * 0.45 - 2);
  });

  test('the count begins anew with the window', () => {
    const pace = createWatchPace();
    for (let look = 0; look < 40; look += 1) pace.after(4, minute(290), NOW);
    expect(pace.after(1, minute(290), NOW)).toMatchObject({ delayMs: 60_000 });
    expect(pace.after(1, minute(290, { resetAt: NOW + 90_000 }), NOW + 40_000)).toMatchObject({
      delayMs: 10_000,
    });
  });
});

describe('with a wish', () => {
  test.each([
    ['no headers', undefined, { delayMs: 1_000, scarce: false }],
    ['kept, whatever the plan', minute(40, { limit: 60, plan: 'free' }), { delayMs: 1_000, scarce: false }],
    ['kept down to the last request', minute(1), { delayMs: 1_000, scarce: false }],
    ['then the reset is waited for', minute(0), { delayMs: 60_000, scarce: true }],
  ] as const)('%s', (_, rateLimit, next) => {
    expect(createWatchPace(1_000).after(1, rateLimit, NOW)).toEqual(next);
  });

  test('one that is longer than the window is kept as well', () => {
    expect(createWatchPace(90_000).after(1, minute(0), NOW)).toEqual({ delayMs: 90_000, scarce: false });
  });
});
