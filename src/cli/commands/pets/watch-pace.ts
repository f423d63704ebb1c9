import type { Plan, RateLimit } from '../../../schema/rate-limit.js';

/** When to look again. */
export interface NextLook {
  delayMs: number;
  /** Whether the quota, and not the wish, decided. */
  scarce: boolean;
}

/** Decides how often a list is looked at. */
export interface WatchPace {
  /**
   * @param requests what the last look took.
   * @param rateLimit as the last answer told it.
   * @param now wall time, in milliseconds since the epoch.
   */
  after(requests: number, rateLimit: RateLimit | undefined, now: number): NextLook;
}

/** What is wished for where nobody said otherwise. */
const INTERVAL_DEFAULT_MS = 10_000;
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** Requests a day, by plan (interface specification, "Request rate, by plan"). */
const DAY_LIMITS: Readonly<Record<Plan, number>> = { free: 1_000, pro: 10_000, business: 100_000 };

/**
 * Makes a pace that takes at most half of the quota, because a look that nobody waits for must not keep people from
 * their work: half of each window, and never more than half of what is left of it. While the answers tell of the minute,
 * the day is reckoned with as well, as far as the plan gives it away: a day's quota lasts a day.
 *
 * @param chosenMs the interval that somebody asked for. It is kept, unless not even one look is left.
 */
export function createWatchPace(chosenMs?: number): WatchPace {
  let resetAt = 0;
  let spent = 0;
  return {
    after(requests, rateLimit, now) {
      if (rateLimit === undefined) return { delayMs: chosenMs ?? INTERVAL_DEFAULT_MS, scarce: false };
      spent = rateLimit.resetAt === resetAt ? spent + requests : requests;
      resetAt = rateLimit.resetAt;
      const untilResetMs = untilReset(rateLimit, now);
      if (chosenMs !== undefined) {
        const usedUp = rateLimit.remaining < requests && untilResetMs > chosenMs;
        return { delayMs: usedUp ? untilResetMs : chosenMs, scarce: usedUp };
      }
      const share = Math.min(rateLimit.limit / 2 - spent, rateLimit.remaining / 2);
      const fairMs = Math.max(spread(untilResetMs, share, requests), dayPace(rateLimit, requests));
      return { delayMs: Math.max(INTERVAL_DEFAULT_MS, fairMs), scarce: fairMs > INTERVAL_DEFAULT_MS };
    },
  };
}

/** A clock that is wrong makes no window longer than it is. */
function untilReset({ resetAt, window }: RateLimit, now: number): number {
  return Math.min(Math.max(0, resetAt - now), window === 'minute' ? MINUTE_MS : DAY_MS);
}

/** The interval at which looks use up a share of a window in equal steps; the whole window where it has none for one. */
function spread(windowMs: number, share: number, requests: number): number {
  return Math.ceil(windowMs / Math.max(1, Math.floor(share / requests)));
}

function dayPace({ window, plan }: RateLimit, requests: number): number {
  return window === 'minute' && plan !== undefined ? spread(DAY_MS, DAY_LIMITS[plan] / 2, requests) : 0;
}
