import { describe, expect, test } from 'vitest';
import { nextPoll } from '../../../../src/cli/commands/pets/watch-pace.js';
import type { RateLimitWindow } from '../../../../src/client/internal.js';

const DAY_MS = 86_400_000;
const minute = (remaining: number, more: Partial<RateLimitWindow> = {}): RateLimitWindow => ({
  source: 'response',
  limit: 300,
  remaining,
  resetAt: new Date(1),
  resetsInMs: 60_000,
  window: 'minute',
  ...more,
});
const day = (remaining: number, more: Partial<RateLimitWindow> = {}): RateLimitWindow => ({
  source: 'response',
  limit: 1_000,
  remaining,
  resetAt: new Date(2),
  resetsInMs: DAY_MS,
  window: 'day',
  ...more,
});

describe('without an interval', () => {
  test.each([
    ['nothing is known', [], 1, { delayMs: 10_000, isLimited: false }],
    ['plenty', [minute(299)], 1, { delayMs: 10_000, isLimited: false }],
    ['4 requests per poll of 60 per minute', [minute(56, { limit: 60 })], 4, { delayMs: 10_000 }],
    ['half of what is left', [minute(10)], 1, { delayMs: 12_000, isLimited: true }],
    ['hardly anything left', [minute(1)], 1, { delayMs: 60_000, isLimited: true }],
    ['nothing left', [minute(0)], 1, { delayMs: 60_000, isLimited: true }],
    ['less than one poll needs', [minute(5)], 4, { delayMs: 60_000, isLimited: true }],
    [
      'the day of a plan',
      [minute(59, { limit: 60, plan: 'free' })],
      1,
      { delayMs: 172_800, isLimited: true },
    ],
    [
      'with several requests per poll',
      [minute(296, { plan: 'pro' })],
      4,
      { delayMs: 69_120, isLimited: true },
    ],
    ['a known day window', [day(900)], 1, { delayMs: 192_000, isLimited: true }],
    [
      'both windows: the tighter one',
      [minute(10), day(900, { plan: 'free' })],
      1,
      { delayMs: 192_000, isLimited: true },
    ],
    ['both windows: the tighter one', [minute(0), day(900, { limit: 100_000 })], 1, { delayMs: 192_000 }],
  ] as const)('%s', (_, windows, requests, next) => {
    expect(nextPoll(requests, { windows })).toMatchObject(next);
  });

  test('leaves half of the requests at any time', () => {
    const { delayMs } = nextPoll(1, { windows: [day(100, { resetsInMs: 3_600_000 })] });
    expect(Math.floor(3_600_000 / delayMs)).toBe(50);
  });
});

describe('with an interval', () => {
  test.each([
    ['nothing is known', [], { delayMs: 1_000, isLimited: false }],
    [
      'uses the interval for every plan',
      [minute(40, { limit: 60, plan: 'free' })],
      { delayMs: 1_000, isLimited: false },
    ],
    ['uses the interval down to the last request', [minute(1)], { delayMs: 1_000, isLimited: false }],
    ['waits for the reset without requests left', [minute(0), day(5)], { delayMs: 60_000, isLimited: true }],
  ] as const)('%s', (_, windows, next) => {
    expect(nextPoll(1, { windows }, 1_000)).toEqual(next);
  });

  test('uses an interval longer than the window', () => {
    expect(nextPoll(1, { windows: [minute(0)] }, 90_000)).toEqual({ delayMs: 90_000, isLimited: false });
  });
});
