import { inferPlan, type RateLimitValues } from '../../../schema/rate-limit.js';
import { type Budget, type CountedWindow, type KnownLimit, UNPACED } from './budget.js';
import { countingLimits, countOf, findNamedLimit, freeAt, passesOf, rateOf } from './passes.js';
import { simultaneousMax } from './slow-start.js';

/**
 * Pure rules that decide whether a request may be sent. budget-counting.ts updates the `Budget`.
 *
 * The main rule: a window has as many requests left as the lowest response reported, minus the requests in flight. The
 * service may not have counted those yet. Each decision uses the current numbers, so all requests of a window get used.
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

/** A probe without a response for this long may be lost: another one may be sent. */
const PROBE_TIMEOUT_MS = 2_000;
/** If others use the key, leave them the requests that they will probably send within this time. */
const FOREIGN_AHEAD_MS = 1_000;
/** Maximum share of the limit to leave to others for this reason. At least one request. */
const FOREIGN_SHARE_MAX = 0.02;

/**
 * Returns why the next request has to wait, or `undefined` if it may be sent.
 *
 * @param level see `GateRequest`. An obstacle for one level is also an obstacle for all higher levels.
 */
export function findObstacle(state: Budget, now: number, level: number): Obstacle | undefined {
  dropEndedWindows(state, now);
  if (now < state.heldUntil) {
    const usedUp = level === UNPACED ? undefined : findUsedUpWindow(state, now, level);
    // A guess must not hide the wait that the service named.
    const isNamed = usedUp?.isGuess !== true || now >= state.retryAfterUntil;
    // If the window ends after the hold, report the longer wait at once.
    if (isNamed && usedUp?.until !== undefined && usedUp.until > state.heldUntil)
      return { ...usedUp, reason: 'rate-limited' };
    return describeHold(state, now);
  }
  if (state.consecutive429Count > 0 && state.inFlight > 0) return { reason: 'rate-limited' };
  if (level === UNPACED) return undefined;
  if (probesLeft(state, now) <= 0) return { reason: 'paced', recheckAt: state.probedAt + PROBE_TIMEOUT_MS };
  const simultaneous = simultaneousLeft(state, now);
  if (simultaneous <= 0) return { reason: 'paced', recheckAt: state.sentAt + PROBE_TIMEOUT_MS };
  return findUsedUpWindow(state, now, level);
}

/** Returns how many requests may be sent now. */
export function availableRequests(state: Budget, now: number, level: number): number {
  if (findObstacle(state, now, level) !== undefined) return 0;
  if (state.consecutive429Count > 0) return 1;
  if (level === UNPACED) return Number.POSITIVE_INFINITY;
  let available = Math.min(probesLeft(state, now), simultaneousLeft(state, now));
  for (const window of state.windows) {
    const left = requestsLeft(window) - reservedRequests(window, now, level);
    available = Math.min(available, inFlightMax(window, left) - state.inFlight);
  }
  for (const known of countingLimits(state)) {
    const left = countedLeft(state, known, now, level);
    available = Math.min(
      available,
      Math.max(inFlightMax(NO_FOREIGN, left), minimumOf(known)) - inFlightIn(state, known, now),
    );
  }
  return Math.max(0, available);
}

/**
 * Returns the earliest time for a caller with `ahead` other callers before it. `undefined` if its turn may be in the
 * current window.
 */
export function earliestTurn(
  state: Budget,
  now: number,
  level: number,
  ahead: number,
): { until: number; rateLimit: RateLimitValues } | undefined {
  let latest: { until: number; rateLimit: RateLimitValues } | undefined;
  if (level === UNPACED) return undefined;
  for (const window of state.windows) {
    const reserved = reservedRequests(window, now, level);
    const excess = ahead - Math.max(0, requestsLeft(window) - reserved);
    if (excess < 0) continue;
    const { rateLimit } = window;
    // Only a published plan says how long the next windows are.
    const laterWindows =
      rateLimit.plan === undefined ? 0 : Math.floor(excess / Math.max(1, rateLimit.limit - reserved));
    const until = window.endsAt + laterWindows * (rateLimit.window === 'day' ? 86_400_000 : 60_000);
    if (latest === undefined || until > latest.until)
      latest = { until, rateLimit: { ...rateLimit, remaining: 0 } };
  }
  for (const known of countingLimits(state)) {
    // The end of a guessed window is unknown, and that of a day of a plan.
    if (known.source !== 'plan' || minimumOf(known) > 0) continue;
    const allowed = allowedOf(known, level);
    if (ahead < allowed - countOf(passesOf(state, known, now))) continue;
    const wanted = ahead % allowed;
    const laterWindows = Math.floor(ahead / allowed);
    const until = freeAt(state, known, now, allowed, wanted + 1) + laterWindows * known.lengthMs;
    if (latest === undefined || until > latest.until) latest = { until, rateLimit: shownOf(known, until) };
  }
  return latest;
}

/** Checks whether no request is in flight and none would have to wait. */
export function isIdle(state: Budget, now: number): boolean {
  return state.consecutive429Count === 0 && state.inFlight === 0 && findObstacle(state, now, 0) === undefined;
}

/** Drops windows that have ended. The next window is unknown until the response to a probe. */
export function dropEndedWindows(state: Budget, now: number): void {
  const open = state.windows.filter(({ endsAt }) => now < endsAt);
  if (open.length === state.windows.length) return;
  // The client opens the next window itself, with its whole limit.
  for (const { endsAt, rateLimit } of state.windows) {
    const known = findNamedLimit(state, rateLimit.limit);
    if (known !== undefined && now >= endsAt) known.since = endsAt;
  }
  state.windows = open;
  if (state.unknownSince !== undefined) return;
  // A request of the ended window is not a probe, so it does not block probes if it hangs.
  state.unknownSince = state.sentCount;
  state.probesMax = 1;
  state.probesInFlight = 0;
}

