/** How long to wait: pure functions of what is known. Nothing here sleeps. */

/** The retry options with every default filled in. */
export interface RetryPolicy {
  attemptsMax: number;
  baseDelayMs: number;
  capDelayMs: number;
  waitMaxMs: number;
}

/** The defaults of `RetryOptions`. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  attemptsMax: 4,
  baseDelayMs: 500,
  capDelayMs: 8_000,
  waitMaxMs: 60_000,
};

/** Jitter on a told wait never makes it longer than this. */
const RETRY_AFTER_JITTER_MAX_MS = 1_000;

/**
 * A wait of the client's own choice before retry number `retry` (1 for the first): exponential up to the cap, and of
 * that between the half and the whole, so that clients that failed together don't come back together.
 */
export function backoffMs(policy: RetryPolicy, retry: number, random: () => number): number {
  const full = exponentialMs(policy, retry - 1);
  return full / 2 + (full / 2) * random();
}

/**
 * The wait after a 429. Never shorter than told: jitter is only added. Each repeat waits exponentially longer on top
 * (interface specification, "Exceeding the limit", 3).
 *
 * @param toldMs what the answer told, where it told anything.
 * @param repeats 429s in a row before this one.
 */
export function waitAfter429Ms(
  policy: RetryPolicy,
  toldMs: number | undefined,
  repeats: number,
  random: () => number,
): number {
  const baseMs = toldMs ?? exponentialMs(policy, 0);
  const repeatMs = repeats === 0 ? 0 : exponentialMs(policy, repeats);
  const jitterMs = random() * Math.min(RETRY_AFTER_JITTER_MAX_MS, 100 + baseMs / 10);
  return baseMs + repeatMs + jitterMs;
}

function exponentialMs(policy: RetryPolicy, exponent: number): number {
  return Math.min(policy.capDelayMs, policy.baseDelayMs * 2 ** Math.min(exponent, 30));
}
