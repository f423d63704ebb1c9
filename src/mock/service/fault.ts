import { suggest, suggestionFor } from '../../options/suggest.js';
import type { Random } from './random.js';

/**
 * The action of a fault.
 *
 * - `{ status, retryAfterSeconds? }`: responds with this status (200 to 599). The request has no effect and does not
 *   count against the limits. `retryAfterSeconds` (whole number) becomes the header `Retry-After`.
 * - `{ latencyMs }`: delays the response by milliseconds, more than 0, at most 10^12. Adds to other latencies.
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
  | { status: number; retryAfterSeconds?: number }
  | { latencyMs: number }
  | { rateLimitSeconds: number };

/** A fault that the mock injects. */
export interface Fault {
  /**
   * A method, a path below `/v1`, or both: `POST`, `/pets/{petId}`, `/pets/7`, `GET /pets`. `GET` includes HEAD.
   *
   * @default every request
   */
  route?: string;
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
  const { route, action } = fault;
  if (route !== undefined && typeof route !== 'string') fail('route is not a string');
  routeMatcher(route);
  if (typeof action === 'object' && (action as FaultAction | null) !== null) checkActionNames(action, fail);
  if (!isAction(action))
    fail(`action is not one of ${ACTIONS.join(', ')}, {status}, {latencyMs}, {rateLimitSeconds}`);
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
  'route',
  'skip',
  'times',
  'probability',
  'action',
] satisfies (keyof Fault)[];

const ACTION_FIELDS = ['status', 'retryAfterSeconds', 'latencyMs', 'rateLimitSeconds'];

function checkActionNames(action: object, fail: (reason: string) => never): void {
  const names = Object.keys(action);
  const unknown = names.find((name) => !ACTION_FIELDS.includes(name));
  if (unknown !== undefined)
    fail(`unknown property "${unknown}" of action. ${suggestionFor(unknown, ACTION_FIELDS)}`);
  if (names.length > 1 && !(names.length === 2 && 'status' in action && 'retryAfterSeconds' in action))
    fail('action has properties of two actions; write two faults');
}

/** Some 30 years, so that the reset time of a limit stays a valid date. */
const SECONDS_MAX = 1_000_000_000;

const ACTIONS = ['reset', 'lost-write', 'html-502', 'bad-json', 'truncate'] as const;

function isAction(action: unknown): action is FaultAction {
  if (typeof action === 'string') return (ACTIONS as readonly string[]).includes(action);
  if (typeof action !== 'object' || action === null) return false;
  const { status, retryAfterSeconds, latencyMs, rateLimitSeconds } = action as Record<string, unknown>;
  if (status !== undefined) {
    return (
      isWholeWithin(status, 200, 599) &&
      (retryAfterSeconds === undefined || isWholeWithin(retryAfterSeconds, 0, Number.MAX_SAFE_INTEGER))
    );
  }
  return isPositive(latencyMs, SECONDS_MAX * 1_000) || isPositive(rateLimitSeconds, SECONDS_MAX);
}

function isWholeWithin(value: unknown, min: number, max: number): boolean {
  return typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max;
}

function isPositive(value: unknown, max: number): boolean {
  return typeof value === 'number' && value > 0 && value <= max;
}

/** Returns whether a fault matches a request with this method and any of these paths. */
export type RouteMatcher = (method: string, paths: readonly string[]) => boolean;

/** The operations of the service, as paths below `/v1` and their methods. `GET` includes HEAD. */
export const FAULT_ROUTES: Readonly<Record<string, readonly string[]>> = {
  '/pets': ['GET', 'POST'],
  '/pets/{petId}': ['GET'],
  '/openapi.json': ['GET'],
};

/**
 * Parses the `route` of a fault.
 *
 * @throws TypeError if it is invalid or matches no request to the service. The message suggests the nearest route.
 */
export function routeMatcher(route: string | undefined): RouteMatcher {
  if (route === undefined) return () => true;
  const [, method, pathAfterMethod, pathAlone] = ROUTE.exec(route) ?? [];
  const path = pathAfterMethod ?? pathAlone;
  if ((method === undefined && path === undefined) || !matchesAny(method, path)) throw unknownRoute(route);
  return (requestMethod, paths) =>
    (method === undefined || method === (requestMethod === 'HEAD' ? 'GET' : requestMethod)) &&
    (path === undefined || paths.includes(path));
}

const ROUTE = /^(?:([A-Z]+)(?: (\/\S*))?|(\/\S*))$/;

function matchesAny(method: string | undefined, path: string | undefined): boolean {
  return Object.entries(FAULT_ROUTES).some(
    ([known, methods]) =>
      (method === undefined || methods.includes(method)) &&
      (path === undefined ||
        path === known ||
        (known === '/pets/{petId}' && /^\/pets\/[^/{}:<>]+$/.test(path))),
  );
}

function unknownRoute(route: string): TypeError {
  const paths = Object.keys(FAULT_ROUTES);
  const known = [
    ...Object.entries(FAULT_ROUTES).flatMap(([path, methods]) =>
      methods.map((method) => `${method} ${path}`),
    ),
    ...paths,
    'GET',
    'POST',
  ];
  const withoutPrefix = route
    .replace(/^([A-Za-z]+ )?(?:[a-z]+:\/\/[^/]*)?\/v1(?=\/)/, '$1')
    .replace(/^HEAD/, 'GET');
  // A path with another name for its parameter, such as /pets/:id.
  const nearest =
    suggest(withoutPrefix.replace(/(\/pets\/)(?:[{:<].*)$/, '$1{petId}'), known) ??
    suggest(withoutPrefix.replace(/^\S+ /, ''), known);
  const hint =
    nearest === undefined ? `valid: "GET /pets", "POST", "/pets/{petId}"` : `did you mean "${nearest}"?`;
  return new TypeError(`Invalid route: ${route} matches no request to the service (${hint})`);
}
