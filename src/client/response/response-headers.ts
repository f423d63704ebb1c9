import { inferPlan, inferWindow, type RateLimitValues } from '../../schema/rate-limit.js';

/** Header names in lower case. */
export type Headers = Readonly<Record<string, string>>;

const INTEGER = /^\d{1,15}$/;
const DAY_MS = 86_400_000;

/**
 * Parses `Retry-After` (RFC 9110, section 10.2.3): whole seconds or an HTTP-date. Everything else, such as `1.5`, `-5`,
 * `5, 5` or an empty value, counts as missing, because a guess could be too short.
 *
 * A date is compared with the `Date` header, so that wrong clocks have no effect. Without that header, it is compared
 * with the local clock.
 *
 * @returns the wait in milliseconds, at least 0; `undefined` if the header is missing or invalid.
 */
export function readRetryAfterMs(headers: Headers, localNow: number): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined) return undefined;
  // A number too large for a timer is still a wait, so it does not count as missing.
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1_000, Number.MAX_SAFE_INTEGER);
  const at = parseHttpDate(value, localNow);
  return at === undefined ? undefined : Math.max(0, at - respondedAt(headers, localNow));
}

/** The rate limit headers of a response. */
export interface RateLimitHeaders {
  rateLimit: RateLimitValues;
  /** Milliseconds from the time of the response to the reset, at least 0. */
  untilResetMs: number;
}

/**
 * Parses `X-RateLimit-Limit`, `-Remaining` and `-Reset` (interface specification, "Rate limit headers").
 *
 * @returns `undefined` unless all three are whole numbers.
 */
export function readRateLimit(headers: Headers, localNow: number): RateLimitHeaders | undefined {
  const limit = parseInteger(headers['x-ratelimit-limit']);
  const remaining = parseInteger(headers['x-ratelimit-remaining']);
  const resetSeconds = parseInteger(headers['x-ratelimit-reset']);
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) return undefined;
  const resetAt = resetSeconds * 1_000;
  // The longest window is a day. A later reset means that `Date` is missing and the local clock is wrong.
  const untilResetMs = Math.min(Math.max(0, resetAt - respondedAt(headers, localNow)), DAY_MS);
  const window = inferWindow(limit, untilResetMs);
  const plan = inferPlan(limit, window);
  return {
    rateLimit: {
      limit,
      remaining,
      resetAt,
      ...(window === undefined ? {} : { window }),
      ...(plan === undefined ? {} : { plan }),
    },
    untilResetMs,
  };
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
  const [day, hour, minute, second] = [parts.day, parts.hour, parts.minute, parts.second].map(Number) as [
    number,
    number,
    number,
    number,
  ];
  const month = MONTHS.indexOf(parts.month ?? '');
  const year = parts.year === undefined ? fullYear(Number(parts.shortYear), localNow) : Number(parts.year);
  // :60 is a leap second.
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const time = new Date(0);
  time.setUTCFullYear(year, month, day);
  if (time.getUTCMonth() !== month || time.getUTCDate() !== day) return undefined;
  return time.setUTCHours(hour, minute, second);
}

/** A two-digit year more than 50 years in the future is in the past (RFC 9110, section 5.6.7). */
function fullYear(shortYear: number, localNow: number): number {
  const thisYear = new Date(localNow).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + shortYear;
  return year > thisYear + 50 ? year - 100 : year;
}
