import { type RateLimit, toRateLimit } from '../../../schema/rate-limit.js';
import { type Budget, UNPACED } from './budget.js';
import { findObstacle } from './obstacle.js';

/** The rate budget of a key, as far as it is known. */
export interface KnownBudget {
  /** The windows that have not ended, sorted by reset time. */
  windows: readonly RateLimitWindow[];
  /** Milliseconds until requests may be sent again after a 429 response. 0 if they may be sent now. */
  heldForMs: number;
}

/** A rate limit window, as last seen. */
export interface RateLimitWindow extends RateLimit {
  /** Requests left, minus the requests of this client that no response has counted yet. */
  remaining: number;
  /** Milliseconds until the reset, by a monotonic clock. */
  resetsInMs: number;
}

/** Summarises a budget for `PetStore.budget()`. Rounds up, so that a caller who waits is never too early. */
export function knownBudget(state: Budget, now: number): KnownBudget {
  const hold = findObstacle(state, now, UNPACED);
  const windows = state.windows.map(({ remaining, unconfirmed, endsAt, rateLimit }) => ({
    ...toRateLimit(rateLimit),
    remaining: Math.max(0, remaining - unconfirmed.length - state.inFlight),
    resetsInMs: Math.ceil(endsAt - now),
  }));
  windows.sort((one, other) => one.resetsInMs - other.resetsInMs);
  return { windows, heldForMs: hold?.until === undefined ? 0 : Math.ceil(hold.until - now) };
}
