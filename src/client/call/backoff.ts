import type { RetryOptions } from '../contract/options.js';

/** Options with all defaults. */
export type Complete<T> = { readonly [K in keyof T]-?: Exclude<T[K], undefined> };

/** `RetryOptions` with all defaults. */
export type RetryPolicy = Complete<RetryOptions>;

/** The defaults of `RetryOptions`. */
export const DEFAULT_RETRY_POLICY: RetryPolicy = {
  attemptsMax: 4,
  baseDelayMs: 500,
  capDelayMs: 8_000,
  waitMaxMs: 75_000,
};

/**
 * Minimum backoff after consecutive 429 responses, so that a client with a smaller `capDelayMs` does not get a ban
 * (interface specification, "Exceeding the limit", 3).
 */
const REPEAT_MIN_MS = 500;

/**
 * Backoff after 429 responses that name no time: from a second, because no limit counts over less, doubled up to the
 * shortest published window. The end of a minute is found with 6 of them, and a key with 11 in a row may be banned.
 */
const UNNAMED_MIN_MS = 1_000;
const UNNAMED_MAX_MS = 60_000;

/** Maximum jitter added to the wait after a 429. */
const RETRY_AFTER_JITTER_MAX_MS = 1_000;

/**
 * Returns the delay before a retry, in milliseconds: exponential up to `capDelayMs`. One half of it is random, so that
 * clients that failed together do not retry together.
 *
 * @param retry number of the retry, from 1.
 */
export function backoffMs(policy: RetryPolicy, retry: number, random: () => number): number {
  const fullMs = exponentialMs(policy, retry - 1);
  return fullMs / 2 + (fullMs / 2) * random();
}

/**
 * Returns the wait after a 429, in milliseconds. Never shorter than the received wait, because jitter is only added.
 * After consecutive 429 responses it grows exponentially (interface specification, "Exceeding the limit", 3).
 *
 * @param retryAfterMs the received wait, if any.
 * @param previous429Count number of consecutive 429 responses before this one.
 * @param waitMaxMs jitter does not make the wait longer than this.
 */
export function waitAfter429Ms(
  policy: RetryPolicy,
  retryAfterMs: number | undefined,
  previous429Count: number,
  random: () => number,
  waitMaxMs = Number.POSITIVE_INFINITY,
): number {
  const isNamed = retryAfterMs !== undefined;
  const baseMs = isNamed ? retryAfterMs : unnamedMs(policy, previous429Count);
  const isRepeat = isNamed && previous429Count > 0;
  const repeatMs = isRepeat ? Math.max(REPEAT_MIN_MS, exponentialMs(policy, previous429Count)) : 0;
  const jitterMs = random() * Math.min(RETRY_AFTER_JITTER_MAX_MS, 100 + baseMs / 10);
  const requiredMs = baseMs + repeatMs;
  return requiredMs + Math.min(jitterMs, Math.max(0, waitMaxMs - requiredMs));
}

function unnamedMs({ baseDelayMs }: RetryPolicy, previous429Count: number): number {
  const firstMs = Math.max(UNNAMED_MIN_MS, baseDelayMs);
  return Math.max(firstMs, Math.min(UNNAMED_MAX_MS, firstMs * 2 ** Math.min(previous429Count, 30)));
}

function exponentialMs(policy: RetryPolicy, exponent: number): number {
  return Math.min(policy.capDelayMs, policy.baseDelayMs * 2 ** Math.min(exponent, 30));
}
