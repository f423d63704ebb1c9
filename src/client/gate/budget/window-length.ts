/** Lengths of windows that people configure, in milliseconds, ascending. */
const ROUND_LENGTHS_MS: readonly number[] = [
  1, 2, 5, 10, 15, 20, 30, 60, 120, 300, 600, 900, 1_200, 1_800, 3_600, 7_200, 21_600, 43_200, 86_400,
].map((seconds) => seconds * 1_000);

/** Times in headers are rounded to whole seconds. */
const ROUNDING_MS = 1_000;

/**
 * Returns the likely length of a window from its end that the service named. The first request of the client may not be
 * the first one of the window, so the length is rounded up if no round length is near.
 *
 * @param sinceFirstMs milliseconds from the first response in the window to the named end.
 * @param waitMs the named wait. Some services always name the whole length.
 */
export function lengthOfNamed(sinceFirstMs: number, waitMs = sinceFirstMs): number {
  const leastMs = Math.min(waitMs, sinceFirstMs - ROUNDING_MS + 1);
  const near = ROUND_LENGTHS_MS.findLast((length) => length <= sinceFirstMs && length >= leastMs);
  return near ?? ROUND_LENGTHS_MS.find((length) => length >= sinceFirstMs) ?? sinceFirstMs;
}

/**
 * Returns the likely length of a window whose end the service did not name: at most the time until it was seen to accept
 * requests again. The longest round length fits: a shorter one would be rejected again and again.
 *
 * @param sinceFirstMs milliseconds from the first response in the window to the first request that passed again.
 */
export function unnamedLength(sinceFirstMs: number): number {
  return ROUND_LENGTHS_MS.findLast((length) => length <= sinceFirstMs) ?? sinceFirstMs;
}

/** Returns the round length that a measured one exceeds by less than a half, otherwise the measured one. */
export function nearLength(measuredMs: number): number {
  const round = unnamedLength(measuredMs);
  return measuredMs < round * NEAR_FACTOR ? round : measuredMs;
}

const NEAR_FACTOR = 1.5;
