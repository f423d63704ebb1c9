import { isObject } from '../../options/check-options.js';
import { suggestionFor } from '../../options/suggest.js';
import { durationMs } from './clock.js';
import { requestMatcher } from './fault-match.js';
import type { Random } from './random.js';

/**
 * The action of a fault.
 *
 * - `{ status, retryAfter?, headers?, body? }`: responds with this status (200 to 599). The request has no effect and does
 *   not count against the limits. See `FaultResponse`.
 * - `{ latencyMs }`: delays the response by milliseconds, more than 0, at most 10^12. Adds to other latencies.
 * - `{ bytesPerSecond }`: sends the body slowly, with more than 0 bytes per second. Also applies to other faults.
 * - `{ cutAfterBytes }`: closes the connection after this many bytes of the body, 0 or more. Also applies to other faults.
 * - `{ rateLimitSeconds }`: blocks the key for seconds, more than 0, at most 10^9, as if another program had used up its
 *   limit: status 429.
 * - `reset`: closes the connection. The request has no effect.
 * - `lost-write`: carries out the request, and closes the connection without a response.
 * - `html-502`: responds with the HTML page of a gateway, without rate headers. The request has no effect.
 * - `bad-json`: carries out the request, and responds with a body that is not JSON.
 * - `truncate`: carries out the request, and closes the connection after half of the response body.
 */
export type FaultAction =
  | 'reset'
  | 'lost-write'
  | 'html-502'
  | 'bad-json'
  | 'truncate'
  | FaultResponse
  | { latencyMs: number }
  | { bytesPerSecond: number }
  | { cutAfterBytes: number }
  | { rateLimitSeconds: number };

/** A response that replaces the one of the service. */
export interface FaultResponse {
  /** 200 to 599. */
  status: number;
  /**
   * The header `Retry-After`, or a list for several such headers. `date+30s` and `date-5m` are an HTTP-date, counted from
   * the time of the response. Everything else is sent as it is, also `-5`, `90000` or `soon`.
   *
   * @default no header
   */
  retryAfter?: number | string | readonly (number | string)[];
  /** More headers, or other values for those of every response. A list sends a header several times. */
  headers?: Readonly<Record<string, string | readonly string[]>>;
  /**
   * A text, or a value that is sent as JSON. The content type is `application/json`, unless `headers` sets another one.
   *
   * @default an error body
   */
  body?: unknown;
}

/** A fault that the mock injects. */
export interface Fault {
  /**
   * A method, a path below `/v1`, or both: `POST`, `/pets/{petId}`, `/pets/7`, `GET /pets`. `GET` includes HEAD.
   *
   * @default every request
   */
  route?: string;
  /**
   * Parameters that the query must have, such as `status=sold&limit=5`. A name without `=` matches every value.
   *
   * @default every query
   */
  query?: string;
  /**
   * A text that the body of the request must contain.
   *
   * @default every body
   */
  body?: string;
  /**
   * Number of matching requests before the fault starts, 0 or more.
   *
   * @default 0
   */
  skip?: number;
  /**
   * Number of requests that the fault is applied to, 0 or more.
   *
   * @default all
   */
  times?: number;
  /**
   * Probability that the fault is applied to a matching request, 0 to 1. Depends on the mock's seed.
   *
   * @default 1
   */
  probability?: number;
  action: FaultAction;
}

/**
 * Validates a fault. The control API passes unchecked JSON.
 *
 * @throws TypeError if it is invalid.
 */
export function checkFault(fault: Fault): void {
  const fail: (reason: string) => never = (reason) => {
    throw new TypeError(`Invalid fault: ${reason}`);
  };
  if (typeof fault !== 'object' || (fault as Fault | null) === null) fail('not a string and not an object');
  const unknown = Object.keys(fault).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) fail(`unknown property "${unknown}". ${suggestionFor(unknown, FIELDS)}`);
  checkCounts(fault, fail);
  const { action } = fault;
  for (const field of ['route', 'query', 'body'] as const)
    if (fault[field] !== undefined && typeof fault[field] !== 'string') fail(`${field} is not a string`);
  requestMatcher(fault);
  if (typeof action === 'object' && (action as FaultAction | null) !== null) checkActionNames(action, fail);
  if (!isAction(action))
    fail(`action is not one of ${ACTIONS.join(', ')}, ${MAIN_FIELDS.map((name) => `{${name}}`).join(', ')}`);
  if (typeof action === 'object' && 'status' in action) checkResponse(action, fail);
}

/** The part of a fault that decides which of the matching requests it is applied to. */
type Counts = Pick<Fault, 'skip' | 'times' | 'probability'>;

/** Validates the counts of a fault of the service or of the DNS. */
export function checkCounts(fault: Counts, fail: (reason: string) => never): void {
  for (const field of ['skip', 'times'] as const) {
    const value = fault[field];
    if (value !== undefined && !(Number.isInteger(value) && value >= 0))
      fail(`${field} is not a whole number`);
  }
  const { probability = 1 } = fault;
  if (!(probability >= 0 && probability <= 1)) fail('probability is not between 0 and 1');
}

