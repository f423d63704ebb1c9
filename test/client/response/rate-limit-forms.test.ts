import { describe, expect, test } from 'vitest';
import { readRateLimit } from '../../../src/client/response/response-headers.js';
import { createLimiter, type LimiterHeaders } from '../../support/limiters/limiter.js';
import { ZOO } from '../../support/limiters/zoo.js';

const NOW = Date.UTC(2026, 10, 28, 16, 38);
const DATE = new Date(NOW).toUTCString();

/** Reads the headers of a response at noon by the service's clock. The local clock is an hour behind. */
function read(headers: LimiterHeaders, is429 = false) {
  return readRateLimit({ date: DATE, ...headers }, NOW - 3_600_000, is429);
}

function x(limit: string, remaining: string, reset: string): LimiterHeaders {
  return { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset };
}

describe('the reset', () => {
  const second = NOW / 1_000;
  test.each<[form: string, value: string, inMs: number]>([
    ['seconds from the response', '60', 60_000],
    ['no second from the response', '0', 0],
    ['a fraction of seconds from the response', '4.2', 4_200],
    ['a whole day', '86400', 86_400_000],
    ['a Unix time', String(second + 60), 60_000],
    ['a Unix time with a fraction', `${second + 7}.634564`, 7_635],
    ['a Unix time with .0', `${second + 7}.0`, 7_000],
    ['milliseconds', String(NOW + 30_500), 30_500],
    ['milliseconds with a fraction', `${NOW + 30_500}.25`, 30_501],
    ['an HTTP date', new Date(NOW + 9_000).toUTCString(), 9_000],
    ['an ISO date', new Date(NOW + 9_123).toISOString(), 9_123],
    ['an ISO date with an offset', '2026-11-28T17:38:09+01:00', 9_000],
    ['a date of JavaScript', 'Sat Nov 28 2026 16:38:09 GMT+0000 (Coordinated Universal Time)', 9_000],
  ])('as %s', (_, value, inMs) => {
    expect(read(x('60', '5', value))).toMatchObject({
      rateLimit: { limit: 60, remaining: 5, resetAt: NOW + inMs },
      untilResetMs: inMs,
      isResetTooFar: false,
    });
  });

  test.each(['1795883887634564', '5 s', 'tomorrow', '2026-11-28', '-5', '2026-13-45T99:00:00Z', 'NaN'])(
    'as %j can’t be read',
    (value) => {
      expect(read(x('60', '5', value))).toBeUndefined();
    },
  );

  test('counts from the local clock without a Date', () => {
    expect(readRateLimit(x('60', '5', '60'), NOW)?.rateLimit.resetAt).toBe(NOW + 60_000);
  });
});

describe('the numbers', () => {
  test.each<[limit: string, remaining: string, shown: object]>([
    ['60.0', '59.0', { limit: 60, remaining: 59 }],
    ['60', '-1', { limit: 60, remaining: 0 }],
    ['60, 60;w=60', '5', { limit: 60, remaining: 5, window: 'minute', plan: 'free' }],
    ['60, 60;w=900', '5', { limit: 60, remaining: 5 }],
    ['60, 60', '5, 5', { limit: 60, remaining: 5 }],
    // Each header twice, but the reset only once: the stricter of each.
    ['60, 100', '7, 5', { limit: 60, remaining: 5 }],
  ])('%j and %j', (limit, remaining, shown) => {
    expect(read(x(limit, remaining, '30'))?.rateLimit).toMatchObject(shown);
  });

  test('a policy names the length of the window', () => {
    expect(read(x('60, 60;w=900', '5', '30'))).toMatchObject({ windowMs: 900_000 });
    expect(read(x('60, 60;w=900', '5', '30'))?.rateLimit).not.toHaveProperty('window');
  });

  test('headers that were sent twice show two windows, the stricter first', () => {
    const both = read(x('60, 1000', '59, 12', '30, 3000'));
    expect(both?.rateLimit).toMatchObject({ limit: 1_000, remaining: 12, resetAt: NOW + 3_000_000 });
    expect(both?.others).toMatchObject([{ rateLimit: { limit: 60, remaining: 59 }, untilResetMs: 30_000 }]);
  });
});

