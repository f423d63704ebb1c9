import { type Budget, type KnownLimit, NEVER, type Pass } from './budget.js';
import { countOf, passesOf } from './passes.js';
import { lengthOfNamed, lengthOfUnnamed } from './window-length.js';

/** A window that is longer is not learned by counting. Its 429 response names the wait, or the client backs off. */
const LENGTH_MAX_MS = 300_000;
/** Maximum number of limits that are learned by counting. */
const COUNTED_LIMITS_MAX = 3;
/** Fewer requests are not learned as a limit if responses show another one. */
const COUNTED_LEAST = 5;
/** A wait belongs to a longer window than the known ones if it exceeds their length by more than this. */
const SAME_WINDOW_FACTOR = 1.2;
const SAME_WINDOW_MS = 1_000;
const DAY_MS = 86_400_000;
/** Requests that are sent one by one are a little further apart than their limit says, and much if this is too often. */
const SPACING_FACTOR = 1.02;
const SLOWER_FACTOR = 1.5;
/** A counted limit is raised by one if no 429 response has arrived for so many of its windows, and for this time. */
const RAISE_WINDOWS = 10;
const RAISE_MIN_MS = 600_000;

/** A wait after a 429 response without a limit. */
interface Wait {
  /** When the request was rejected. */
  rejectedAt: number;
  /** When the service accepts requests again, as it named or as it was seen. */
  acceptedAt: number;
  /** When the last request was rejected, if the service named no time. */
  lastRejectedAt?: number;
}

/**
 * Learns a limit from a 429 response that does not show it: as many requests as passed, over the time until the service
 * accepts requests again.
 */
export function learnCounted(state: Budget, wait: Wait, now: number): void {
  const waitMs = wait.acceptedAt - wait.rejectedAt;
  const counted = state.limits.filter(({ isCounted }) => isCounted);
  counted.sort((one, other) => one.lengthMs - other.lengthMs);
  const known = counted.find(({ lengthMs }) => waitMs <= lengthMs * SAME_WINDOW_FACTOR + SAME_WINDOW_MS);
  const before = known === undefined ? state.passes : passesOf(state, known, wait.rejectedAt);
  if (known !== undefined && (before.length === 0 || wait.lastRejectedAt === undefined)) {
    // The number is right on average, but not in a burst, or the window is longer: send the requests one by one.
    const shareMs = known.lengthMs / known.limit;
    const lengthMs = Math.min(LENGTH_MAX_MS, shareMs * (known.limit > 1 ? SPACING_FACTOR : SLOWER_FACTOR));
    Object.assign(known, { limit: 1, lengthMs, learnedAt: now });
    return;
  }
  const densest = densestWindow(before, wait.acceptedAt);
  if (densest === undefined || wait.acceptedAt - densest.firstAt > LENGTH_MAX_MS) return;
  const { limit: passed, firstAt } = densest;
  // Where headers show a limit, a single 429 response without them says little.
  if (state.windows.length > 0 && passed < COUNTED_LEAST) return;
  const sinceFirstMs = wait.acceptedAt - firstAt;
  const lengthMs =
    wait.lastRejectedAt === undefined
      ? lengthOfNamed(sinceFirstMs)
      : lengthOfUnnamed(wait.lastRejectedAt - firstAt, sinceFirstMs);
  const found = { limit: passed, lengthMs };
  if (known !== undefined) Object.assign(known, found, { learnedAt: now });
  else {
    const limit = { ...createLimit(passed, 'learned', lengthMs), isCounted: true, learnedAt: now };
    const others = counted.length < COUNTED_LIMITS_MAX ? [] : [counted[0]];
    state.limits = [...state.limits.filter((other) => !others.includes(other)), limit];
  }
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

/** Raises a counted limit that was used up without a 429 response for a long time. */
export function raiseCounted(state: Budget, now: number): void {
  for (const known of state.limits) {
    const { isCounted, learnedAt, lengthMs, limit } = known;
    if (!isCounted || now - learnedAt < Math.max(RAISE_MIN_MS, RAISE_WINDOWS * lengthMs)) continue;
    if (countOf(passesOf(state, known, now)) < limit) continue;
    Object.assign(known, { limit: limit + 1, learnedAt: now });
  }
}

export function createLimit(limit: number, source: KnownLimit['source'], lengthMs: number): KnownLimit {
  return {
    limit,
    source,
    isCounted: false,
    window: undefined,
    isCustom: false,
    lengthMs,
    resetAt: undefined,
    lateMs: 0,
    since: NEVER,
    learnedAt: NEVER,
  };
}
