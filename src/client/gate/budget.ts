import { inferPlan, limitsOfPlan, type Plan, type RateLimit } from '../../schema/rate-limit.js';
import type { BudgetState, CountedWindow } from './budget-state.js';
import type { GateReport, GateRequest } from './gate.js';

/**
 * What may be sent now, from what the answers have told: rules without timers and without I/O over a `BudgetState`.
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

/** While nothing is known and no answer tells, so many may be out at once at most. */
const PROBES_MAX = 8;
/** An answer that takes longer than this may never come: another probe goes. */
const PROBE_PATIENCE_MS = 2_000;
/** Where others use the key, what they may take within this time is left to them: their requests cross with ours. */
const FOREIGN_AHEAD_MS = 1_000;
/** But never more of a window than this share, or one request. */
const FOREIGN_SHARE_MAX = 0.02;
/** So many requests of unknown fate are told apart. */
const DOUBTS_MAX = 256;

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

/** Counts a request as sent. Returns its number, for `settle`. */
export function spend(state: BudgetState, now: number): number {
  state.underWay += 1;
  state.spent += 1;
  if (state.unknownSince !== undefined) {
    state.probesOut += 1;
    state.probedAt = now;
  }
  return state.spent;
}

/** Counts a request as over. Returns the report's limit with what was learned of its window. */
export function settle(
  state: BudgetState,
  serial: number,
  report: GateReport,
  now: number,
): RateLimit | undefined {
  state.underWay = Math.max(0, state.underWay - 1);
  const probed = state.unknownSince !== undefined && serial > state.unknownSince;
  if (probed) state.probesOut = Math.max(0, state.probesOut - 1);
  if (report.kind === 'none') {
    if (probed) letAnotherProbeGo(state);
    if (report.sent) for (const window of state.windows) doubt(window, state.spent);
    return undefined;
  }
  if (report.kind === 'limited') hold(state, serial, now + report.holdMs, now + report.toldMs);
  else if (serial > state.lastStrikeSerial) state.strikes = 0;
  const seen = count(state, serial, report, now);
  if (probed && state.unknownSince !== undefined) letAnotherProbeGo(state, report.rateLimit?.remaining);
  return seen;
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

/**
 * A probe came back, and what may be sent is not known: one dead connection must not make all the others queue behind it, nor
 * set them all free. What an answer told is left binds them though its reset is past, and with it the window it spoke of.
 */
function letAnotherProbeGo(state: BudgetState, remaining = Number.POSITIVE_INFINITY): void {
  state.probesMax = Math.min(PROBES_MAX, state.probesMax + 1, Math.max(1, Math.floor((remaining + 1) / 2)));
}

function held(state: BudgetState): Obstacle {
  const { heldUntil, toldUntil, rateLimit } = state;
  const hold: Obstacle = { reason: 'rate-limited', until: heldUntil, toldUntil };
  return rateLimit === undefined ? hold : { ...hold, rateLimit };
}

function hold(state: BudgetState, serial: number, until: number, told: number): void {
  state.heldUntil = Math.max(state.heldUntil, until);
  state.toldUntil = Math.max(state.toldUntil, told);
  if (serial <= state.lastStrikeSerial) return;
  state.strikes += 1;
  state.lastStrikeSerial = state.spent;
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

function count(
  state: BudgetState,
  serial: number,
  report: Exclude<GateReport, { kind: 'none' }>,
  now: number,
): RateLimit | undefined {
  const { rateLimit: told, untilResetMs } = report;
  if (told === undefined || untilResetMs === undefined) {
    for (const window of state.windows) doubt(window, state.spent);
    return undefined;
  }
  let known: CountedWindow | undefined;
  for (const window of state.windows) {
    window.ours += 1;
    if (window.rateLimit.limit === told.limit) known = window;
    // A request that this window's own headers did not tell of.
    else window.remaining = Math.max(0, window.remaining - 1);
  }
  const seen = learn(state, told, known);
  if (seen.plan !== undefined) dropOtherPlans(state, seen.plan);
  // An answer that was overtaken by one of the next window tells nothing any more.
  if (known !== undefined && told.resetAt < known.rateLimit.resetAt) return seen;
  state.rateLimit = seen;
  if (known?.rateLimit.resetAt === told.resetAt) {
    countTold(known, serial, seen, state.underWay);
    state.rateLimit = known.rateLimit;
    endProbing(state, serial);
  } else if (untilResetMs > 0) {
    endProbing(state, serial);
    if (known !== undefined) state.windows.splice(state.windows.indexOf(known), 1);
    state.windows.push(openWindow(seen, now, now + untilResetMs));
  }
  return seen;
}

function endProbing(state: BudgetState, serial: number): void {
  if (state.unknownSince !== undefined && serial > state.unknownSince) state.unknownSince = undefined;
}

function openWindow(rateLimit: RateLimit, now: number, endsAt: number): CountedWindow {
  const { remaining } = rateLimit;
  return {
    remaining,
    endsAt,
    rateLimit,
    doubts: [],
    firstRemaining: remaining,
    firstAt: now,
    ours: 0,
    foreign: 0,
  };
}

function countTold(window: CountedWindow, serial: number, told: RateLimit, underWay: number): void {
  window.remaining = Math.min(window.remaining, told.remaining);
  window.rateLimit = { ...told, remaining: window.remaining };
  // Whoever was sent after others were lost was counted after them: what it was told includes them.
  if (window.doubts.length > 0) window.doubts = window.doubts.filter((since) => since >= serial);
  const gone = window.firstRemaining - window.remaining;
  window.foreign = Math.max(window.foreign, gone - window.ours - underWay);
}

/** Counts a request of which nobody told whether it was counted. */
function doubt(window: CountedWindow, spent: number): void {
  window.ours += 1;
  window.doubts.push(spent);
  if (window.doubts.length <= DOUBTS_MAX) return;
  // So many in a row tell that nothing comes back: the first of them is counted for good.
  window.doubts.shift();
  window.remaining = Math.max(0, window.remaining - 1);
}

/** A key that has another plan by now has none of the old one's windows. */
function dropOtherPlans(state: BudgetState, plan: Plan): void {
  const { minute, day } = limitsOfPlan(plan);
  if (state.windows.every(({ rateLimit: { limit } }) => limit === minute || limit === day)) return;
  state.windows = state.windows.filter(({ rateLimit: { limit } }) => limit === minute || limit === day);
}

/** A limit of 1,000 is told apart once two of its windows have followed each other within a minute. */
function learn(state: BudgetState, told: RateLimit, known: CountedWindow | undefined): RateLimit {
  const apart = known === undefined ? 0 : told.resetAt - known.rateLimit.resetAt;
  const followsWithinMinute = apart > 0 && apart <= 60_000;
  const learned = state.learned.find(({ limit }) => limit === told.limit);
  const window = told.window ?? learned?.window ?? (followsWithinMinute ? 'minute' : undefined);
  if (window === undefined || (window === told.window && window === learned?.window)) return told;
  if (learned === undefined) state.learned.push({ limit: told.limit, window });
  else learned.window = window;
  const plan = inferPlan(told.limit, window);
  return { ...told, window, ...(plan === undefined ? {} : { plan }) };
}
