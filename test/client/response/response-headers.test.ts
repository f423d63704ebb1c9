import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHttpDate } from '../../../src/client/response/http-date.js';
import {
  respondedAt,
  readRateLimit,
  readRequestId,
  readRetryAfterMs,
  readWait,
} from '../../../src/client/response/response-headers.js';

const NOW = Date.UTC(2026, 2, 1, 12);
const HOUR = 3_600_000;
const imf = (time: number): string => new Date(time).toUTCString();

describe('several Retry-After headers', () => {
  test.each<[string, number]>([
    ['5, 6', 6_000],
    ['6,5', 6_000],
    ['5, nonsense', 5_000],
    [`${imf(NOW + 9_000)}, 4`, 9_000],
    [`4, ${imf(NOW + 9_000)}`, 9_000],
    [`${imf(NOW + 3_000)}, ${imf(NOW + 9_000)}`, 9_000],
    ['Sunday, 01-Mar-26 12:00:08 GMT, 7', 8_000],
    ['Sun Mar  1 12:00:08 2026, 7', 8_000],
  ])('%j: the longest wait counts', (value, expected) => {
    expect(readRetryAfterMs({ 'retry-after': value }, NOW)).toBe(expected);
  });
});

test('of Retry-After with names the largest counts, and milliseconds are not read as seconds', () => {
  const named = { 'retry-after-short': '5', 'retry-after-long': '6', 'retry-after-ms': '7' };
  expect(readRetryAfterMs(named, NOW)).toBe(6_000);
  expect(readRetryAfterMs({ ...named, 'retry-after': '4' }, NOW)).toBe(4_000);
  expect(readRetryAfterMs({ 'retry-after-ms': '7' }, NOW)).toBeUndefined();
});

describe('readWait', () => {
  const DAY = 24 * HOUR;
  const reset = (inMs: number): ReturnType<typeof readRateLimit> => {
    const headers = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' };
    return readRateLimit({ ...headers, 'x-ratelimit-reset': String((NOW + inMs) / 1_000) }, NOW);
  };
  test.each<[string, string | undefined, number | undefined, ReturnType<typeof readWait>]>([
    ['a credible Retry-After', '86400', 30_000, { waitMs: DAY, isTooLong: false }],
    ['no Retry-After', undefined, 30_000, { waitMs: 30_000, isTooLong: false }],
    ['a date in the past', imf(NOW - HOUR), 30_000, { waitMs: 0, isTooLong: false }],
    ['a negative number', '-5', 30_000, { waitMs: 30_000, isTooLong: false }],
    ['an empty value', '', 30_000, { waitMs: 30_000, isTooLong: false }],
    ['nothing', undefined, undefined, { isTooLong: false }],
    ['an epoch second', String(NOW / 1_000 + 30), 30_000, { waitMs: 30_000, isTooLong: true }],
    ['an epoch second alone', String(NOW / 1_000 + 30), undefined, { waitMs: DAY, isTooLong: true }],
    ['20 digits', '9'.repeat(20), undefined, { waitMs: DAY, isTooLong: true }],
    ['a second more than a day', '86401', undefined, { waitMs: DAY, isTooLong: true }],
    ['the year 9999', 'Fri, 31 Dec 9999 23:59:59 GMT', undefined, { waitMs: DAY, isTooLong: true }],
    ['only a reset in ten years', undefined, 3_650 * DAY, { waitMs: DAY, isTooLong: true }],
    ['5 s and a reset in ten years', '5', 3_650 * DAY, { waitMs: 5_000, isTooLong: true }],
    ['a fraction', '1.5', undefined, { waitMs: 1_500, isTooLong: false }],
    ['a fraction and a later reset', '1.5', 30_000, { waitMs: 1_500, isTooLong: false }],
    ['0 and a later reset', '0', 30_000, { waitMs: 0, isTooLong: false }],
  ])('%s', (_, retryAfter, resetInMs, expected) => {
    const headers = retryAfter === undefined ? {} : { 'retry-after': retryAfter };
    expect(readWait(headers, NOW, resetInMs === undefined ? undefined : reset(resetInMs))).toEqual(expected);
  });

  test('a reset in milliseconds counts as such', () => {
    const headers = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '0' };
    const limits = readRateLimit({ ...headers, 'x-ratelimit-reset': String(NOW + 30_500) }, NOW);
    expect(limits).toMatchObject({
      untilResetMs: 30_500,
      rateLimit: { resetAt: NOW + 30_500, window: 'minute' },
    });
    expect(limits?.isResetTooFar).toBe(false);
  });
});

