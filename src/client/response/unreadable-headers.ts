import { parseCount, parseReset, splitValues } from './rate-limit-forms.js';
import { type Headers, readRateLimit, readRetryAfterMs } from './response-headers.js';
import { excerpt } from './response-text.js';

/** Much longer than any value that can be read. */
const VALUE_MAX = 60;

/**
 * Returns the headers of a rate limit that can't be read, as lines such as `X-RateLimit-Reset: soon`. None if the limit
 * can be read otherwise.
 *
 * @param headers lower-case names, already redacted.
 */
export function unreadableRateLimitHeaders(headers: Headers): readonly string[] {
  if (readRateLimit(headers, ANY_TIME) !== undefined) return [];
  const named = Object.entries(headers).filter(([name]) => RATE_LIMIT_HEADER.test(name));
  const unread = named.filter(([name, value]) => !isReadable(name, value, headers));
  // Each can be read alone, but not together: one is missing, or more requests remain than the limit allows.
  const isContradiction = unread.length === 0 && named.some(([name]) => !name.startsWith('retry-after'));
  return (isContradiction ? named : unread).map(
    ([name, value]) => `${titled(name)}: ${excerpt(value, VALUE_MAX)}`,
  );
}

const LINES_MAX = 3;

/** Returns a part of a sentence that quotes the first of these lines. */
export function unreadableText(lines: readonly string[]): string {
  const more = lines.length - LINES_MAX;
  const rest = more > 0 ? `; and ${String(more)} more` : '';
  return `rate limit headers that can't be read: ${lines.slice(0, LINES_MAX).join('; ')}${rest}`;
}

/** Whether a value can be read does not depend on the time. */
const ANY_TIME = 0;
const RATE_LIMIT_HEADER = /^(?:(?:x-)?rate-?limit|retry-after)/;

function isReadable(name: string, value: string, headers: Headers): boolean {
  if (name.startsWith('retry-after')) return readRetryAfterMs(headers, ANY_TIME) !== undefined;
  const [, part] = /^(?:x-)?ratelimit-\w*?(limit|remaining|reset)(?:-[\w-]+)?$/.exec(name) ?? [];
  if (part === undefined) return name === 'ratelimit-policy';
  return splitValues(value).every((item) =>
    part === 'reset'
      ? parseReset(item, ANY_TIME) !== undefined
      : parseCount(item.replace(/;.*/, '').trim()) !== undefined,
  );
}

/** Writes the known part of a lower-case name as its sender does. */
function titled(name: string): string {
  return name
    .replace(/^x-/, 'X-')
    .replace(/^(X-)?ratelimit/, '$1RateLimit')
    .replace(/^(X-)?rate-limit/, '$1Rate-Limit')
    .replace(/^retry-after/, 'Retry-After')
    .replace(
      /-(limit|remaining|reset|policy)(?=-|$)/,
      (part) => `-${part.charAt(1).toUpperCase()}${part.slice(2)}`,
    );
}
