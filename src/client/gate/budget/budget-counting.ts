import {
  inferPlan,
  limitsOfPlan,
  MINUTE_MAX_MS,
  type Plan,
  type RateLimitValues,
} from '../../../schema/rate-limit.js';
import type { Budget, CountedWindow } from './budget.js';

/** How an admitted request ended. */
export type GateReport =
  /** A response other than 429. The limit is absent if the response had no rate limit headers. */
  | { kind: 'response'; rateLimit?: RateLimitValues | undefined; untilResetMs?: number | undefined }
  /** A 429 response. All requests wait for `holdMs`. `retryAfterMs` is the part that the service named, if it did. */
  | {
      kind: 'rate-limited';
      holdMs: number;
      retryAfterMs?: number | undefined;
      rateLimit?: RateLimitValues | undefined;
      untilResetMs?: number | undefined;
    }
  /** No response. `sent`: the service may have counted the request. */
  | { kind: 'no-response'; sent: boolean };

/** Maximum number of probes in flight while the window is unknown. */
const PROBES_MAX = 8;
/** Maximum number of unconfirmed requests in a window. */
const UNCONFIRMED_MAX = 256;

/** Counts a request as sent. Returns its serial number, for `countReport`. */
export function countSent(state: Budget, now: number): number {
  state.inFlight += 1;
  state.sentCount += 1;
  if (state.unknownSince !== undefined) {
    state.probesInFlight += 1;
    state.probedAt = now;
  }
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
    if (report.sent) countUnconfirmed(state);
    return undefined;
  }
  if (report.kind === 'rate-limited')
    hold(state, serial, now + report.holdMs, now + (report.retryAfterMs ?? 0));
  else if (serial > state.last429Serial) state.consecutive429Count = 0;
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
  state.probesMax = Math.min(PROBES_MAX, state.probesMax + 1, Math.max(1, Math.floor((remaining + 1) / 2)));
}

function countUnconfirmed(state: Budget): void {
  const { sentCount, unknownSince, unconfirmed } = state;
  for (const window of state.windows) addUnconfirmed(window, sentCount);
  if (unknownSince !== undefined) state.unconfirmed = [...unconfirmed, sentCount].slice(-UNCONFIRMED_MAX);
}

function addUnconfirmed(window: CountedWindow, sentCount: number): void {
  window.ownCount += 1;
  window.unconfirmed.push(sentCount);
  if (window.unconfirmed.length <= UNCONFIRMED_MAX) return;
  // The list must not grow forever: count the oldest request as confirmed.
  window.unconfirmed.shift();
  window.remaining = Math.max(0, window.remaining - 1);
}

function hold(state: Budget, serial: number, until: number, retryAfterUntil: number): void {
  state.heldUntil = Math.max(state.heldUntil, until);
  state.retryAfterUntil = Math.max(state.retryAfterUntil, retryAfterUntil);
  if (serial <= state.last429Serial) return;
  state.consecutive429Count += 1;
  state.last429Serial = state.sentCount;
}

function countHeaders(
  state: Budget,
  serial: number,
  { rateLimit, untilResetMs = 0 }: Exclude<GateReport, { kind: 'no-response' }>,
  now: number,
): RateLimitValues | undefined {
  if (rateLimit === undefined) {
    countUnconfirmed(state);
    return undefined;
  }
  let known: CountedWindow | undefined;
  for (const window of state.windows) {
    window.ownCount += 1;
    if (window.rateLimit.limit === rateLimit.limit) known = window;
    // The headers describe the other window, but this one counts the request too.
    else window.remaining = Math.max(0, window.remaining - 1);
  }
  const seen = inferWindowLength(state, rateLimit, untilResetMs, known);
  if (seen.plan !== undefined) dropOtherPlans(state, seen.plan);
  // The response is late and describes an earlier window.
  if (known !== undefined && rateLimit.resetAt < known.rateLimit.resetAt) return seen;
  state.rateLimit = seen;
  if (known?.rateLimit.resetAt === rateLimit.resetAt) {
    updateWindow(known, serial, seen, state.inFlight);
    state.rateLimit = known.rateLimit;
    endProbing(state, serial);
  } else if (untilResetMs > 0) {
    if (known !== undefined) state.windows.splice(state.windows.indexOf(known), 1);
    const unconfirmed = state.unconfirmed.filter((since) => since >= serial);
    state.windows.push(createWindow(seen, now, now + untilResetMs, unconfirmed));
    endProbing(state, serial);
  }
  return seen;
}

/** Infers the window of a limit. A limit of 1,000 is per minute if two of its resets are at most a minute apart. */
function inferWindowLength(
  state: Budget,
  rateLimit: RateLimitValues,
  untilResetMs: number,
  known: CountedWindow | undefined,
): RateLimitValues {
  const betweenResetsMs = known === undefined ? 0 : rateLimit.resetAt - known.rateLimit.resetAt;
  const isMinute = betweenResetsMs > 0 && betweenResetsMs <= 60_000;
  const learned = state.learnedWindows.find(({ limit }) => limit === rateLimit.limit);
  // A minute does not end that late: the reset is the end of a ban.
  if (rateLimit.window === undefined && untilResetMs > MINUTE_MAX_MS) return rateLimit;
  const window = rateLimit.window ?? learned?.window ?? (isMinute ? 'minute' : undefined);
  if (window === undefined) return rateLimit;
  if (learned === undefined) state.learnedWindows.push({ limit: rateLimit.limit, window });
  else learned.window = window;
  const plan = inferPlan(rateLimit.limit, window);
  return { ...rateLimit, window, ...(plan === undefined ? {} : { plan }) };
}

/** After a change of plan, the windows of the old plan no longer apply. */
function dropOtherPlans(state: Budget, plan: Plan): void {
  const { minute, day } = limitsOfPlan(plan);
  state.windows = state.windows.filter(({ rateLimit: { limit } }) => limit === minute || limit === day);
}

function updateWindow(
  window: CountedWindow,
  serial: number,
  rateLimit: RateLimitValues,
  inFlight: number,
): void {
  window.remaining = Math.min(window.remaining, rateLimit.remaining);
  window.rateLimit = { ...rateLimit, remaining: window.remaining };
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
): CountedWindow {
  const { remaining } = rateLimit;
  return {
    remaining,
    endsAt,
    rateLimit,
    unconfirmed,
    firstRemaining: remaining,
    firstAt: now,
    ownCount: unconfirmed.length,
    foreignCount: 0,
  };
}
