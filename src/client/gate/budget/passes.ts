import { type Budget, type KnownLimit, NEVER, type OpenWindow, type Pass } from './budget.js';

/**
 * Counts our own requests where no response shows a window. Each counts from its response until the length of the window
 * has passed: the service received it earlier, so it is not counted longer there. This holds for fixed windows, sliding
 * windows and buckets.
 */

/** Above this number of passes, the older half is merged in pairs. */
const PASSES_MAX = 16;
/** The same if a limit counts them. Twice the number of quanta in its window, so that recent passes stay exact. */
const COUNTED_MAX = 128;
/** Passes within this part of the shortest window are merged. */
const QUANTUM_SHARE = 1 / 64;

const DAY_MS = 86_400_000;

/** Adds a request that has passed. Passes stay in order, in whole milliseconds. */
export function addPass(state: Budget, passedAt: number): void {
  const { passes } = state;
  const last = passes.at(-1);
  const now = Math.max(Math.ceil(passedAt), last?.until ?? NEVER);
  const shortestMs = shortestCounted(state);
  if (last !== undefined && now - last.from <= (shortestMs ?? 0) * QUANTUM_SHARE) {
    last.until = now;
    last.count += 1;
    return;
  }
  passes.push({ from: now, until: now, count: 1 });
  if (passes.length <= (shortestMs === undefined ? PASSES_MAX : COUNTED_MAX)) return;
  const open = passes.filter(({ until }) => until > now - DAY_MS);
  const half = 2 * Math.floor(open.length / 4);
  state.passes = [...mergePairs(open.slice(0, half)), ...open.slice(half)];
}

/** Returns the length of the shortest window that the passes count for. `undefined` if they only serve to learn one. */
function shortestCounted({ limits }: Budget): number | undefined {
  let shortestMs: number | undefined;
  for (const known of limits) {
    // A response shows it. If it is of a plan, all windows are known, so no other one has to be learned from these passes.
    const shownMs = known.window === undefined ? undefined : DAY_MS;
    const lengthMs = known.open === undefined ? rateOf(known).lengthMs : shownMs;
    if (lengthMs !== undefined) shortestMs = Math.min(shortestMs ?? lengthMs, lengthMs);
  }
  return shortestMs;
}

function mergePairs(passes: readonly Pass[]): Pass[] {
  return passes.flatMap((first, index) => {
    const second = passes[index + 1];
    if (index % 2 === 1 || second === undefined) return [];
    return [{ from: first.from, until: second.until, count: first.count + second.count }];
  });
}

/** Returns the limit of so many requests that headers name. */
export function findNamedLimit({ limits }: Pick<Budget, 'limits'>, requests: number): KnownLimit | undefined {
  return limits.find(({ isHidden, limit }) => !isHidden && limit === requests);
}

/** Returns the windows that responses show now. */
export function openWindows({ limits }: Pick<Budget, 'limits'>): OpenWindow[] {
  return limits.flatMap(({ open }) => open ?? []);
}

/** Returns how many requests a limit allows in which time: one, if they are sent one by one. */
export function rateOf({ limit, lengthMs, spacingMs }: KnownLimit): { limit: number; lengthMs: number } {
  return spacingMs > 0 ? { limit: 1, lengthMs: spacingMs } : { limit, lengthMs };
}

/** Returns the passes that count for a limit. */
export function passesOf({ passes }: Pick<Budget, 'passes'>, limit: KnownLimit, now: number): Pass[] {
  const { lengthMs } = rateOf(limit);
  // The sum of `freeAt`: the rounded difference could count a pass at the end of its wait, and start a timer of 0 ms again.
  return passes.filter(({ until }) => until > limit.since && until + lengthMs > now);
}

/** Returns the number of requests in passes. */
export function countOf(passes: readonly Pass[]): number {
  return passes.reduce((sum, { count }) => sum + count, 0);
}

/** Returns when enough passes no longer count that `wanted` requests may be sent. `now` if they may be sent at once. */
export function freeAt(state: Budget, limit: KnownLimit, now: number, allowed: number, wanted = 1): number {
  const passes = passesOf(state, limit, now);
  let left = allowed - countOf(passes) - wanted;
  let at = now;
  for (const { until, count } of passes) {
    if (left >= 0) break;
    left += count;
    at = until + rateOf(limit).lengthMs;
  }
  return at;
}
