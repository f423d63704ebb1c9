import type { RateLimitValues } from '../../../schema/rate-limit.js';
import { type Budget, UNPACED } from './budget.js';
import { type Obstacle, obstacleOf, roomOf, turnOf } from './limit-room.js';
import { simultaneousMax } from './slow-start.js';

/**
 * Pure rules that decide whether a request may be sent. budget-counting.ts updates the `Budget`, and limit-room.ts has the
 * rules of one limit.
 */

/** A request without a response for this long may be lost: another one may be sent. */
const LOST_AFTER_MS = 2_000;

/**
 * Returns why the next request has to wait, or `undefined` if it may be sent.
 *
 * @param level see `GateRequest`. An obstacle for one level is also an obstacle for all higher levels.
 */
export function findObstacle(state: Budget, now: number, level: number): Obstacle | undefined {
  dropEndedWindows(state, now);
  if (now < state.heldUntil) {
    const usedUp = level === UNPACED ? undefined : findUsedUpLimit(state, now, level);
    // A guess must not hide the wait that the service named.
    const isNamed = usedUp?.isGuess !== true || now >= state.retryAfterUntil;
    // If the window ends after the hold, report the longer wait at once.
    if (isNamed && usedUp?.until !== undefined && usedUp.until > state.heldUntil)
      return { ...usedUp, reason: 'rate-limited' };
    return describeHold(state, now);
  }
  if (state.consecutive429Count > 0 && state.inFlight > 0) return { reason: 'rate-limited' };
  if (level === UNPACED) return undefined;
  if (simultaneousLeft(state, now) <= 0) return { reason: 'paced', recheckAt: state.sentAt + LOST_AFTER_MS };
  return findUsedUpLimit(state, now, level);
}

/** Returns how many requests may be sent now. */
export function availableRequests(state: Budget, now: number, level: number): number {
  if (findObstacle(state, now, level) !== undefined) return 0;
  if (state.consecutive429Count > 0) return 1;
  if (level === UNPACED) return Number.POSITIVE_INFINITY;
  const free = state.limits.map((known) => roomOf(state, known, now, level).free);
  return Math.max(0, Math.min(simultaneousLeft(state, now), ...free));
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
  if (level === UNPACED) return undefined;
  return state.limits
    .flatMap((known) => turnOf(state, known, now, level, ahead) ?? [])
    .reduce<ReturnType<typeof earliestTurn>>(
      (latest, turn) => (latest === undefined || turn.until > latest.until ? turn : latest),
      undefined,
    );
}

/** Checks whether no request is in flight and none would have to wait. */
export function isIdle(state: Budget, now: number): boolean {
  return state.consecutive429Count === 0 && state.inFlight === 0 && findObstacle(state, now, 0) === undefined;
}

/** Drops windows that have ended. The next window is unknown until the response to a probe. */
export function dropEndedWindows(state: Budget, now: number): void {
  let hasEnded = false;
  for (const known of state.limits) {
    if (known.open === undefined || now < known.open.endsAt) continue;
    hasEnded = true;
    // The client opens the next window itself, with its whole limit.
    known.since = known.open.endsAt;
    known.open = undefined;
  }
  if (!hasEnded || state.unknownSince !== undefined) return;
  // A request of the ended window is not a probe, so it does not block probes if it hangs.
  state.unknownSince = state.sentCount;
  state.probesMax = 1;
  state.probesInFlight = 0;
}

/** Returns how many more requests may be in flight at once: of probes while the window is unknown, and of all requests. */
function simultaneousLeft(state: Budget, now: number): number {
  const { inFlight, unknownSince, probesMax, probesInFlight, sentAt } = state;
  const probes = unknownSince === undefined ? Number.POSITIVE_INFINITY : probesMax - probesInFlight;
  const left = Math.min(probes, simultaneousMax(state) - inFlight);
  return left <= 0 && now >= sentAt + LOST_AFTER_MS ? 1 : left;
}

function describeHold({ heldUntil, retryAfterUntil, rateLimit }: Budget, now: number): Obstacle {
  const hold: Obstacle = { reason: 'rate-limited', until: heldUntil, retryAfterUntil };
  if (retryAfterUntil <= now) hold.isGuess = true;
  // The service rejected a request since it sent these headers, so no request remains.
  return rateLimit === undefined ? hold : { ...hold, rateLimit: { ...rateLimit, remaining: 0 } };
}

/** Returns the longest obstacle of the limits. */
function findUsedUpLimit(state: Budget, now: number, level: number): Obstacle | undefined {
  let longest: Obstacle | undefined;
  for (const known of state.limits) {
    // After the wait of a 429 response, one request goes first: what the service named counts more than a guess.
    if (state.consecutive429Count > 0 && known.source === 'learned' && known.open === undefined) continue;
    const room = roomOf(state, known, now, level);
    if (room.free > 0) continue;
    const found = obstacleOf(state, known, room, now, level);
    if (longest === undefined || (found.until ?? 0) > (longest.until ?? 0)) longest = found;
  }
  return longest;
}
