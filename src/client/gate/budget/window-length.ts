/** Lengths of windows that people configure, in milliseconds, ascending. */
const ROUND_LENGTHS_MS: readonly number[] = [
  ...[1, 2, 5, 10, 15, 20, 30],
  ...[60, 120, 300, 600, 900, 1_200, 1_800],
  ...[3_600, 7_200, 21_600, 43_200, 86_400],
].map((seconds) => seconds * 1_000);

/** Times in headers are rounded to whole seconds. */
const ROUNDING_MS = 1_000;
/** A window may be shorter than the time to the last rejection, but not much. */
const REJECTED_SHARE = 0.8;

/**
 * Returns the likely length of a window from its end that the service named. The first request of the client may not be
 * the first one of the window, so the length is rounded up if no round length is near.
 *
 * @param sinceFirstMs milliseconds from the first response in the window to the named end.
 */
export function lengthOfNamed(sinceFirstMs: number): number {
  const near = ROUND_LENGTHS_MS.findLast(
    (length) => length <= sinceFirstMs && length > sinceFirstMs - ROUNDING_MS,
  );
  return near ?? ROUND_LENGTHS_MS.find((length) => length >= sinceFirstMs) ?? sinceFirstMs;
}

/**
 * Returns the likely length of a window whose end the service did not name.
 *
 * @param rejectedMs milliseconds from the first response in the window to the last rejection.
 * @param acceptedMs the same to the first request that passed again.
 */
export function lengthOfUnnamed(rejectedMs: number, acceptedMs: number): number {
  // Some services start the window again, or close it longer, at a rejection.
  const leastMs = rejectedMs * REJECTED_SHARE;
  const round = ROUND_LENGTHS_MS.find((length) => length > leastMs && length <= acceptedMs);
  return round ?? Math.ceil(acceptedMs / ROUNDING_MS) * ROUNDING_MS;
}
