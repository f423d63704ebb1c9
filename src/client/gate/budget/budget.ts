import type { RateLimit } from '../../../schema/rate-limit.js';
import type { BudgetState, CountedWindow } from './budget-state.js';
import type { GateRequest } from './gate.js';

/**
 * What may be sent now, from what the answers have told: rules without timers and without I/O over a `BudgetState`. How
 * that is counted is said in budget-counting.ts.
 *
 * The rule that provokes no 429 and wastes no quota: of the fewest requests that an answer said were left, take away
 * those still under way, for the service may not have counted them yet. Both numbers are looked at anew for each
 * request, so the caution lasts only as long as an answer is out, and the last request of a window is used too.
 */

/** What stands in the way. Without `until` it is another request under way, and its answer ends it. */
export interface Obstacle {
  reason: 'rate-limited' | 'paced';
  /** When it ends. */
  until?: number;
  /** The part of it that the service told ends here; never after `until`. */
  toldUntil?: number;
  /** When to look again at the latest, for an answer may not come. */
  lapsesAt?: number;
  /** The limit that is used up. */
  rateLimit?: RateLimit;
}

/** The level of a caller that is not paced: only a 429 holds it. */
export const UNPACED = -1;

/** The level of a caller: the share of each limit, in percent, that it leaves to others. */
export function levelOf({ pace, reservePercent }: Pick<GateRequest, 'pace' | 'reservePercent'>): number {
  return pace ? (reservePercent ?? 0) : UNPACED;
}

/** An answer that takes longer than this may never come: another probe goes. */
const PROBE_PATIENCE_MS = 2_000;
/** Where others use the key, what they may take within this time is left to them: their requests cross with ours. */
const FOREIGN_AHEAD_MS = 1_000;
/** But never more of a window than this share, or one request. */
const FOREIGN_SHARE_MAX = 0.02;

/**
 * What stands in the way of the next request, or `undefined` where it may go.
 *
 * @param level see `levelOf`. What holds one level holds all above it.
 */
export function obstacle(state: BudgetState, now: number, level: number): Obstacle | undefined {
  dropEndedWindows(state, now);
  if (now < state.heldUntil) {
    const usedUp = level === UNPACED ? undefined : usedUpWindow(state, now, level);
    // A hold that ends before the window does would only lead to the next wait: tell of the longer one at once.
    if (usedUp?.until !== undefined && usedUp.until > state.heldUntil)
      return { ...usedUp, reason: 'rate-limited' };
    return held(state);
  }
  if (state.strikes > 0 && state.underWay > 0) return { reason: 'rate-limited' };
  if (level === UNPACED) return undefined;
  if (probesLeft(state, now) <= 0) return { reason: 'paced', lapsesAt: state.probedAt + PROBE_PATIENCE_MS };
  return usedUpWindow(state, now, level);
}

/** How many requests may go at once, as far as is known. */
export function spareRequests(state: BudgetState, now: number, level: number): number {
  if (obstacle(state, now, level) !== undefined) return 0;
  if (state.strikes > 0) return 1;
  if (level === UNPACED) return Number.POSITIVE_INFINITY;
  let spare = probesLeft(state, now);
  for (const window of state.windows)
    spare = Math.min(spare, mayBeOut(window, leftIn(window) - keptBack(window, now, level)) - state.underWay);
  return Math.max(0, spare);
}

/**
 * The earliest moment at which a caller can be served that so many others are served before, as far as that is known:
 * `undefined` where it may be in the present window.
 */
export function earliestAfter(
  state: BudgetState,
  now: number,
  level: number,
  ahead: number,
): { until: number; rateLimit: RateLimit } | undefined {
  let latest: { until: number; rateLimit: RateLimit } | undefined;
  if (level === UNPACED) return latest;
  for (const window of state.windows) {
    const kept = keptBack(window, now, level);
    const excess = ahead - Math.max(0, leftIn(window) - kept);
    if (excess < 0) continue;
    const { rateLimit } = window;
    const windowsMore = Math.floor(excess / Math.max(1, rateLimit.limit - kept));
    const until = window.endsAt + windowsMore * (rateLimit.window === 'day' ? 86_400_000 : 60_000);
    if (latest === undefined || until > latest.until) latest = { until, rateLimit };
  }
  return latest;
}

/** Whether nothing is under way and nothing is held back. */
export function isIdle(state: BudgetState, now: number): boolean {
  return state.strikes === 0 && state.underWay === 0 && obstacle(state, now, 0) === undefined;
}

/** How many may be sent to learn the window; any number once it is known. */
function probesLeft({ unknownSince, probesMax, probesOut, probedAt }: BudgetState, now: number): number {
  if (unknownSince === undefined) return Number.POSITIVE_INFINITY;
  if (probesOut < probesMax) return probesMax - probesOut;
  return now >= probedAt + PROBE_PATIENCE_MS ? 1 : 0;
}

function held(state: BudgetState): Obstacle {
  const { heldUntil, toldUntil, rateLimit } = state;
  const hold: Obstacle = { reason: 'rate-limited', until: heldUntil, toldUntil };
  return rateLimit === undefined ? hold : { ...hold, rateLimit };
}

/** Forgets the windows that have ended, and with them what was known of the present ones. */
export function dropEndedWindows(state: BudgetState, now: number): void {
  const { windows } = state;
  for (let index = windows.length - 1; index >= 0; index -= 1) {
    const window = windows[index];
    if (window === undefined || now < window.endsAt) continue;
    windows.splice(index, 1);
    // A request of the window before, which may hang, is no probe and holds up none.
    if (state.unknownSince !== undefined) continue;
    state.unknownSince = state.spent;
    state.probesMax = 1;
    state.probesOut = 0;
  }
}

function usedUpWindow(state: BudgetState, now: number, level: number): Obstacle | undefined {
  let obstacle: Obstacle | undefined;
  for (const window of state.windows) {
    const { endsAt, rateLimit } = window;
    const left = leftIn(window) - keptBack(window, now, level);
    if (state.underWay < mayBeOut(window, left)) continue;
    // The last of them are still out: their answers may bring good news, and will come before the window ends.
    if (left > 0) obstacle ??= { reason: 'paced', rateLimit, lapsesAt: endsAt };
    else if (obstacle?.until === undefined || endsAt > obstacle.until) {
      obstacle = { reason: 'paced', until: endsAt, toldUntil: endsAt, rateLimit };
    }
  }
  return obstacle;
}

function leftIn({ remaining, doubts }: CountedWindow): number {
  return remaining - doubts.length;
}

/**
 * How many may be under way while so many are left: half of them, so that the last go one by one, each on what the one before
 * it was told; and less where others send, since for each of ours under way there are some of theirs.
 */
function mayBeOut({ foreign, ours }: CountedWindow, left: number): number {
  if (left <= 0) return 0;
  const stakes = 1 + Math.max(1, foreign / Math.max(1, ours));
  return Math.max(1, Math.floor((left + 1) / stakes));
}

/** How much of a window is not for this caller: its reserve, and what others are about to take. */
function keptBack(window: CountedWindow, now: number, level: number): number {
  const { limit } = window.rateLimit;
  const reserve = level > 0 ? Math.ceil((limit * level) / 100) : 0;
  if (window.foreign === 0) return reserve;
  const perMs = window.foreign / Math.max(1, now - window.firstAt);
  const most = Math.max(1, Math.floor(limit * FOREIGN_SHARE_MAX));
  return Math.max(reserve, Math.min(most, Math.ceil(perMs * FOREIGN_AHEAD_MS)));
}