/** A fault with its counts. */
export interface CountedFault<F extends Counts = Fault> {
  fault: F;
  /** Requests that matched it. */
  seen: number;
  /** Requests that it was applied to. */
  applied: number;
}

/** Counts a matching request, and returns whether the fault applies to it. */
export function takesEffect(entry: CountedFault<Counts>, random: Random): boolean {
  const { skip = 0, times = Infinity, probability = 1 } = entry.fault;
  entry.seen += 1;
  if (entry.seen <= skip || entry.applied >= times) return false;
  if (probability < 1 && random() >= probability) return false;
  entry.applied += 1;
  return true;
}

const FIELDS: readonly string[] = [
  ...(['route', 'query', 'body', 'skip', 'times', 'probability', 'action'] satisfies (keyof Fault)[]),
];

/** Each names an action. */
const MAIN_FIELDS = ['status', 'latencyMs', 'bytesPerSecond', 'cutAfterBytes', 'rateLimitSeconds'];
const RESPONSE_FIELDS = ['retryAfter', 'headers', 'body'];

function checkActionNames(action: object, fail: (reason: string) => never): void {
  const names = Object.keys(action);
  const known = [...MAIN_FIELDS, ...RESPONSE_FIELDS];
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined)
    fail(`unknown property "${unknown}" of action. ${suggestionFor(unknown, known)}`);
  if (names.filter((name) => MAIN_FIELDS.includes(name)).length > 1)
    fail('action has properties of two actions; write two faults');
  const alone = names.find((name) => RESPONSE_FIELDS.includes(name));
  if (alone !== undefined && !names.includes('status')) fail(`${alone} of action needs status`);
}

/** RFC 9110, sections 5.1 and 5.5, in the characters that node:http writes. */
const HEADER_NAME = /^[\w!#$%&'*+\-.^`|~]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** They say where the body ends. */
const FRAMING = /^(?:content-length|transfer-encoding|connection|trailer|upgrade)$/i;

function checkResponse(
  { retryAfter = [], headers = {} }: FaultResponse,
  fail: (reason: string) => never,
): void {
  for (const value of linesOf(retryAfter)) {
    if (!HEADER_VALUE.test(value)) fail('retryAfter is not a number, a text, or a list of them');
    if (value.startsWith('date') && !DATE_AFTER.test(value))
      fail(`retryAfter is not a date such as date+30s: ${value}`);
  }
  if (!isObject(headers)) fail('headers is not an object');
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) fail(`${JSON.stringify(name)} is not the name of a header`);
    if (FRAMING.test(name)) fail(`the mock itself sets the header ${name}; see cutAfterBytes`);
    if (
      !(Array.isArray(value) ? value : [value]).every(
        (line) => typeof line === 'string' && HEADER_VALUE.test(line),
      )
    )
      fail(`the header ${name} is not a text or a list of texts`);
  }
}

/** A `retryAfter` that becomes an HTTP-date. */
const DATE_AFTER = /^date([+-])(\d+(?:\.\d+)?(?:ms|s|m|h|d))$/;

function linesOf(values: string | number | readonly (string | number)[]): string[] {
  return [values].flat().map(String);
}

/** Returns the own headers of a response. A line break separates the lines of a header that is sent several times. */
export function faultHeaders(
  { retryAfter, headers = {} }: FaultResponse,
  now: number,
): Record<string, string> {
  const lines = Object.entries(headers).map(([name, value]) => [
    name.toLowerCase(),
    linesOf(value).join('\n'),
  ]);
  const own = Object.fromEntries(lines) as Record<string, string>;
  if (retryAfter === undefined) return own;
  const waits = linesOf(retryAfter).map((value) => {
    const [, sign, duration] = DATE_AFTER.exec(value) ?? [];
    if (duration === undefined) return value;
    return new Date(now + (sign === '-' ? -1 : 1) * durationMs(duration)).toUTCString();
  });
  return { 'retry-after': waits.join('\n'), ...own };
}

/** Some 30 years, so that the reset time of a limit stays a valid date. */
const SECONDS_MAX = 1_000_000_000;

const ACTIONS = ['reset', 'lost-write', 'html-502', 'bad-json', 'truncate'] as const;

function isAction(action: unknown): action is FaultAction {
  if (typeof action === 'string') return (ACTIONS as readonly string[]).includes(action);
  if (typeof action !== 'object' || action === null) return false;
  const { status, latencyMs, bytesPerSecond, cutAfterBytes, rateLimitSeconds } = action as Record<
    string,
    unknown
  >;
  return (
    isWholeWithin(status, 200, 599) ||
    isPositive(latencyMs, SECONDS_MAX * 1_000) ||
    isPositive(bytesPerSecond, Number.MAX_SAFE_INTEGER) ||
    isWholeWithin(cutAfterBytes, 0, Number.MAX_SAFE_INTEGER) ||
    isPositive(rateLimitSeconds, SECONDS_MAX)
  );
}

function isWholeWithin(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

function isPositive(value: unknown, max: number): boolean {
  return typeof value === 'number' && value > 0 && value <= max;
}
