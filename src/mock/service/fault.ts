import {
  anything,
  type Check,
  type Checks,
  findProblem,
  isObject,
  mustBe,
  mustBeText,
  problemError,
} from '../../options/check-options.js';
import { durationMs } from './clock.js';
import { COUNT } from './journal-filter.js';
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
  retryAfter?: number | string | readonly (number | string)[] | undefined;
  /** More headers, or other values for those of every response. A list sends a header several times. */
  headers?: Readonly<Record<string, string | readonly string[]>> | undefined;
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
   * @default every request, apart from `/openapi.json` without `/v1`
   */
  route?: string | undefined;
  /**
   * Parameters that the query must have, such as `status=sold&limit=5`. A name without `=` matches every value.
   *
   * @default every query
   */
  query?: string | undefined;
  /**
   * A text that the body of the request must contain.
   *
   * @default every body
   */
  body?: string | undefined;
  /**
   * Number of matching requests before the fault starts, 0 or more.
   *
   * @default 0
   */
  skip?: number | undefined;
  /**
   * Number of requests that the fault is applied to, 0 or more.
   *
   * @default all
   */
  times?: number | undefined;
  /**
   * Probability that the fault is applied to a matching request, 0 to 1. Depends on the mock's seed.
   *
   * @default 1
   */
  probability?: number | undefined;
  action: FaultAction;
}

/** The part of a fault that decides which of the matching requests it is applied to. */
type Counts = Pick<Fault, 'skip' | 'times' | 'probability'>;

/** The checks of the counts of a fault of the service or of the DNS. */
export const COUNT_CHECKS = {
  skip: COUNT,
  times: COUNT,
  probability: mustBe(
    'a number from 0 to 1',
    (value) => typeof value === 'number' && value >= 0 && value <= 1,
  ),
} satisfies Record<keyof Counts, Check>;

/**
 * Validates a fault. The control API passes unchecked JSON.
 *
 * @throws TypeError if it is invalid.
 */
export function checkFault(fault: Fault): void {
  const problem =
    findProblem(fault, FAULT_CHECKS, { what: 'a fault', noun: 'property' }) ??
    checkAction(fault.action, 'action');
  if (problem !== undefined) throw problemError({ ...problem, message: `Invalid fault: ${problem.message}` });
  requestMatcher(fault);
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

const ACTIONS = ['reset', 'lost-write', 'html-502', 'bad-json', 'truncate'];

/** Some 30 years, so that the reset time of a limit stays a valid date. */
const SECONDS_MAX = 1_000_000_000;

function mustBePositive(max: number): Check {
  return mustBe(
    `a number above 0, at most ${String(max)}`,
    (value) => typeof value === 'number' && value > 0 && value <= max,
  );
}

/** RFC 9110, sections 5.1 and 5.5, in the characters that node:http writes. */
const HEADER_NAME = /^[\w!#$%&'*+\-.^`|~]+$/;
const HEADER_VALUE = /^[\t\x20-\x7e\x80-\xff]*$/;
/** They say where the body ends. */
const FRAMING = /^(?:content-length|transfer-encoding|connection|trailer|upgrade)$/i;

function isHeader([name, value]: [string, unknown]): boolean {
  const lines = [value].flat();
  return (
    HEADER_NAME.test(name) &&
    !FRAMING.test(name) &&
    lines.every((line) => typeof line === 'string' && HEADER_VALUE.test(line))
  );
}

/** The properties of each action that is an object, by the one that all of its kind have. */
const ACTION_CHECKS: Readonly<Record<string, Checks>> = {
  status: {
    status: mustBe(
      'a whole number from 200 to 599',
      (value) => Number.isInteger(value) && (value as number) >= 200 && (value as number) <= 599,
    ),
    retryAfter: mustBe('a number, a text, a date such as date+30s, or a list of them', (value) =>
      linesOf(value).every(
        (line) => HEADER_VALUE.test(line) && (!line.startsWith('date') || DATE_AFTER.test(line)),
      ),
    ),
    headers: mustBe(
      'header names with a text or a list of texts, without those that say where the body ends (see cutAfterBytes)',
      (value) => isObject(value) && Object.entries(value).every(isHeader),
    ),
    body: anything,
  },
  latencyMs: { latencyMs: mustBePositive(SECONDS_MAX * 1_000) },
  bytesPerSecond: { bytesPerSecond: mustBePositive(Number.MAX_SAFE_INTEGER) },
  cutAfterBytes: { cutAfterBytes: COUNT },
  rateLimitSeconds: { rateLimitSeconds: mustBePositive(SECONDS_MAX) },
};

const KINDS = Object.keys(ACTION_CHECKS);

const checkAction: Check = (action, field) => {
  if (ACTIONS.some((known) => known === action)) return undefined;
  const given = isObject(action) ? Object.entries(action).filter(([, value]) => value !== undefined) : [];
  const [kind] = given.find(([name]) => KINDS.includes(name)) ?? [];
  if (kind !== undefined)
    return findProblem(action, ACTION_CHECKS[kind] ?? {}, { noun: 'property', prefix: `${field}.` });
  const valid = [...ACTIONS, ...KINDS.map((name) => `{${name}}`)];
  return { field, message: `${field} must be one of ${valid.join(', ')}` };
};

const FAULT_CHECKS = {
  route: mustBeText,
  query: mustBeText,
  body: mustBeText,
  ...COUNT_CHECKS,
  action: checkAction,
} satisfies Record<keyof Fault, Check>;

/** A `retryAfter` that becomes an HTTP-date. */
const DATE_AFTER = /^date([+-])(\d+(?:\.\d+)?(?:ms|s|m|h|d))$/;

function linesOf(values: unknown): string[] {
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
