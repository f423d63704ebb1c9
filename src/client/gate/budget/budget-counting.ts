import type { RateLimitValues } from '../../../schema/rate-limit.js';
import type { Budget, KnownLimit, OpenWindow, ShownWindow } from './budget.js';
import { inferPlanOf, rememberLimit } from './infer-limit.js';
import { learnHidden, learnShown, raiseHidden } from './learn-limits.js';
import { addPass, findNamedLimit, openWindows } from './passes.js';
import { simultaneousMax } from './slow-start.js';

/** The windows that a response shows: the one with the fewest requests left, and the others. None without headers. */
interface ShownWindows {
  rateLimit?: RateLimitValues | undefined;
  untilResetMs?: number | undefined;
  windowMs?: number | undefined;
  others?: readonly ShownWindow[] | undefined;
}

/** How an admitted request ended. */
export type GateReport =
  /** A response other than 429. */
  | ({ kind: 'response' } & ShownWindows)
  /** A 429 response. All requests wait for `holdMs`. `retryAfterMs` is the part that the service named, if it did. */
  | ({ kind: 'rate-limited'; holdMs: number; retryAfterMs?: number | undefined } & ShownWindows)
  /** No response. `sent`: the service may have counted the request. */
  | { kind: 'no-response'; sent: boolean };

/** Maximum number of probes in flight while the window is unknown. */
const PROBES_MAX = 8;
/** Maximum number of unconfirmed requests in a window. */
const UNCONFIRMED_MAX = 256;

/** Counts a request as sent. Returns its serial number, for `countReport`. */
export function countSent(state: Budget, now: number): number {
  state.sentCount += 1;
  state.aloneSerial = state.inFlight === 0 ? state.sentCount : undefined;
  state.inFlight += 1;
  state.sentAt = now;
  if (state.unknownSince !== undefined) state.probesInFlight += 1;
  return state.sentCount;
}

/** Counts a request as ended. Returns the reported rate limit, with its inferred window and plan. */
export function countReport(
  state: Budget,
  serial: number,
  report: GateReport,
  now: number,
): RateLimitValues | undefined {
  state.inFlight = Math.max(0, state.inFlight - 1);
  const isProbe = state.unknownSince !== undefined && serial > state.unknownSince;
  if (isProbe) state.probesInFlight = Math.max(0, state.probesInFlight - 1);
  if (report.kind === 'no-response') {
    if (isProbe) allowMoreProbes(state);
    if (!report.sent) return undefined;
    countUnconfirmed(state);
    // It may not have passed: it counts for a known limit, but no limit is learned from it.
    if (state.limits.some(({ open }) => open === undefined)) addPass(state, now);
    return undefined;
  }
  if (report.kind === 'rate-limited') countRejection(state, serial, report, now);
  else countAccepted(state, serial, now);
  const seen = countHeaders(state, serial, report, now);
  if (isProbe && state.unknownSince !== undefined) allowMoreProbes(state, report.rateLimit?.remaining);
  return seen;
}

/**
 * Allows one more probe after a probe that did not reveal the window. One dead connection must neither block all other
 * requests nor release them all at once. A response limits the probes to half of its remaining requests, even if its
 * reset time has passed.
 */
function allowMoreProbes(state: Budget, remaining = Number.POSITIVE_INFINITY): void {
  const halfLeft = Math.max(1, Math.floor((remaining + 1) / 2));
  state.probesMax = Math.min(PROBES_MAX, state.probesMax + 1, halfLeft, simultaneousMax(state));
}

function countUnconfirmed(state: Budget): void {
  const { sentCount, unknownSince, unconfirmed } = state;
  for (const window of openWindows(state)) addUnconfirmed(window, sentCount);
  if (unknownSince !== undefined) state.unconfirmed = [...unconfirmed, sentCount].slice(-UNCONFIRMED_MAX);
}

function addUnconfirmed(window: OpenWindow, sentCount: number): void {
  window.ownCount += 1;
  window.unconfirmed.push(sentCount);
  if (window.unconfirmed.length <= UNCONFIRMED_MAX) return;
  // The list must not grow forever: count the oldest request as confirmed.
  window.unconfirmed.shift();
  window.remaining = Math.max(0, window.remaining - 1);
}

/** Times in headers are rounded to whole seconds. */
const ROUNDING_MS = 1_000;
/** A rejection so soon after a reset shows that the reset was rounded down. */
const EARLY_MS = 2_000;

type Rejection = Extract<GateReport, { kind: 'rate-limited' }>;

function countRejection(state: Budget, serial: number, report: Rejection, now: number): void {
  const { holdMs, retryAfterMs = 0, rateLimit } = report;
  state.heldUntil = Math.max(state.heldUntil, now + holdMs);
  state.retryAfterUntil = Math.max(state.retryAfterUntil, now + retryAfterMs);
  // Rejections of simultaneous requests are one.
  if (serial <= state.last429Serial) return;
  state.consecutive429Count += 1;
  state.last429Serial = state.sentCount;
  if (rateLimit !== undefined || hasPlan(state)) return;
  if (retryAfterMs === 0) state.rejectedAt ??= now;
  else {
    learnHidden(state, { rejectedAt: now, acceptedAt: now + retryAfterMs, isNamed: true }, now);
    state.rejectedAt = undefined;
  }
}

function countAccepted(state: Budget, serial: number, now: number): void {
  const { rejectedAt, last429Serial } = state;
  state.passedCount += 1;
  if (serial > last429Serial) {
    state.consecutive429Count = 0;
    if (rejectedAt !== undefined) learnHidden(state, { rejectedAt, acceptedAt: now, isNamed: false }, now);
    state.rejectedAt = undefined;
  }
  addPass(state, now);
  raiseHidden(state, now);
}

