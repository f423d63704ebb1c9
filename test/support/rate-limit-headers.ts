import { NOON } from './virtual-clock.js';

/** What a test may want otherwise in the headers of a rate limit. */
export interface RateLimitFacts {
  limit?: number;
  remaining?: number;
  /** Counted from the noon at which virtual clocks begin. */
  resetInSeconds?: number;
}

/** The headers by which the service tells its rate limit: that of the free plan, used up for a minute, unless told. */
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
