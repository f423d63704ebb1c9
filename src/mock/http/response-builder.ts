import type { Budget } from '../service/limits.js';
import { byteLength, type MockResponse } from '../service/message.js';
import type { RouteResponse } from './routes.js';

/** Completes a response for a request with the given method. */
export type ResponseBuilder = (
  method: string,
  routeResponse: RouteResponse,
  budget: Budget,
  now: number,
) => MockResponse;

/** Adds the headers of every response: rate limit, date by the mock's clock, and instance. */
export function createResponseBuilder(instance: string): ResponseBuilder {
  let dateSecond = -1;
  let date = '';
  return (method, { status, body, headers }, budget, now) => {
    const second = Math.floor(now / 1_000);
    if (second !== dateSecond) {
      dateSecond = second;
      date = new Date(now).toUTCString();
    }
    return {
      status,
      headers: {
        'content-type': 'application/json',
        'content-length': String(byteLength(body)),
        date,
        'x-ratelimit-limit': String(budget.limit),
        'x-ratelimit-remaining': String(budget.remaining),
        'x-ratelimit-reset': String(Math.ceil(budget.resetAt / 1_000)),
        'x-mock-instance': instance,
        ...headers,
      },
      body: method === 'HEAD' ? '' : body,
    };
  };
}

/**
 * The page of a gateway has no rate headers.
 *
 * @param complete adds the headers of every response.
 */
export function gatewayPage(complete: (response: RouteResponse) => MockResponse): MockResponse {
  const body =
    '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n';
  const response = complete({ status: 502, body });
  const headers = Object.entries(response.headers).filter(([name]) => !name.startsWith('x-ratelimit-'));
  return { ...response, headers: { ...Object.fromEntries(headers), 'content-type': 'text/html' } };
}

/** RFC 9110, sections 8.6, 15.3.5, 15.3.6 and 15.4.5: no content for 204, 205 and 304; a 205 has Content-Length 0. */
export function withoutContent(response: MockResponse): MockResponse {
  const { status } = response;
  if (status !== 204 && status !== 205 && status !== 304) return response;
  const headers = Object.entries(response.headers).filter(([name]) => !name.startsWith('content-'));
  if (status === 205) headers.push(['content-length', '0']);
  return { status, headers: Object.fromEntries(headers), body: '' };
}

/** Removes the last bracket. The length is right, but the body is not JSON. */
export function withBrokenJson(response: MockResponse): MockResponse {
  const body = response.body.slice(0, -1);
  const headers = { ...response.headers, 'content-length': String(byteLength(body)) };
  return { status: response.status, headers, body };
}

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

/** A comma after a weekday belongs to a date. A line break separates repeated headers. */
const LIST_COMMA = /\n|(?<!Mon|Tue|Wed|Thu|Fri|Sat|Sun|day),/;
/** Keeps the end of the wait an exact number. */
const SECONDS_MAX = 1_000_000_000_000;

/** The current form, and the two obsolete ones (RFC 9110, section 5.6.7). asctime has no time zone. */
const HTTP_DATE = /^([A-Z][a-z]+,? [\w -]+ \d\d:\d\d:\d\d(?: \d{4})?)(?: GMT)?$/;

/** Milliseconds since the epoch, or `undefined` if it is not an HTTP-date. */
function readHttpDate(text: string): number | undefined {
  const [, date] = HTTP_DATE.exec(text) ?? [];
  const time = Date.parse(`${date ?? ''} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