/** Returns how many probes may be sent. Infinite if the window is known. */
function probesLeft({ unknownSince, probesMax, probesInFlight, probedAt }: Budget, now: number): number {
  if (unknownSince === undefined) return Number.POSITIVE_INFINITY;
  if (probesInFlight < probesMax) return probesMax - probesInFlight;
  return now >= probedAt + PROBE_TIMEOUT_MS ? 1 : 0;
}

/** Returns how many more requests may be in flight at once. */
function simultaneousLeft(state: Budget, now: number): number {
  const left = simultaneousMax(state) - state.inFlight;
  return left <= 0 && now >= state.sentAt + PROBE_TIMEOUT_MS ? 1 : left;
}

function describeHold({ heldUntil, retryAfterUntil, rateLimit }: Budget, now: number): Obstacle {
  const hold: Obstacle = { reason: 'rate-limited', until: heldUntil, retryAfterUntil };
  if (retryAfterUntil <= now) hold.isGuess = true;
  // The service rejected a request since it sent these headers, so no request remains.
  return rateLimit === undefined ? hold : { ...hold, rateLimit: { ...rateLimit, remaining: 0 } };
}

function findUsedUpWindow(state: Budget, now: number, level: number): Obstacle | undefined {
  let obstacle: Obstacle | undefined;
  for (const window of state.windows) {
    const { endsAt } = window;
    const left = requestsLeft(window) - reservedRequests(window, now, level);
    if (state.inFlight < inFlightMax(window, left)) continue;
    const remaining = Math.max(0, requestsLeft(window) - state.inFlight);
    const rateLimit = { ...window.rateLimit, remaining };
    // Requests in flight use up the rest. Their responses may show that more requests are left.
    if (left > 0) obstacle ??= { reason: 'paced', rateLimit, recheckAt: endsAt };
    else if (obstacle?.until === undefined || endsAt > obstacle.until) {
      obstacle = { reason: 'paced', until: endsAt, retryAfterUntil: endsAt, rateLimit };
    }
  }
  for (const known of countingLimits(state)) {
    const counted = findUsedUpLimit(state, known, now, level);
    if (counted === undefined) continue;
    if (obstacle?.until === undefined || (counted.until ?? 0) > obstacle.until) obstacle = counted;
  }
  return obstacle;
}

const NO_FOREIGN = { foreignCount: 0, ownCount: 0 };

/** Returns why a limit allows no request, if no response shows its window. */
function findUsedUpLimit(state: Budget, known: KnownLimit, now: number, level: number): Obstacle | undefined {
  // After the wait of a 429 response, one request goes first: what the service named counts more than a guess.
  if (state.consecutive429Count > 0 && known.source === 'learned') return undefined;
  const left = countedLeft(state, known, now, level);
  const inFlight = inFlightIn(state, known, now);
  if (inFlight < Math.max(inFlightMax(NO_FOREIGN, left), minimumOf(known))) return undefined;
  if (left > 0 || minimumOf(known) > 0) return { reason: 'paced', recheckAt: inFlightUntil(state, known) };
  const until = freeAt(state, known, now, allowedOf(known, level));
  const rateLimit = shownOf(known, until);
  if (known.source !== 'plan') return { reason: 'paced', until, isGuess: true, rateLimit };
  return { reason: 'paced', until, retryAfterUntil: until, rateLimit };
}

/** Returns how many requests in flight count for a limit: none that hang longer than its window. */
function inFlightIn(state: Budget, known: KnownLimit, now: number): number {
  return now < inFlightUntil(state, known) ? state.inFlight : 0;
}

function inFlightUntil({ sentAt }: Budget, { lengthMs }: KnownLimit): number {
  return sentAt + Math.max(lengthMs, PROBE_TIMEOUT_MS);
}

/** A reserve leaves at least one request, so that a wait for it ends. */
function allowedOf(known: KnownLimit, level: number): number {
  const { limit } = rateOf(known);
  return Math.max(1, limit - reserveOf(limit, level));
}

function countedLeft(state: Budget, known: KnownLimit, now: number, level: number): number {
  return allowedOf(known, level) - countOf(passesOf(state, known, now));
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

function requestsLeft({ remaining, unconfirmed }: CountedWindow): number {
  return remaining - unconfirmed.length;
}

/**
 * Returns how many requests may be in flight: half of those left, so that the last ones are sent one at a time. Fewer
 * if others use the key, because their requests are in flight as well.
 */
function inFlightMax(
  { foreignCount, ownCount }: Pick<CountedWindow, 'foreignCount' | 'ownCount'>,
  left: number,
): number {
  if (left <= 0) return 0;
  const divisor = 1 + Math.max(1, foreignCount / Math.max(1, ownCount));
  return Math.max(1, Math.floor((left + 1) / divisor));
}

/** Returns how many requests this caller must leave to others: its reserve, or those that others will soon send. */
function reservedRequests(window: CountedWindow, now: number, level: number): number {
  const { limit } = window.rateLimit;
  const reserve = reserveOf(limit, level);
  const perMs = window.foreignCount / Math.max(1, now - window.firstAt);
  const foreignMax = Math.max(1, Math.floor(limit * FOREIGN_SHARE_MAX));
  return Math.max(reserve, Math.min(foreignMax, Math.ceil(perMs * FOREIGN_AHEAD_MS)));
}
