import { NOON } from './virtual-clock.js';

/** What a test can set in the rate limit headers. */
export interface RateLimitFacts {
  limit?: number;
  remaining?: number;
  /** In milliseconds after the noon at which virtual clocks start. */
  resetInSeconds?: number;
}

/** Creates rate limit headers. Default: the Free plan's minute limit, used up. */
export function rateLimitHeaders({
  limit = 60,
  remaining = 0,
  resetInSeconds = 60,
}: RateLimitFacts = {}): Record<string, string> {
  return {
    'x-ratelimit-limit': String(limit),
    'x-ratelimit-remaining': String(remaining),
    'x-ratelimit-reset': String(NOON / 1_000 + resetInSeconds),
  };
}
