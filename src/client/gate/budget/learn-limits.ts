import { type Budget, type KnownLimit, NEVER, type Pass } from './budget.js';
import { countOf } from './passes.js';
import { lengthOfNamed, nearLength, unnamedLength } from './window-length.js';

/** A window that is longer is not learned by counting. Its 429 response names the wait, or the client backs off. */
const LENGTH_MAX_MS = 300_000;
/** Maximum number of hidden limits. */
const HIDDEN_LIMITS_MAX = 3;
/** Fewer requests are not learned as a limit if responses show another one. */
const HIDDEN_LEAST = 5;
/** A wait belongs to a longer window than the known ones if it exceeds their length by more than this. */
const SAME_WINDOW_FACTOR = 1.2;
const SAME_WINDOW_MS = 1_000;
const DAY_MS = 86_400_000;
/** Requests that are sent one by one are further apart if this is still too often. */
const SLOWER_FACTOR = 1.5;
const RAISE_FACTOR = 1.1;
/** If requests passed so much more slowly than known, the window is longer. */
const LONGER_FACTOR = 1.75;
/** A hidden limit is raised by one if no 429 response has arrived for so many of its windows, and for this time. */
const RAISE_WINDOWS = 10;
const RAISE_MIN_MS = 600_000;

/** A wait after a 429 response without a limit. */
interface Wait {
  /** When the first request was rejected. */
  rejectedAt: number;
  /** When the service accepts requests again, as it named or as it was seen. */
  acceptedAt: number;
  isNamed: boolean;
}

/**
 * Learns a limit from a 429 response that does not show it: as many requests as passed, over the time until the service
 * accepts requests again.
 */
export function learnHidden(state: Budget, wait: Wait, now: number): void {
  const waitMs = wait.acceptedAt - wait.rejectedAt;
  const hidden = state.limits.filter(({ isHidden }) => isHidden);
  hidden.sort((one, other) => one.lengthMs - other.lengthMs);
  const known = hidden.find(({ lengthMs }) => waitMs <= lengthMs * SAME_WINDOW_FACTOR + SAME_WINDOW_MS);
  if (known !== undefined) {
    slowDown(state, known, wait, now);
    return;
  }
  const densest = densestWindow(state.passes, wait.acceptedAt);
  if (densest === undefined || wait.acceptedAt - densest.firstAt > LENGTH_MAX_MS) return;
  const { limit, firstAt } = densest;
  // Where headers show a limit, a single 429 response without them says little.
  if (state.limits.some(({ open }) => open !== undefined) && limit < HIDDEN_LEAST) return;
  const sinceFirstMs = wait.acceptedAt - firstAt;
  const lengthMs = wait.isNamed ? lengthOfNamed(sinceFirstMs, waitMs) : unnamedLength(sinceFirstMs);
  const learned = { ...createLimit(limit, 'learned', lengthMs), isHidden: true };
  const dropped = hidden.length < HIDDEN_LIMITS_MAX ? undefined : hidden[0];
  state.limits = [...state.limits.filter((other) => other !== dropped), { ...learned, learnedAt: now }];
}

/**
 * Sends the requests of a hidden limit one by one, because a request was rejected although the limit allows it: the number
 * is right on average, but not in a burst. At least one request is sent in each window: the rejection may be the fault of
 * another user of the key.
 */
function slowDown({ passes }: Budget, known: KnownLimit, wait: Wait, now: number): void {
  const { learnedAt, lengthMs, limit, spacingMs } = known;
  let slowerMs = spacingMs * SLOWER_FACTOR;
  // A named wait may be much longer than needed, so it measures nothing.
  if (!wait.isNamed) {
    const since = Math.max(learnedAt, wait.rejectedAt - LONGER_FACTOR * lengthMs);
    const recent = passes.filter(({ until }) => until >= since);
    const firstAt = recent[0]?.from ?? wait.acceptedAt;
    const perRequestMs = (wait.acceptedAt - firstAt) / Math.max(1, countOf(recent));
    if (perRequestMs > LONGER_FACTOR * evenSpacing(known))
      known.lengthMs = Math.min(LENGTH_MAX_MS, nearLength(perRequestMs * limit));
    slowerMs = Math.min(slowerMs, Math.max(perRequestMs, spacingMs * RAISE_FACTOR));
  }
  known.spacingMs = Math.max(evenSpacing(known), Math.min(slowerMs, known.lengthMs));
  known.learnedAt = now;
}

function evenSpacing({ lengthMs, limit }: KnownLimit): number {
  return lengthMs / limit;
}

/** Returns the window with most requests in its time. A window that began earlier would have allowed more of them. */
function densestWindow(
  passes: readonly Pass[],
  endsAt: number,
): { limit: number; firstAt: number } | undefined {
  let densest: { limit: number; firstAt: number; perMs: number } | undefined;
  for (const [index, { from }] of passes.entries()) {
    const limit = countOf(passes.slice(index));
    const perMs = limit / Math.max(1, endsAt - from);
    if (densest === undefined || perMs > densest.perMs) densest = { limit, firstAt: from, perMs };
  }
  return densest;
}

/** Learns a limit that a 429 response shows, with the end of its window. */
export function learnShown(
  state: Budget,
  known: KnownLimit | undefined,
  limit: number,
  endsAt: number,
): void {
  const passes = state.passes.filter(({ until }) => until > (known?.since ?? NEVER));
  const firstIndex = passes.findLastIndex((_, index) => countOf(passes.slice(index)) >= limit);
  const firstAt = passes[firstIndex]?.from ?? densestWindow(passes, endsAt)?.firstAt ?? endsAt;
  const lengthMs = Math.min(DAY_MS, lengthOfNamed(endsAt - firstAt));
  if (known === undefined) state.limits.push(createLimit(limit, 'learned', lengthMs));
  else if (known.window === undefined) known.lengthMs = Math.max(known.lengthMs, lengthMs);
}

/** Raises a hidden limit without a 429 response for a long time: first back to even spacing, then by one request. */
export function raiseHidden(state: Budget, now: number): void {
  for (const known of state.limits) {
    const { isHidden, learnedAt, lengthMs, limit, spacingMs } = known;
    if (!isHidden || now - learnedAt < Math.max(RAISE_MIN_MS, RAISE_WINDOWS * lengthMs)) continue;
    if (spacingMs <= evenSpacing(known)) known.limit = limit + 1;
    if (spacingMs > 0) known.spacingMs = Math.max(evenSpacing(known), spacingMs / RAISE_FACTOR);
    known.learnedAt = now;
  }
}

export function createLimit(limit: number, source: KnownLimit['source'], lengthMs: number): KnownLimit {
  return {
    limit,
    open: undefined,
    source,
    isHidden: false,
    window: undefined,
    isCustom: false,
    lengthMs,
    spacingMs: 0,
    resetAt: undefined,
    lateMs: 0,
    since: NEVER,
    learnedAt: NEVER,
  };
}
