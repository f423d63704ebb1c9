import { NOON } from './virtual-clock.js';

/** What a test can set in the rate limit headers. */
export interface RateLimitFacts {
  limit?: number;
  remaining?: number;
  /** In seconds after `now`, or after the noon at which virtual clocks start. */
  resetInSeconds?: number;
  /** Also sent as the date. */
  now?: number;
}

/** Creates rate limit headers. Default: the Free plan's minute limit, used up, without a date. */
export function rateLimitHeaders({
  limit = 60,
  remaining = 0,
  resetInSeconds = 60,
  now,
}: RateLimitFacts = {}): Record<string, string> {
  return {
    ...(now !== undefined && { date: new Date(now).toUTCString() }),
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String((now ?? NOON) / 1_000 + resetInSeconds),
  };
}
