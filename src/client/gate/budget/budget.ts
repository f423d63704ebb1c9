import type { RateLimit } from '../../../schema/rate-limit.js';
import type { BudgetState, CountedWindow } from './budget-state.js';

/**
 * Decides whether a request may be sent: pure rules over a `BudgetState`. budget-counting.ts updates the state.
 *
 * The main rule: take the fewest requests that any response had left, less the requests in flight, because the service
 * may not have counted those yet. Both numbers are read again for each request, so the last request of a window is used
 * too.
 */

/** Why a request has to wait. Without `until` it waits for the response to another request. */
export interface Obstacle {
  reason: 'rate-limited' | 'paced';
  /** When it ends. */
  until?: number;
  /** The part of `until` that the service requires. Never after `until`. */
  retryAfterUntil?: number;
  /** When to check again if no response arrives. */
  recheckAt?: number;
  /** The limit that is used up. */
  rateLimit?: RateLimit;
}

/** Priority level of a caller that is not paced: only a 429 response holds it back. */
export const UNPACED = -1;

/**
 * Returns the priority level of a caller: the share of each limit, in percent, that it leaves to others. Lower levels go
 * first.
 */
export function priorityLevel({
  pace,
  reservePercent = 0,
}: {
  pace: boolean;
  reservePercent?: number | undefined;
}): number {
  return pace ? reservePercent : UNPACED;
}

/** A probe without a response for this long may be lost: another one may be sent. */
const PROBE_TIMEOUT_MS = 2_000;
/** If others use the key, leave them what they are likely to send within this time. */
const FOREIGN_AHEAD_MS = 1_000;
/** Leave them at most this share of the limit, or one request. */
const FOREIGN_SHARE_MAX = 0.02;

/**
 * Returns why the next request has to wait, or `undefined` if it may be sent.
 *
 * @param level see `priorityLevel`. What holds back one level also holds back all levels above it.
 */
export function findObstacle(state: BudgetState, now: number, level: number): Obstacle | undefined {
  dropEndedWindows(state, now);
  if (now < state.heldUntil) {
    const usedUp = level === UNPACED ? undefined : findUsedUpWindow(state, now, level);
    // If the window ends after the hold, report the longer wait at once.
    if (usedUp?.until !== undefined && usedUp.until > state.heldUntil)
      return { ...usedUp, reason: 'rate-limited' };
    return describeHold(state);
  }
  if (state.consecutive429Count > 0 && state.inFlight > 0) return { reason: 'rate-limited' };
  if (level === UNPACED) return undefined;
  if (probesLeft(state, now) <= 0) return { reason: 'paced', recheckAt: state.probedAt + PROBE_TIMEOUT_MS };
  return findUsedUpWindow(state, now, level);
}

/** Returns how many requests may be sent at once. */
export function availableRequests(state: BudgetState, now: number, level: number): number {
  if (findObstacle(state, now, level) !== undefined) return 0;
  if (state.consecutive429Count > 0) return 1;
  if (level === UNPACED) return Number.POSITIVE_INFINITY;
  let available = probesLeft(state, now);
  for (const window of state.windows) {
    const left = requestsLeft(window) - reservedRequests(window, now, level);
    available = Math.min(available, inFlightMax(window, left) - state.inFlight);
  }
  return Math.max(0, available);
}

/**
 * Returns the earliest time for a caller with `ahead` other callers before it, or `undefined` if that may be within the
 * current window.
 */
export function earliestTurn(
  state: BudgetState,
  now: number,
  level: number,
  ahead: number,
): { until: number; rateLimit: RateLimit } | undefined {
  let latest: { until: number; rateLimit: RateLimit } | undefined;
  if (level === UNPACED) return latest;
  for (const window of state.windows) {
    const reserved = reservedRequests(window, now, level);
    const excess = ahead - Math.max(0, requestsLeft(window) - reserved);
    if (excess < 0) continue;
    const { rateLimit } = window;
    const laterWindows = Math.floor(excess / Math.max(1, rateLimit.limit - reserved));
    const until = window.endsAt + laterWindows * (rateLimit.window === 'day' ? 86_400_000 : 60_000);
    if (latest === undefined || until > latest.until) latest = { until, rateLimit };
  }
  return latest;
}

/** Whether nothing is in flight and nothing is held back. */
export function isIdle(state: BudgetState, now: number): boolean {
  return state.consecutive429Count === 0 && state.inFlight === 0 && findObstacle(state, now, 0) === undefined;
}

/** Drops windows that have ended. The current window is then unknown until a probe returns. */
export function dropEndedWindows(state: BudgetState, now: number): void {
  const { windows } = state;
  for (let index = windows.length - 1; index >= 0; index -= 1) {
    const window = windows[index];
    if (window === undefined || now < window.endsAt) continue;
    windows.splice(index, 1);
    if (state.unknownSince !== undefined) continue;
    // A request of the ended window is no probe, so a hanging one blocks none.
    state.unknownSince = state.sentCount;
    state.probesMax = 1;
    state.probesInFlight = 0;
  }
}

/** How many probes may be sent. No limit if the window is known. */
function probesLeft({ unknownSince, probesMax, probesInFlight, probedAt }: BudgetState, now: number): number {
  if (unknownSince === undefined) return Number.POSITIVE_INFINITY;
  if (probesInFlight < probesMax) return probesMax - probesInFlight;
  return now >= probedAt + PROBE_TIMEOUT_MS ? 1 : 0;
}

function describeHold({ heldUntil, retryAfterUntil, rateLimit }: BudgetState): Obstacle {
  const hold: Obstacle = { reason: 'rate-limited', until: heldUntil, retryAfterUntil };
  return rateLimit === undefined ? hold : { ...hold, rateLimit };
}

function findUsedUpWindow(state: BudgetState, now: number, level: number): Obstacle | undefined {
  let obstacle: Obstacle | undefined;
  for (const window of state.windows) {
    const { endsAt, rateLimit } = window;
    const left = requestsLeft(window) - reservedRequests(window, now, level);
    if (state.inFlight < inFlightMax(window, left)) continue;
    // The responses to the last requests decide whether there is more, before the window ends.
    if (left > 0) obstacle ??= { reason: 'paced', rateLimit, recheckAt: endsAt };
    else if (obstacle?.until === undefined || endsAt > obstacle.until) {
      obstacle = { reason: 'paced', until: endsAt, retryAfterUntil: endsAt, rateLimit };
    }
  }
  return obstacle;
}

function requestsLeft({ remaining, unconfirmed }: CountedWindow): number {
  return remaining - unconfirmed.length;
}

/**
 * How many requests may be in flight: half of those left, so that the last ones go one by one, each after the response to
 * the one before. Fewer if others use the key, because their requests are in flight as well.
 */
function inFlightMax({ foreignCount, ownCount }: CountedWindow, left: number): number {
  if (left <= 0) return 0;
  const divisor = 1 + Math.max(1, foreignCount / Math.max(1, ownCount));
  return Math.max(1, Math.floor((left + 1) / divisor));
}

/** Requests of a window that this caller must not use: its reserve, and what others are about to send. */
function reservedRequests(window: CountedWindow, now: number, level: number): number {
  const { limit } = window.rateLimit;
  const reserve = level > 0 ? Math.ceil((limit * level) / 100) : 0;
  if (window.foreignCount === 0) return reserve;
  const perMs = window.foreignCount / Math.max(1, now - window.firstAt);
  const foreignMax = Math.max(1, Math.floor(limit * FOREIGN_SHARE_MAX));
  return Math.max(reserve, Math.min(foreignMax, Math.ceil(perMs * FOREIGN_AHEAD_MS)));
}