describe('Retry-After', () => {
  test.each([
    ['0', 0],
    ['7', 7_000],
    [' 7 ', 7_000],
    ['007', 7_000],
    ['120', 120_000],
    ['9999999', 9_999_999_000],
    ['999999999999999', 999_999_999_999_999_000],
    ['4.859', 4_859],
    ['0.0001', 1],
  ])('parses %j as seconds', (value, expected) => {
    expect(readRetryAfterMs({ 'retry-after': value }, NOW)).toBe(Math.min(expected, Number.MAX_SAFE_INTEGER));
  });

  test.each([16, 20, 400])('parses a number of %i digits as a very long wait', (digits) => {
    expect(readRetryAfterMs({ 'retry-after': '9'.repeat(digits) }, NOW)).toBe(Number.MAX_SAFE_INTEGER);
  });

  test.each([
    '',
    ' ',
    '-5',
    '+5',
    '0x10',
    '5;5',
    '1.',
    '.5',
    '1e3',
    'Infinity',
    'NaN',
    'abc',
    '5s',
    '５',
    'tomorrow',
    '2026-03-01T12:00:05Z',
  ])('returns undefined for %j', (value) => {
    expect(readRetryAfterMs({ 'retry-after': value }, NOW)).toBeUndefined();
  });

  test('returns undefined without the header', () => {
    expect(readRetryAfterMs({}, NOW)).toBeUndefined();
  });

  test.each([
    ['right', 0],
    ['an hour behind', -HOUR],
    ['an hour ahead', HOUR],
  ])('compares a date with the Date of the response, with the service’s clock %s', (_, skew) => {
    const headers = { date: imf(NOW + skew), 'retry-after': imf(NOW + skew + 3_000) };
    expect(readRetryAfterMs(headers, NOW)).toBe(3_000);
  });

  test('compares a date with the local clock if there is no Date', () => {
    expect(readRetryAfterMs({ 'retry-after': imf(NOW + 3_000) }, NOW)).toBe(3_000);
    expect(readRetryAfterMs({ 'retry-after': imf(NOW + 3_000), date: 'yesterday' }, NOW)).toBe(3_000);
  });

  test('returns 0 for a date in the past', () => {
    expect(readRetryAfterMs({ date: imf(NOW), 'retry-after': imf(NOW - HOUR) }, NOW)).toBe(0);
  });

  test('never returns a negative or invalid number', () => {
    fc.assert(
      fc.property(fc.string(), (value) => {
        const delayMs = readRetryAfterMs({ 'retry-after': value }, NOW);
        return delayMs === undefined || (Number.isFinite(delayMs) && delayMs >= 0);
      }),
    );
  });

  test('parses every number of seconds', () => {
    fc.assert(
      fc.property(fc.nat(), (seconds) => {
        expect(readRetryAfterMs({ 'retry-after': String(seconds) }, NOW)).toBe(seconds * 1_000);
      }),
    );
  });
});

describe('parseHttpDate', () => {
  test('parses every second that toUTCString writes', () => {
    const seconds = fc.integer({ min: 0, max: Date.UTC(9999, 11, 31) / 1_000 });
    fc.assert(
      fc.property(seconds, (second) => {
        expect(parseHttpDate(imf(second * 1_000), NOW)).toBe(second * 1_000);
      }),
    );
  });

  test('respondedAt returns the local time without a valid Date', () => {
    expect(respondedAt({}, NOW)).toBe(NOW);
    expect(respondedAt({ date: imf(NOW - HOUR) }, NOW)).toBe(NOW - HOUR);
  });
});