describe('the fields of the drafts', () => {
  test('draft 6', () => {
    const headers = {
      'ratelimit-limit': '5',
      'ratelimit-remaining': '4',
      'ratelimit-reset': '5',
      'ratelimit-policy': '5;w=60',
    };
    expect(read(headers)).toEqual({
      rateLimit: { limit: 5, remaining: 4, resetAt: NOW + 5_000, window: 'minute' },
      untilResetMs: 5_000,
      isResetTooFar: false,
      windowMs: 60_000,
    });
  });

  test('draft 7', () => {
    const headers = { ratelimit: 'limit=60, remaining=4, reset=5', 'ratelimit-policy': '60;w=60' };
    expect(read(headers)?.rateLimit).toMatchObject({
      limit: 60,
      remaining: 4,
      window: 'minute',
      plan: 'free',
    });
    expect(read({ ratelimit: 'limit=60, remaining=4, reset=5' })).toMatchObject({ untilResetMs: 5_000 });
  });

  test('draft 8 names both windows', () => {
    const headers = {
      ratelimit: '"a, b; c"; r=44; t=50, day; r=3; t=3000',
      'ratelimit-policy': '"a, b; c"; q=60; w=60; pk=:MTJjYTE3YjQ5YWYy:, day; q=1000; w=86400',
    };
    const both = read(headers);
    expect(both?.rateLimit).toMatchObject({ limit: 1_000, remaining: 3, window: 'day', plan: 'free' });
    expect(both?.others).toMatchObject([
      { rateLimit: { limit: 60, remaining: 44, window: 'minute', plan: 'free' }, windowMs: 60_000 },
    ]);
  });

  test.each([
    [{ ratelimit: '"a"; r=4; t=5' }],
    [{ ratelimit: '"a"; r=4', 'ratelimit-policy': '"a"; q=5; w=5' }],
    [{ ratelimit: '"a"; r=4; t=5', 'ratelimit-policy': '"b"; q=5; w=5' }],
    [{ ratelimit: 'limit=5, remaining=4' }],
    [{ ratelimit: '"a' }],
    [{ 'ratelimit-limit': '5', 'ratelimit-remaining': '4' }],
  ])('%j can’t be read', (headers) => {
    expect(read(headers)).toBeUndefined();
  });

  test('do not count next to readable X-RateLimit headers', () => {
    expect(read({ ...x('60', '5', '30'), ratelimit: 'limit=9, remaining=4, reset=5' })?.rateLimit.limit).toBe(
      60,
    );
    expect(read({ ...x('60', '5', '?'), ratelimit: 'limit=9, remaining=4, reset=5' })?.rateLimit.limit).toBe(
      9,
    );
  });
});

describe('limits with a name', () => {
  const named = (
    scope: string,
    suffix: string,
    values: readonly [string, string, string],
  ): LimiterHeaders => {
    const entries = ['limit', 'remaining', 'reset'].map((part, index) => [
      `x-ratelimit-${scope}${part}${suffix}`,
      values[index]!,
    ]);
    return Object.fromEntries(entries) as LimiterHeaders;
  };

  test('are windows', () => {
    const both = read({
      ...named('user', '', ['300', '299', '60']),
      ...named('path', '', ['50', '9', '60']),
    });
    expect(both?.rateLimit).toMatchObject({ limit: 50, remaining: 9 });
    expect(both?.others).toMatchObject([{ rateLimit: { limit: 300, remaining: 299 } }]);
    expect(read(named('', '-requests', ['60', '5', '30']))?.rateLimit.limit).toBe(60);
  });

  test('do not count if one header is missing, or next to plain headers', () => {
    expect(read(named('', '-tokens', ['60', '5', '6m0s']))).toBeUndefined();
    expect(read({ 'x-ratelimit-limit-short': '60', 'x-ratelimit-remaining-short': '5' })).toBeUndefined();
    expect(read({ ...x('60', '5', '30'), ...named('', '-long', ['9', '4', '30']) })?.others).toBeUndefined();
  });
});

describe('limiters', () => {
  const QUOTA = { limit: 5, windowMs: 60_000 };

  test.each(ZOO.filter(({ shows }) => shows === 'window').map((kind) => [kind.name, kind] as const))(
    'the limit of %s is read',
    (name, kind) => {
      const limiter = createLimiter(kind, QUOTA);
      const stages = kind.stages(QUOTA);
      const at = NOW + 345;
      // The last stage writes the headers of a 200; draft 8 appends.
      const counts = stages.map(({ counter }) => counter.count(at));
      const shown = read(limiter.handle(at).headers);
      const windows = [shown, ...(shown?.others ?? [])].map((window) => window?.rateLimit);
      expect(windows.length).toBe(/draft 8|two throttlers/.test(name) ? stages.length : 1);
      for (const window of windows) {
        const index = stages.findIndex(({ quota }) => quota.limit === window?.limit);
        expect(window?.remaining).toBe(counts[index]?.remaining);
        expect(Math.abs((window?.resetAt ?? 0) - (counts[index]?.resetAt ?? 0))).toBeLessThanOrEqual(1_000);
      }
    },
  );
});

test('long and hostile values take no long time', () => {
  const commas = ','.repeat(16_000);
  const quotes = '",'.repeat(8_000);
  const numbers = '60, '.repeat(4_000) + '60';
  for (const value of [commas, quotes, numbers]) {
    read(x(value, value, value));
    read({ ratelimit: value, 'ratelimit-policy': value });
  }
  expect(read(x(numbers, numbers, numbers))?.rateLimit.limit).toBe(60);
});
