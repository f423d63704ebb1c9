import { dateAt, inferPlan, type RateLimit } from '../../../schema/rate-limit.js';
import { type Budget, type KnownLimit, UNPACED, type WindowSource } from './budget.js';
import { findObstacle } from './obstacle.js';
import { countOf, passesOf, rateOf } from './passes.js';

/** The rate budget of a key, as far as it is known. */
export interface KnownBudget {
  /** The windows that have not ended, sorted by reset time. */
  windows: readonly RateLimitWindow[];
  /** Milliseconds until requests may be sent again after a 429 response. 0 if they may be sent now. */
  heldForMs: number;
  /** The part of `heldForMs` that the service named. 0 if it named no time: the client then backs off. */
  retryAfterMs: number;
}

/** A rate limit window. */
export interface RateLimitWindow extends Omit<RateLimit, 'resetAt'> {
  source: WindowSource;
  /** Requests left, minus the requests of this client that no response has counted yet. */
  remaining: number;
  /** When the window ends, by the service's clock. Absent if the service has not named this time. */
  resetAt?: Date;
  /** Milliseconds until the reset, by a monotonic clock. Without `resetAt`, until the client expects it. */
  resetsInMs: number;
  /** Length of the window in milliseconds, if `source` is `plan` or `learned`. The client counts requests over it. */
  lengthMs?: number;
}

/** Summarises a budget for `PetStore.budget()`. Rounds up, so that a caller who waits is never too early. */
export function knownBudget(state: Budget, now: number): KnownBudget {
  const { until, retryAfterUntil } = findObstacle(state, now, UNPACED) ?? {};
  const windows = state.limits
    // A limit that responses usually show is left out until the next one shows it.
    .filter(({ open, source }) => open !== undefined || source !== 'response')
    .map((known) => windowOf(state, known, now))
    .sort((one, other) => one.resetsInMs - other.resetsInMs);
  const msUntil = (time = now): number => Math.max(0, Math.ceil(time - now));
  return { windows, heldForMs: msUntil(until), retryAfterMs: msUntil(retryAfterUntil) };
}

function windowOf(state: Budget, known: KnownLimit, now: number): RateLimitWindow {
  const { open, source, window } = known;
  if (open !== undefined) {
    const { remaining, unconfirmed, endsAt, rateLimit } = open;
    return {
      ...rateLimit,
      source: 'response',
      remaining: Math.max(0, remaining - unconfirmed.length - state.inFlight),
      resetAt: dateAt(rateLimit.resetAt),
      resetsInMs: Math.ceil(endsAt - now),
    };
  }
  const { limit, lengthMs } = rateOf(known);
  const passes = passesOf(state, known, now);
  const endsAt = (passes.at(-1)?.until ?? now) + lengthMs;
  const plan = inferPlan(limit, window);
  return {
    limit,
    source,
    remaining: Math.max(0, limit - countOf(passes) - state.inFlight),
    // Passes are counted in whole milliseconds, rounded up.
    resetsInMs: Math.min(lengthMs, Math.ceil(endsAt - now)),
    lengthMs,
    ...(window && { window }),
    ...(plan && { plan }),
  };
}
