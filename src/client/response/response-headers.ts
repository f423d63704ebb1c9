import { inferPlan, inferWindow, type RateLimit } from '../../schema/rate-limit.js';

/** Header names in lower case. */
export type Headers = Readonly<Record<string, string>>;

const INTEGER = /^\d{1,15}$/;
const DAY_MS = 86_400_000;

/**
 * Reads `Retry-After` (RFC 9110, section 10.2.3): whole seconds or an HTTP-date, and nothing else. `1.5`, `-5`, `0x10`,
 * `5, 5` and an empty value are no answer, rather than a guess that could be too early.
 *
 * A date is held against the answer's own `Date`, so that a wrong clock on either side changes nothing; without one,
 * against the local clock.
 *
 * @returns milliseconds to wait, never negative, or `undefined` where the header is absent or malformed.
 */
export function readRetryAfterMs(headers: Headers, localNow: number): number | undefined {
  const value = headers['retry-after']?.trim();
  if (value === undefined) return undefined;
  // However many digits: a wait too long to be kept must still be told, and never pass for none.
  if (/^\d+$/.test(value)) return Math.min(Number(value) * 1_000, Number.MAX_SAFE_INTEGER);
  const at = parseHttpDate(value, localNow);
  return at === undefined ? undefined : Math.max(0, at - respondedAt(headers, localNow));
}

/** The rate limit headers of an answer, and how far away the reset was when it was written. */
export interface RateLimitReading {
  rateLimit: RateLimit;
  /** Milliseconds from the answer's own time to the reset, 0 where that is past. */
  untilResetMs: number;
}

/**
 * Reads `X-RateLimit-Limit`, `-Remaining` and `-Reset` (interface specification, "Rate limit headers").
 *
 * @returns `undefined` unless all three are whole numbers.
 */
export function readRateLimit(headers: Headers, localNow: number): RateLimitReading | undefined {
  const limit = parseInteger(headers['x-ratelimit-limit']);
  const remaining = parseInteger(headers['x-ratelimit-remaining']);
  const resetSeconds = parseInteger(headers['x-ratelimit-reset']);
  if (limit === undefined || remaining === undefined || resetSeconds === undefined) return undefined;
  const resetAt = resetSeconds * 1_000;
  // The longest window is a day: a longer distance can only be a clock that is wrong where `Date` is missing.
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

/** The service's identifier of the request, under the names in common use. */
export function readRequestId(headers: Headers): string | undefined {
  return headers['x-request-id'] ?? headers['request-id'];
}

/** When the answer was written, by its own `Date`; by the local clock where it has none. */
export function respondedAt(headers: Headers, localNow: number): number {
  const value = headers.date;
  if (value === undefined) return localNow;
  // Thousands of answers carry the same second.
  if (lastDate.value !== value) lastDate = { value, time: parseHttpDate(value.trim(), localNow) };
  return lastDate.time ?? localNow;
}

/** The `Date` read last: a memo, which changes no result. */
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
 * Parses an HTTP-date in one of its three forms (RFC 9110, section 5.6.7). `Date.parse` takes far more, `5, 5` among it.
 *
 * @param localNow decides the century of a two-digit year.
 * @returns milliseconds since the epoch, or `undefined`.
 */
export function parseHttpDate(value: string, localNow: number): number | undefined {
  for (const form of HTTP_DATES) {
    const parts = form.exec(value)?.groups;
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
  // A leap second is written :60.
  if (hour > 23 || minute > 59 || second > 60) return undefined;
  const time = new Date(0);
  time.setUTCFullYear(year, month, day);
  if (time.getUTCMonth() !== month || time.getUTCDate() !== day) return undefined;
  return time.setUTCHours(hour, minute, second);
}

/** A two-digit year that seems more than 50 years ahead lies in the past (RFC 9110, section 5.6.7). */
function fullYear(shortYear: number, localNow: number): number {
  const thisYear = new Date(localNow).getUTCFullYear();
  const year = thisYear - (thisYear % 100) + shortYear;
  return year > thisYear + 50 ? year - 100 : year;
}
