import { parseHttpDate } from './http-date.js';
import {
  type RateLimitHeaders,
  readOtherForms,
  resetTime,
  splitValues,
  toRateLimitHeaders,
} from './rate-limit-forms.js';

/** Header names in lower case. */
export type Headers = Readonly<Record<string, string>>;

const INTEGER = /^\d{1,15}$/;
const DAY_MS = 86_400_000;

/**
 * Parses `Retry-After` (RFC 9110, section 10.2.3): seconds or an HTTP-date. Some services send a fraction of a second.
 * Everything else, such as `-5` or an empty value, counts as missing, because a guess could be too short. Of several
 * values, and of those with a name such as `Retry-After-short` (Nest), the largest counts.
 *
 * A date is compared with the `Date` header, so that wrong clocks have no effect. Without that header, it is compared
 * with the local clock.
 *
 * @returns the wait in milliseconds, at least 0; `undefined` if the header is missing or invalid.
 */
export function readRetryAfterMs(headers: Headers, localNow: number): number | undefined {
  let longestMs: number | undefined;
  for (const value of splitValues(headers['retry-after'] ?? namedWaits(headers))) {
    const at = parseHttpDate(value, localNow);
    let waitMs: number | undefined;
    // A number too large for a timer is still a wait, so it does not count as missing.
    if (SECONDS.test(value)) waitMs = Math.min(Math.ceil(Number(value) * 1_000), Number.MAX_SAFE_INTEGER);
    else if (at !== undefined) waitMs = Math.max(0, at - respondedAt(headers, localNow));
    if (waitMs !== undefined) longestMs = Math.max(longestMs ?? 0, waitMs);
  }
  return longestMs;
}

const SECONDS = /^\d+(?:\.\d+)?$/;

/** Joins the values of all `Retry-After-…`. `Retry-After-Ms` of some services is in milliseconds. */
function namedWaits(headers: Headers): string {
  const names = Object.keys(headers).filter(
    (name) => name.startsWith('retry-after-') && !name.endsWith('-ms'),
  );
  return names.map((name) => headers[name]).join();
}

/** The wait that a response requires. */
export interface ReceivedWait {
  /** Milliseconds, at most 24 hours. Absent if the response names no wait. */
  waitMs?: number;
  /** Whether the response requires more than 24 hours. No window is longer than a day. */
  isTooLong: boolean;
}

/**
 * Reads how long to wait after a 429 response: `Retry-After`, otherwise the reset of the rate limit. A `Retry-After` of
 * more than 24 hours is not credible; then the reset counts, or 24 hours.
 */
export function readWait(
  headers: Headers,
  localNow: number,
  { untilResetMs = 0, isResetTooFar = false }: Partial<RateLimitHeaders> = {},
): ReceivedWait {
  const retryAfterMs = readRetryAfterMs(headers, localNow);
  const isTooLong = isResetTooFar || (retryAfterMs !== undefined && retryAfterMs > DAY_MS);
  if (retryAfterMs !== undefined && retryAfterMs <= DAY_MS) return { waitMs: retryAfterMs, isTooLong };
  // A reset that has passed says nothing.
  if (untilResetMs > 0) return { waitMs: untilResetMs, isTooLong };
  return isTooLong ? { waitMs: DAY_MS, isTooLong } : { isTooLong };
}

export type { RateLimitHeaders } from './rate-limit-forms.js';

/**
 * Parses `X-RateLimit-Limit`, `-Remaining` and `-Reset` (interface specification, "Rate limit headers"). Limiters send
 * other forms too, see `readOtherForms`.
 *
 * @param is429 whether the response rejected the request.
 * @returns `undefined` if the headers are missing or can't be read.
 */
export function readRateLimit(
  headers: Headers,
  localNow: number,
  is429 = false,
): RateLimitHeaders | undefined {
  const limit = parseInteger(headers['x-ratelimit-limit']);
  const remaining = parseInteger(headers['x-ratelimit-remaining']);
  const reset = parseInteger(headers['x-ratelimit-reset']);
  const now = respondedAt(headers, localNow);
  if (limit !== undefined && remaining !== undefined && reset !== undefined) {
    const read = toRateLimitHeaders({ limit, remaining, resetAt: resetTime(reset, now) }, now, is429);
    if (read !== undefined) return read;
  }
  return readOtherForms(headers, now, is429);
}

/** Returns the service's request id, under its two common header names. */
export function readRequestId(headers: Headers): string | undefined {
  return headers['x-request-id'] ?? headers['request-id'];
}

/**
 * Returns the time of the response by its `Date` header, in milliseconds since the epoch. Without it, the local time.
 */
export function respondedAt(headers: Headers, localNow: number): number {
  const value = headers.date;
  if (value === undefined) return localNow;
  // Many responses have the same `Date`.
  if (lastDate.value !== value) lastDate = { value, time: parseHttpDate(value.trim(), localNow) };
  return lastDate.time ?? localNow;
}

/** The last parsed `Date`. Only a cache. */
let lastDate: { value: string; time: number | undefined } = { value: '', time: undefined };

function parseInteger(value: string | undefined): number | undefined {
  const trimmed = value?.trim();
  return trimmed !== undefined && INTEGER.test(trimmed) ? Number(trimmed) : undefined;
}
