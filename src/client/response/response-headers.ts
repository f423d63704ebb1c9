import { DATE_MAX_MS, inferPlan, inferWindow, type RateLimitValues } from '../../schema/rate-limit.js';

/** Header names in lower case. */
export type Headers = Readonly<Record<string, string>>;

const INTEGER = /^\d{1,15}$/;
const DAY_MS = 86_400_000;
/** The reset and `Date` are whole seconds. Without `Date`, the local clock may be wrong. */
const RESET_TOLERANCE_MS = 600_000;

/**
 * Parses `Retry-After` (RFC 9110, section 10.2.3): whole seconds or an HTTP-date. Everything else, such as `1.5`, `-5` or
 * an empty value, counts as missing, because a guess could be too short. Of several values the largest counts.
 *
 * A date is compared with the `Date` header, so that wrong clocks have no effect. Without that header, it is compared
 * with the local clock.
 *
 * @returns the wait in milliseconds, at least 0; `undefined` if the header is missing or invalid.
 */
export function readRetryAfterMs(headers: Headers, localNow: number): number | undefined {
  let longestMs: number | undefined;
  for (const value of retryAfterValues(headers)) {
    const at = parseHttpDate(value, localNow);
    let waitMs: number | undefined;
    // A number too large for a timer is still a wait, so it does not count as missing.
    if (/^\d+$/.test(value)) waitMs = Math.min(Number(value) * 1_000, Number.MAX_SAFE_INTEGER);
    else if (at !== undefined) waitMs = Math.max(0, at - respondedAt(headers, localNow));
    if (waitMs !== undefined) longestMs = Math.max(longestMs ?? 0, waitMs);
  }
  return longestMs;
}

/** Splits joined header lines. A comma after a weekday belongs to an HTTP-date. */
function retryAfterValues(headers: Headers): string[] {
  return (headers['retry-after'] ?? '')
    .split(/(?<!Mon|Tue|Wed|Thu|Fri|Sat|Sun|day),/)
    .map((value) => value.trim());
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
  if (untilResetMs > 0) return { waitMs: Math.max(untilResetMs, fractionMs(headers)), isTooLong };
  if (isTooLong) return { waitMs: DAY_MS, isTooLong };
  return fractionMs(headers) > 0 ? { waitMs: fractionMs(headers), isTooLong } : { isTooLong };
}

/** A fraction of a second is invalid in `Retry-After`, but no request is sent earlier. */
function fractionMs(headers: Headers): number {
  const values = retryAfterValues(headers).filter((value) => /^\d{1,9}\.\d+$/.test(value));
  return Math.min(DAY_MS, Math.ceil(Math.max(0, ...values.map(Number)) * 1_000));
}

/** The rate limit headers of a response. */
export interface RateLimitHeaders {
  rateLimit: RateLimitValues;
  /** Milliseconds from the time of the response to the reset, from 0 to 24 hours. */
  untilResetMs: number;
  /** Whether the reset is more than 24 hours away, which is not credible: no window is longer than a day. */
  isResetTooFar: boolean;
}

/**
 * Parses `X-RateLimit-Limit`, `-Remaining` and `-Reset` (interface specification, "Rate limit headers").
 *
 * @param is429 whether the response rejected the request.
 * @returns `undefined` unless all three are whole numbers, the reset is a point in time, and no more requests remain
 * than the limit allows.
 */
export function readRateLimit(
  headers: Headers,
  localNow: number,
  is429 = false,
): RateLimitHeaders | undefined {
  const limit = parseInteger(headers['x-ratelimit-limit']);
  const remaining = parseInteger(headers['x-ratelimit-remaining']);
  const resetSeconds = parseInteger(headers['x-ratelimit-reset']);
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) return undefined;
  if (remaining > limit || resetSeconds * 1_000 > DATE_MAX_MS) return undefined;
  const now = respondedAt(headers, localNow);
  // Some services send milliseconds. As seconds they would be far in the future.
  const isMilliseconds = resetSeconds * 1_000 - now > DAY_MS && Math.abs(resetSeconds - now) <= DAY_MS;
  const resetAt = isMilliseconds ? resetSeconds : resetSeconds * 1_000;
  // A later reset is not credible, or `Date` is missing and the local clock is wrong.
  const isResetTooFar = resetAt - now > DAY_MS + RESET_TOLERANCE_MS;
  const untilResetMs = Math.min(Math.max(0, resetAt - now), DAY_MS);
  const rateLimit: RateLimitValues = { limit, remaining, resetAt };
  const window = inferWindow(limit, untilResetMs, is429);
  if (window !== undefined) rateLimit.window = window;
  const plan = inferPlan(limit, window);
  if (plan !== undefined) rateLimit.plan = plan;
  return { rateLimit, untilResetMs, isResetTooFar };
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

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const MONTH = `(?<month>${MONTHS.join('|')})`;
const TIME = '(?<hour>\\d{2}):(?<minute>\\d{2}):(?<second>\\d{2})';
const HTTP_DATES = [
  // IMF-fixdate, RFC 850 and asctime, in that order (RFC 9110, section 5.6.7).
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\\d{2}) ${MONTH} (?<year>\\d{4}) ${TIME} GMT$`),
  new RegExp(
    `^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\\d{2})-${MONTH}-(?<shortYear>\\d{2}) ${TIME} GMT$`,
  ),
  new RegExp(`^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ${MONTH} (?<day>[ \\d]\\d) ${TIME} (?<year>\\d{4})$`),
];

/**
 * Parses an HTTP-date in one of its three forms (RFC 9110, section 5.6.7). `Date.parse` also accepts other text, such
 * as `5, 5`.
 *
 * @param localNow determines the century of a two-digit year.
 * @returns milliseconds since the epoch, or `undefined` if it is invalid.
 */
export function parseHttpDate(value: string, localNow: number): number | undefined {
  for (const format of HTTP_DATES) {
    const parts = format.exec(value)?.groups;
    if (parts !== undefined) return toTime(parts, localNow);
  }
  return undefined;
}

function toTime(parts: Record<string, string | undefined>, localNow: number): number | undefined {
  if (parts.year !== undefined) return timeInYear(Number(parts.year), parts);
  // A time more than 50 years in the future is a past one, of the most recent year with the same digits (RFC 9110, section
  // 5.6.7).
  const latest = new Date(localNow);
  latest.setUTCFullYear(latest.getUTCFullYear() + 50);
  const lastYear = latest.getUTCFullYear();
  const year = lastYear - (lastYear % 100) + Number(parts.shortYear);
  // 29 February exists in one of two years only, so the year is chosen by the day before it is validated.
  const isLater = Date.UTC(year, ...dayAndTime(parts)) > latest.getTime();
  return timeInYear(isLater ? year - 100 : year, parts);
}

function dayAndTime(
  parts: Record<string, string | undefined>,
): [month: number, day: number, hour: number, minute: number, second: number] {
  const month = MONTHS.indexOf(parts.month ?? '');
  return [month, Number(parts.day), Number(parts.hour), Number(parts.minute), Number(parts.second)];
}

/** Returns `undefined` for a time that does not exist, such as 30 February. The second 60 is a leap second. */
function timeInYear(year: number, parts: Record<string, string | undefined>): number | undefined {
  const [month, day, hour, minute, second] = dayAndTime(parts);
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const time = new Date(0);
  time.setUTCFullYear(year, month, day);
  if (time.getUTCMonth() !== month || time.getUTCDate() !== day) return undefined;
  return time.setUTCHours(hour, minute, second);
}
