import { inferPlan, limitsOfPlan, type Plan, type RateLimit } from '../../../schema/rate-limit.js';
import type { BudgetState, CountedWindow } from './budget-state.js';
import type { GateReport } from './gate.js';

/**
 * What a budget learns: of each request that it was sent, and of what became of it. What follows from that for the next one
 * is said in budget.ts.
 */

/** While nothing is known and no answer tells, so many may be out at once at most. */
const PROBES_MAX = 8;
/** So many requests of unknown fate are told apart. */
const DOUBTS_MAX = 256;

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

/**
 * A probe came back, and what may be sent is not known: one dead connection must not make all the others queue behind it, nor
 * set them all free. What an answer told is left binds them though its reset is past, and with it the window it spoke of.
 */
function letAnotherProbeGo(state: BudgetState, remaining = Number.POSITIVE_INFINITY): void {
  state.probesMax = Math.min(PROBES_MAX, state.probesMax + 1, Math.max(1, Math.floor((remaining + 1) / 2)));
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

function hold(state: BudgetState, serial: number, until: number, told: number): void {
  state.heldUntil = Math.max(state.heldUntil, until);
  state.toldUntil = Math.max(state.toldUntil, told);
  if (serial <= state.lastStrikeSerial) return;
  state.strikes += 1;
  state.lastStrikeSerial = state.spent;
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

/** A key that has another plan by now has none of the old one's windows. */
function dropOtherPlans(state: BudgetState, plan: Plan): void {
  const { minute, day } = limitsOfPlan(plan);
  if (state.windows.every(({ rateLimit: { limit } }) => limit === minute || limit === day)) return;
  state.windows = state.windows.filter(({ rateLimit: { limit } }) => limit === minute || limit === day);
}

function countTold(window: CountedWindow, serial: number, told: RateLimit, underWay: number): void {
  window.remaining = Math.min(window.remaining, told.remaining);
  window.rateLimit = { ...told, remaining: window.remaining };
  // Whoever was sent after others were lost was counted after them: what it was told includes them.
  if (window.doubts.length > 0) window.doubts = window.doubts.filter((since) => since >= serial);
  const gone = window.firstRemaining - window.remaining;
  window.foreign = Math.max(window.foreign, gone - window.ours - underWay);
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
