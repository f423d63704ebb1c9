import type { MockResponse } from '../service/message.js';

/**
 * Reads `Retry-After`: seconds or an HTTP-date (RFC 9110, section 10.2.3). A date counts from the `Date` of the response.
 * Repeated headers count as the longest. A fraction is not valid, but a client must not retry before it.
 *
 * @param now milliseconds since the epoch, for a response without a `Date`.
 * @returns seconds, at least 0; `undefined` without a readable value.
 */
export function readRetryAfterSeconds({ headers }: MockResponse, now: number): number | undefined {
  const respondedAt = readHttpDate(headers.date?.trim() ?? '') ?? now;
  const waits = (headers['retry-after'] ?? '').split(LIST_COMMA).flatMap((text) => {
    const value = text.trim();
    if (/^\d+(?:\.\d+)?$/.test(value)) return [Math.min(Number(value), SECONDS_MAX)];
    const at = readHttpDate(value);
    return at === undefined ? [] : [Math.max(0, (at - respondedAt) / 1_000)];
  });
  return waits.length === 0 ? undefined : Math.max(...waits);
}

/** A comma after a weekday belongs to a date. */
const LIST_COMMA = /(?<!Mon|Tue|Wed|Thu|Fri|Sat|Sun|day),/;
/** Keeps the end of the wait an exact number. */
const SECONDS_MAX = 1_000_000_000_000;

const TIME = String.raw`\d\d:\d\d:\d\d`;
/** The current form, and the two obsolete ones (RFC 9110, section 5.6.7). */
const DATES = [
  new RegExp(String.raw`^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} ${TIME} GMT$`),
  new RegExp(String.raw`^[A-Z][a-z]+day, \d\d-[A-Z][a-z]{2}-\d\d ${TIME} GMT$`),
];
const ASCTIME = new RegExp(String.raw`^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d ${TIME} \d{4}$`);

/** Milliseconds since the epoch, or `undefined` if it is not an HTTP-date. */
function readHttpDate(text: string): number | undefined {
  // asctime has no time zone; Date.parse would use the local one.
  const date = ASCTIME.test(text) ? `${text} GMT` : text;
  if (date === text && !DATES.some((form) => form.test(text))) return undefined;
  const time = Date.parse(date);
  return Number.isNaN(time) ? undefined : time;
}