describe('readRateLimit', () => {
  const headers = (limit: unknown, remaining: unknown, reset: unknown): Record<string, string> => ({
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(reset),
  });

  test('parses all three headers', () => {
    expect(readRateLimit({ ...headers(60, 12, NOW / 1_000 + 30), date: imf(NOW) }, 0)).toEqual({
      rateLimit: { limit: 60, remaining: 12, resetAt: NOW + 30_000, window: 'minute', plan: 'free' },
      untilResetMs: 30_000,
      isResetTooFar: false,
    });
  });

  test.each([
    [60, 30, 'minute', 'free'],
    [300, 60, 'minute', 'pro'],
    [1_000, 30, undefined, undefined],
    [1_000, 60, undefined, undefined],
    [1_000, 61, undefined, undefined],
    [1_000, 62, 'day', 'free'],
    [60, 61, 'minute', 'free'],
    [10_000, 86_400, 'day', 'pro'],
    [100_000, 62, 'day', 'business'],
    // A limit of a day in a shorter window, and those of a minute in a longer one, are of no published plan.
    [10_000, 30, undefined, undefined],
    [60, 62, undefined, undefined],
    [300, 3_600, undefined, undefined],
    [100, 900, undefined, undefined],
    [5_000, 30, undefined, undefined],
    [5_000, 3_600, undefined, undefined],
    // Such as of a month. A day of a wrong clock may end up to ten minutes later.
    [10_000, 86_400 + 600, 'day', 'pro'],
    [10_000, 86_400 + 601, undefined, undefined],
    [1_000, 20 * 86_400, undefined, undefined],
  ])(
    'infers from a limit of %i that resets in %i s: window %s, plan %s',
    (limit, inSeconds, window, plan) => {
      const { rateLimit } =
        readRateLimit({ ...headers(limit, 1, NOW / 1_000 + inSeconds), date: imf(NOW) }, NOW) ?? {};
      expect(rateLimit?.window).toBe(window);
      expect(rateLimit?.plan).toBe(plan);
    },
  );

  test.each([
    ['', '1', '1'],
    ['60', '', '1'],
    ['60', '1', '0x10'],
    ['60', '1', 'soon'],
    ['60, x', '1', '1'],
    ['60 60', '1', '1'],
    ['Infinity', '1', '1'],
    ['1'.repeat(16), '1', '1'],
    ['60', '1', '-1'],
    ['60', '1', '9'.repeat(15)],
    ['60', '1', '8640000000001'],
    ['60', '61', '1'],
    ['60', '9'.repeat(15), '1'],
  ])('returns undefined for %j, %j, %j', (limit, remaining, reset) => {
    expect(readRateLimit(headers(limit, remaining, reset), NOW)).toBeUndefined();
  });

  test.each(['x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset'])(
    'returns undefined without %s',
    (missing) => {
      const { [missing]: _, ...rest } = headers(60, 1, NOW / 1_000);
      expect(readRateLimit(rest, NOW)).toBeUndefined();
    },
  );

  test.each([
    ['in the past', -30, 0],
    ['now', 0, 0],
    ['within the window', 45, 45_000],
    ['beyond any window', 999_999_999, 86_400_000],
  ])('limits the distance of a reset %s to a day', (_, inSeconds, expected) => {
    const reading = readRateLimit({ ...headers(60, 1, NOW / 1_000 + inSeconds), date: imf(NOW) }, 0);
    expect(reading?.untilResetMs).toBe(expected);
  });
});

test.each([
  [{ 'x-request-id': 'a', 'request-id': 'b' }, 'a'],
  [{ 'request-id': 'b' }, 'b'],
  [{}, undefined],
])('the request id in %j is %s', (headers, expected) => {
  expect(readRequestId(headers)).toBe(expected);
});
