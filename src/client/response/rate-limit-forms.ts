import {
  DATE_MAX_MS,
  inferPlan,
  inferWindow,
  type RateLimitValues,
  type RateWindow,
} from '../../schema/rate-limit.js';
import { parseHttpDate } from './http-date.js';

/** The rate limit headers of a response. */
export interface RateLimitHeaders {
  /** Of several windows, the one with the fewest requests left. */
  rateLimit: RateLimitValues;
  /** Milliseconds from the time of the response to the reset, from 0 to 24 hours. */
  untilResetMs: number;
  /** Whether the reset is more than 24 hours away, which is not credible: no window is longer than a day. */
  isResetTooFar: boolean;
  /** Length of the window in milliseconds, if the headers name it. */
  windowMs?: number;
  /** The other windows that the response shows. */
  others?: readonly RateLimitHeaders[];
}

/** A window as the headers show it. Times in milliseconds. */
interface ShownWindow {
  limit: number;
  remaining: number;
  resetAt: number;
  windowMs?: number | undefined;
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The reset and `Date` are whole seconds. Without `Date`, the local clock may be wrong. */
const RESET_TOLERANCE_MS = 600_000;

/**
 * Computes the distance to the reset, and infers window and plan.
 *
 * @param now the time of the response.
 * @param is429 whether the response rejected the request.
 * @returns `undefined` if more requests remain than the limit allows, or the reset is no point in time.
 */
export function toRateLimitHeaders(
  { limit, remaining, resetAt, windowMs }: ShownWindow,
  now: number,
  is429: boolean,
): RateLimitHeaders | undefined {
  if (remaining > limit || !(resetAt <= DATE_MAX_MS)) return undefined;
  // A later reset is not credible, or `Date` is missing and the local clock is wrong.
  const isResetTooFar = resetAt - now > DAY_MS + RESET_TOLERANCE_MS;
  const untilResetMs = Math.min(Math.max(0, resetAt - now), DAY_MS);
  const rateLimit: RateLimitValues = { limit, remaining, resetAt };
  // No window of a plan ends so late.
  const inferred = isResetTooFar ? undefined : inferWindow(limit, untilResetMs, is429);
  const window = windowMs === undefined ? inferred : WINDOWS.get(windowMs);
  if (window !== undefined) rateLimit.window = window;
  const plan = inferPlan(limit, window);
  if (plan !== undefined) rateLimit.plan = plan;
  const read: RateLimitHeaders = { rateLimit, untilResetMs, isResetTooFar };
  if (windowMs !== undefined) read.windowMs = windowMs;
  return read;
}

const WINDOWS = new Map<number, RateWindow>([
  [MINUTE_MS, 'minute'],
  [DAY_MS, 'day'],
]);

/** A larger number of seconds is a Unix time: no window is longer than a day. */
const RELATIVE_MAX_SECONDS = 86_400;

/**
 * Converts a numeric reset to a time: seconds from the response, a Unix time in seconds, or one in milliseconds.
 * Fractions are rounded up to milliseconds.
 */
export function resetTime(reset: number, now: number): number {
  if (reset <= RELATIVE_MAX_SECONDS) return now + Math.ceil(reset * 1_000);
  // Milliseconds, read as seconds, would be far in the future.
  const isMilliseconds = reset * 1_000 - now > DAY_MS && Math.abs(reset - now) <= DAY_MS;
  return Math.ceil(isMilliseconds ? reset : reset * 1_000);
}

type Headers = Readonly<Record<string, string>>;

/**
 * Reads the rate limit in the forms of other limiters: with fractions, as a date, as a list, sent twice, or with names of
 * their own; and, where no `X-RateLimit-*` can be read, the fields of the IETF drafts
 * (draft-ietf-httpapi-ratelimit-headers). docs/rate-limits.md lists who sends what.
 */
export function readOtherForms(headers: Headers, now: number, is429: boolean): RateLimitHeaders | undefined {
  const names = Object.keys(headers).filter(
    (name) => name.startsWith('x-ratelimit-') || name.startsWith('ratelimit'),
  );
  if (names.length === 0) return undefined;
  const windows = separateWindows(headers, 'x-ratelimit', now) ??
    separateWindows(headers, 'ratelimit', now) ?? [
      ...namedWindows(names, headers, now),
      ...fieldWindows(headers, now),
    ];
  const read = windows.flatMap((window) => toRateLimitHeaders(window, now, is429) ?? []);
  read.sort(
    ({ rateLimit: one }, { rateLimit: other }) =>
      one.remaining - other.remaining || other.resetAt - one.resetAt || one.limit - other.limit,
  );
  const [strictest, ...others] = read.slice(0, WINDOWS_MAX);
  if (strictest === undefined || others.length === 0) return strictest;
  return { ...strictest, others };
}

/** Reads `-Limit`, `-Remaining` and `-Reset`. Headers that were sent twice show two windows. */
function separateWindows(headers: Headers, prefix: string, now: number): ShownWindow[] | undefined {
  const listed = splitValues(headers[`${prefix}-limit`]).map(parseItem);
  const policies = [...listed, ...splitValues(headers['ratelimit-policy']).map(parseItem)].filter(
    ({ parameters }) => parameters.w !== undefined,
  );
  // In `60, 60;w=60` the first number is the limit, and the others are policies.
  const plain = listed.filter(({ parameters }) => parameters.w === undefined);
  const limits = allRead((plain.length > 0 ? plain : listed).map(({ value }) => parseCount(value)));
  const remaining = allRead(splitValues(headers[`${prefix}-remaining`]).map(parseCount));
  const resets = allRead(splitValues(headers[`${prefix}-reset`]).map((value) => parseReset(value, now)));
  if (limits === undefined || remaining === undefined || resets === undefined) return undefined;
  const windowMsOf = (limit: number): number | undefined =>
    windowLength(policies.find(({ value }) => parseCount(value) === limit)?.parameters.w);
  const count = limits.length;
  const isPerWindow = count <= WINDOWS_MAX && count === remaining.length && count === resets.length;
  const strictest = { remaining: Math.min(...remaining), resetAt: Math.max(...resets) };
  const shown = isPerWindow
    ? limits.map((limit, index) => ({
        limit,
        remaining: remaining[index] ?? strictest.remaining,
        resetAt: resets[index] ?? strictest.resetAt,
      }))
    : [{ limit: Math.min(...limits), ...strictest }];
  const unique = shown.filter(
    (window, index) => shown.findIndex((other) => isSameWindow(window, other)) === index,
  );
  return unique.map((window) => ({ ...window, windowMs: windowMsOf(window.limit) }));
}

/** Maximum number of windows of a response. More of them in separate headers are read as one, the strictest. */
const WINDOWS_MAX = 8;

/** Limits with a name: `X-RateLimit-Limit-short` (Nest), `X-RateLimit-UserLimit` (hapi). */
const NAMED_LIMIT = /^x-ratelimit-(\w*)limit(-[\w-]+)?$/;

function namedWindows(names: readonly string[], headers: Headers, now: number): ShownWindow[] {
  return names.flatMap((header) => {
    const [isNamed, scope = '', suffix = ''] = NAMED_LIMIT.exec(header) ?? [];
    if (isNamed === undefined) return [];
    const valueOf = (part: string): string | undefined => headers[`x-ratelimit-${scope}${part}${suffix}`];
    const limit = parseCount(valueOf('limit'));
    return shownWindow(limit, valueOf('remaining'), valueOf('reset'), undefined, now);
  });
}

function isSameWindow(one: ShownWindow, other: ShownWindow): boolean {
  return one.limit === other.limit && one.remaining === other.remaining && one.resetAt === other.resetAt;
}

/** Reads `RateLimit` with `RateLimit-Policy`: one dictionary (draft 7), or a list with an item for each window (draft 8). */
function fieldWindows(headers: Headers, now: number): ShownWindow[] {
  const items = splitValues(headers.ratelimit).map(parseItem);
  const policies = splitValues(headers['ratelimit-policy']).map(parseItem);
  const members = membersOf(items.map(({ value }) => value));
  if (members.limit !== undefined) {
    const limit = parseCount(members.limit);
    const policy = policies.find(({ value }) => parseCount(value) === limit);
    return shownWindow(limit, members.remaining, members.reset, policy?.parameters.w, now);
  }
  return items.flatMap(({ value, parameters: { r, t } }) => {
    const policy = policies.find((each) => each.value === value)?.parameters;
    return shownWindow(parseCount(policy?.q), r, t, policy?.w, now);
  });
}

function shownWindow(
  limit: number | undefined,
  remainingText: string | undefined,
  resetText: string | undefined,
  lengthText: string | undefined,
  now: number,
): ShownWindow[] {
  const [remaining, resetAt] = [parseCount(remainingText), parseReset(resetText, now)];
  if (limit === undefined || remaining === undefined || resetAt === undefined) return [];
  return [{ limit, remaining, resetAt, windowMs: windowLength(lengthText) }];
}

/** Returns the values, unless there are none or one could not be read. */
function allRead(values: readonly (number | undefined)[]): readonly number[] | undefined {
  const read = values.filter((value) => value !== undefined);
  return read.length > 0 && read.length === values.length ? read : undefined;
}

/** Splits the values of a header. Commas in quoted strings and after the weekday of an HTTP-date do not separate. */
export function splitValues(value: string | undefined): string[] {
  if (value === undefined) return [];
  if (!value.includes(',')) return [value.trim()];
  return splitOutsideQuotes(value, ',', /(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|day)$/);
}

/** A value with parameters, such as `"name"; r=4; t=5` (RFC 9651, section 3.1.2). */
function parseItem(text: string): { value: string; parameters: Members } {
  const [value = '', ...rest] = splitOutsideQuotes(text, ';');
  return { value, parameters: membersOf(rest) };
}

type Members = Readonly<Partial<Record<string, string>>>;

/** Reads texts such as `r=4`. */
function membersOf(texts: readonly string[]): Members {
  const members: Partial<Record<string, string>> = {};
  for (const text of texts) {
    const [name = '', value] = text.split('=');
    if (value !== undefined) members[name] = value;
  }
  return members;
}

/** @param joined the end of a part that belongs to the next one. */
function splitOutsideQuotes(text: string, separator: string, joined?: RegExp): string[] {
  const parts: string[] = [];
  let isQuoted = false;
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (isQuoted || text[at] !== separator) continue;
    if (joined?.test(text.slice(Math.max(start, at - WEEKDAY_MAX), at)) === true) continue;
    parts.push(text.slice(start, at).trim());
    start = at + 1;
  }
  return [...parts, text.slice(start).trim()];
}

/** More than the longest weekday. */
const WEEKDAY_MAX = 10;

const NUMBER = /^-?\d{1,15}(?:\.\d{1,15})?$/;

/** Parses a number of requests, such as `60` or `60.0`. A negative one means that none is left. */
export function parseCount(text: string | undefined): number | undefined {
  return text !== undefined && NUMBER.test(text) ? Math.max(0, Math.floor(Number(text))) : undefined;
}

function windowLength(seconds: string | undefined): number | undefined {
  const count = parseCount(seconds);
  return count === undefined || count === 0 ? undefined : count * 1_000;
}

const ISO_DATE = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2})$/;
/** A date of JavaScript that was converted to text. */
const DATE_TEXT = /^\w{3} \w{3} \d{2} \d{4} \d{2}:\d{2}:\d{2} GMT[+-]\d{4}(?: \([^()]{1,60}\))?$/;

/** Parses a reset: a number, or a date. */
export function parseReset(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined;
  if (NUMBER.test(text)) return Number(text) < 0 ? undefined : resetTime(Number(text), now);
  const time = ISO_DATE.test(text) || DATE_TEXT.test(text) ? Date.parse(text) : parseHttpDate(text, now);
  return Number.isNaN(time) ? undefined : time;
}
