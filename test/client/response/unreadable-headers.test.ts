import { expect, test } from 'vitest';
import { unreadableRateLimitHeaders } from '../../../src/client/response/unreadable-headers.js';
import { createLimiter } from '../../support/limiters/limiter.js';
import { ZOO } from '../../support/limiters/zoo.js';

const NOW = Date.UTC(2026, 10, 28, 16, 38);
const x = (limit: string, remaining: string, reset: string): Record<string, string> => ({
  'x-ratelimit-limit': limit,
  'x-ratelimit-remaining': remaining,
  'x-ratelimit-reset': reset,
});

test.each<[headers: Record<string, string>, lines: string[]]>([
  [{ 'content-type': 'application/json' }, []],
  [x('60', '5', '30'), []],
  [{ 'retry-after': '5' }, []],
  [{ 'retry-after': 'soon' }, ['Retry-After: soon']],
  [x('60', '5', 'soon'), ['X-RateLimit-Reset: soon']],
  [x('60, x', '5', 'soon'), ['X-RateLimit-Limit: 60, x', 'X-RateLimit-Reset: soon']],
  // Each alone can be read.
  [x('60', '61', '30'), ['X-RateLimit-Limit: 60', 'X-RateLimit-Remaining: 61', 'X-RateLimit-Reset: 30']],
  [{ 'x-ratelimit-limit': '60' }, ['X-RateLimit-Limit: 60']],
  [{ ratelimit: '"a"; r=4; t=5' }, ['RateLimit: "a"; r=4; t=5']],
  [{ 'x-rate-limit-limit': '60' }, ['X-Rate-Limit-Limit: 60']],
  [{ 'retry-after-short': '5' }, []],
  [{ 'retry-after-ms': '5' }, ['Retry-After-ms: 5']],
  [{ 'x-ratelimit-reset-long': '5' }, ['X-RateLimit-Reset-long: 5']],
  // Control characters and long values are made harmless.
  [{ 'x-ratelimit-limit': '6\u001b[31m' }, ['X-RateLimit-Limit: 6^[[31m']],
  [{ 'x-ratelimit-limit': 'x'.repeat(999) }, [`X-RateLimit-Limit: ${'x'.repeat(60)}…`]],
])('of %j, %j can’t be read', (headers, lines) => {
  expect(unreadableRateLimitHeaders(headers)).toEqual(lines);
});

test('all that the limiters send can be read', () => {
  const lines = ZOO.flatMap((kind) => {
    const limiter = createLimiter(kind, { limit: 1, windowMs: 60_000 });
    const responses = [limiter.handle(NOW), limiter.handle(NOW + 1_000)];
    return responses.flatMap(({ headers }) => unreadableRateLimitHeaders(headers));
  });
  expect(lines).toEqual([]);
});