/** Whether the published limits of a plan are known. No other limit then has to be learned by counting. */
function hasPlan({ limits }: Budget): boolean {
  return limits.some(({ source }) => source === 'plan');
}

/** Resets that differ by less are the same one: they are rounded, and computed from a rounded `Date`. */
const SAME_RESET_MS = 1_000;

/** Counts a response in every window. Returns the window with the fewest requests left that it shows. */
function countHeaders(
  state: Budget,
  serial: number,
  report: Exclude<GateReport, { kind: 'no-response' }>,
  now: number,
): RateLimitValues | undefined {
  const { rateLimit, untilResetMs = 0, windowMs, others = [] } = report;
  if (rateLimit === undefined) {
    countUnconfirmed(state);
    return undefined;
  }
  const isRejected = report.kind === 'rate-limited';
  const limits = [rateLimit, ...others.map((other) => other.rateLimit)];
  for (const { limit: known, open } of state.limits) {
    if (open === undefined) continue;
    open.ownCount += 1;
    if (limits.some(({ limit }) => limit === known)) continue;
    // The headers describe other windows, but this one counts the request too.
    open.remaining = Math.max(0, open.remaining - 1);
    open.rejectedCount += Number(isRejected);
  }
  const reception = { serial, now, isRejected, limits };
  for (const other of others) countShown(state, other, reception);
  return countShown(state, { rateLimit, untilResetMs, windowMs }, reception);
}

/** A response, and the limits that it shows. */
interface Reception {
  serial: number;
  now: number;
  isRejected: boolean;
  limits: readonly RateLimitValues[];
}

function countShown(state: Budget, shown: ShownWindow, reception: Reception): RateLimitValues {
  const { rateLimit, untilResetMs } = shown;
  const { serial, now, isRejected } = reception;
  if (isRejected) learnRejection(state, rateLimit.limit, now, untilResetMs);
  const known = rememberLimit(state, shown, reception);
  const seen = inferPlanOf(state, known, shown, reception);
  const { open } = known;
  const laterMs = open === undefined ? 0 : rateLimit.resetAt - open.rateLimit.resetAt;
  // The response is late and describes an earlier window.
  if (laterMs < -SAME_RESET_MS) return seen;
  state.rateLimit = seen;
  if (open !== undefined && laterMs <= SAME_RESET_MS) {
    updateWindow(open, serial, seen, state);
    state.rateLimit = open.rateLimit;
    endProbing(state, serial);
  } else if (untilResetMs > 0) {
    const unconfirmed = state.unconfirmed.filter((since) => since >= serial);
    known.open = createWindow(seen, now, now + untilResetMs, unconfirmed);
    endProbing(state, serial);
  }
  if (known.open !== undefined) extendRounded(known, known.open, now + untilResetMs, now);
  return seen;
}

/**
 * Extends a window whose reset the service rounds down, by at most a second: until its length has passed since this
 * response. It ends earlier if another user of the key has opened it.
 */
function extendRounded(
  { lateMs, lengthMs }: KnownLimit,
  open: OpenWindow,
  resetAt: number,
  now: number,
): void {
  if (lateMs === 0) return;
  const latestAt = Math.min(resetAt, open.firstAt + lengthMs) + lateMs;
  open.endsAt = Math.max(open.endsAt, Math.min(latestAt, now + lengthMs));
}

/** Learns from a 429 response that shows its limit. */
function learnRejection(state: Budget, limit: number, now: number, untilResetMs: number): void {
  const known = findNamedLimit(state, limit);
  if (known !== undefined && now - known.since < EARLY_MS) {
    known.lateMs = ROUNDING_MS;
    state.heldUntil = Math.max(state.heldUntil, now + ROUNDING_MS);
  }
  if (known?.open === undefined) learnShown(state, known, limit, now + untilResetMs);
}

function updateWindow(window: OpenWindow, serial: number, rateLimit: RateLimitValues, state: Budget): void {
  const { inFlight, aloneSerial } = state;
  // A rejected request may not have been counted. A response without requests in flight shows it.
  const isAlone = aloneSerial === serial;
  const remaining = window.remaining + (isAlone ? window.rejectedCount : 0);
  if (isAlone) window.rejectedCount = 0;
  window.remaining = Math.min(remaining, rateLimit.remaining);
  const { resetAt } = window.rateLimit;
  window.rateLimit = { ...rateLimit, resetAt, remaining: window.remaining };
  // Requests that were lost before this one was sent are included in its response.
  window.unconfirmed = window.unconfirmed.filter((since) => since >= serial);
  const used = window.firstRemaining - window.remaining;
  window.foreignCount = Math.max(window.foreignCount, used - window.ownCount - inFlight);
}

function endProbing(state: Budget, serial: number): void {
  if (state.unknownSince === undefined || serial <= state.unknownSince) return;
  state.unknownSince = undefined;
  state.unconfirmed = [];
}

function createWindow(
  rateLimit: RateLimitValues,
  now: number,
  endsAt: number,
  unconfirmed: number[],
): OpenWindow {
  const { remaining } = rateLimit;
  return {
    remaining,
    rejectedCount: 0,
    endsAt,
    rateLimit,
    unconfirmed,
    firstRemaining: remaining,
    firstAt: now,
    ownCount: unconfirmed.length,
    foreignCount: 0,
  };
}
