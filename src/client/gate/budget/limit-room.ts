import { inferPlan, type RateLimitValues } from '../../../schema/rate-limit.js';
import { type Budget, type KnownLimit, type OpenWindow } from './budget.js';
import { countOf, freeAt, passesOf, rateOf } from './passes.js';

/**
 * The rules of one limit. While a response shows its window, it has as many requests left as the lowest response reported,
 * minus the requests in flight. The service may not have counted those yet. Otherwise the client counts its own requests.
 * Each decision uses the current numbers, so all requests of a window get used.
 */

/** The reason why a request has to wait. Without `until`, it waits for the response to another request. */
export interface Obstacle {
  reason: 'rate-limited' | 'paced';
  /** When the wait ends. */
  until?: number;
  /** The part of `until` that the service requires. Never after `until`. */
  retryAfterUntil?: number;
  /** When to check again if no response arrives. */
  recheckAt?: number;
  /** Whether the client only guesses `until`: the service has named no time. No call is rejected because of it. */
  isGuess?: boolean;
  /** The limit that is used up. */
  rateLimit?: RateLimitValues;
}

/** A request in flight for longer than this and the length of the window no longer counts for a limit. */
const HANGING_MS = 2_000;
/** If others use the key, leave them the requests that they will probably send within this time. */
const FOREIGN_AHEAD_MS = 1_000;
/** Maximum share of the limit to leave to others for this reason. At least one request. */
const FOREIGN_SHARE_MAX = 0.02;

/** What a limit allows a caller. */
export interface Room {
  /** Requests left in the window, those in flight included. */
  left: number;
  /** How many of them may be sent now. */
  free: number;
}

/** Returns what a limit allows the callers of a level now. */
export function roomOf(state: Budget, known: KnownLimit, now: number, level: number): Room {
  const { open } = known;
  if (open !== undefined) {
    const left = requestsLeft(open) - reservedRequests(open, now, level);
    return { left, free: inFlightMax(open, left) - state.inFlight };
  }
  const left = allowedOf(known, level) - countOf(passesOf(state, known, now));
  const free = Math.max(inFlightMax(NO_FOREIGN, left), minimumOf(known));
  return { left, free: free - (now < inFlightUntil(state, known) ? state.inFlight : 0) };
}

/** Returns why a limit allows no request now. */
export function obstacleOf(
  state: Budget,
  known: KnownLimit,
  { left }: Room,
  now: number,
  level: number,
): Obstacle {
  const { open, source } = known;
  if (open !== undefined) {
    const { endsAt: until } = open;
    const remaining = Math.max(0, requestsLeft(open) - state.inFlight);
    const rateLimit = { ...open.rateLimit, remaining };
    // Requests in flight use up the rest. Their responses may show that more requests are left.
    if (left > 0) return { reason: 'paced', rateLimit, recheckAt: until };
    return { reason: 'paced', until, retryAfterUntil: until, rateLimit };
  }
  if (left > 0 || minimumOf(known) > 0) return { reason: 'paced', recheckAt: inFlightUntil(state, known) };
  const until = freeAt(state, known, now, allowedOf(known, level));
  const rateLimit = shownOf(known, until);
  if (source !== 'plan') return { reason: 'paced', until, isGuess: true, rateLimit };
  return { reason: 'paced', until, retryAfterUntil: until, rateLimit };
}

/**
 * Returns the earliest time that a limit allows for a caller with `ahead` other callers before it. `undefined` if that may
 * be in the current window.
 */
export function turnOf(
  state: Budget,
  known: KnownLimit,
  now: number,
  level: number,
  ahead: number,
): { until: number; rateLimit: RateLimitValues } | undefined {
  const { open } = known;
  if (open !== undefined) {
    const { rateLimit } = open;
    const reserved = reservedRequests(open, now, level);
    const excess = ahead - Math.max(0, requestsLeft(open) - reserved);
    if (excess < 0) return undefined;
    // Only a published plan says how long the next windows are.
    const laterWindows =
      rateLimit.plan === undefined ? 0 : Math.floor(excess / Math.max(1, rateLimit.limit - reserved));
    const until = open.endsAt + laterWindows * (rateLimit.window === 'day' ? 86_400_000 : 60_000);
    return { until, rateLimit: { ...rateLimit, remaining: 0 } };
  }
  // The end of a guessed window is unknown, and that of a day of a plan.
  if (known.source !== 'plan' || minimumOf(known) > 0) return undefined;
  const allowed = allowedOf(known, level);
  if (ahead < allowed - countOf(passesOf(state, known, now))) return undefined;
  const wanted = ahead % allowed;
  const laterWindows = Math.floor(ahead / allowed);
  const until = freeAt(state, known, now, allowed, wanted + 1) + laterWindows * known.lengthMs;
  return { until, rateLimit: shownOf(known, until) };
}

const NO_FOREIGN = { foreignCount: 0, ownCount: 0 };

function inFlightUntil({ sentAt }: Budget, { lengthMs }: KnownLimit): number {
  return sentAt + Math.max(lengthMs, HANGING_MS);
}

/** A reserve leaves at least one request, so that a wait for it ends. */
function allowedOf(known: KnownLimit, level: number): number {
  const { limit } = rateOf(known);
  return Math.max(1, limit - reserveOf(limit, level));
}

/**
 * Returns how many requests a limit always allows: one for the day of a plan that no response has shown. No one has named
 * its end, and a wrong one would block the client for hours. Its 429 response names the end.
 */
function minimumOf({ source, window }: KnownLimit): number {
  return source === 'plan' && window === 'day' ? 1 : 0;
}

function shownOf({ limit, window }: KnownLimit, resetAt: number): RateLimitValues {
  const plan = inferPlan(limit, window);
  return { limit, remaining: 0, resetAt, ...(window && { window }), ...(plan && { plan }) };
}

function reserveOf(limit: number, level: number): number {
  return Math.ceil((limit * level) / 100);
}

function requestsLeft({ remaining, unconfirmed }: OpenWindow): number {
  return remaining - unconfirmed.length;
}

/**
 * Returns how many requests may be in flight: half of those left, so that the last ones are sent one at a time. Fewer
 * if others use the key, because their requests are in flight as well.
 */
function inFlightMax(
  { foreignCount, ownCount }: Pick<OpenWindow, 'foreignCount' | 'ownCount'>,
  left: number,
): number {
  if (left <= 0) return 0;
  const divisor = 1 + Math.max(1, foreignCount / Math.max(1, ownCount));
  return Math.max(1, Math.floor((left + 1) / divisor));
}

/** Returns how many requests this caller must leave to others: its reserve, or those that others will soon send. */
function reservedRequests(window: OpenWindow, now: number, level: number): number {
  const { limit } = window.rateLimit;
  const reserve = reserveOf(limit, level);
  const perMs = window.foreignCount / Math.max(1, now - window.firstAt);
  const foreignMax = Math.max(1, Math.floor(limit * FOREIGN_SHARE_MAX));
  return Math.max(reserve, Math.min(foreignMax, Math.ceil(perMs * FOREIGN_AHEAD_MS)));
}
