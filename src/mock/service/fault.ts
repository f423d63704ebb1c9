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

type Parameters = Readonly<Record<string, string>>;

/** The named faults, each with its own parameters. All of them also take `SHARED_PARAMETERS`. */
const PROFILES: Readonly<Record<string, { takes: readonly string[]; make(given: Parameters): Fault[] }>> = {
  'rate-limit': {
    takes: ['seconds'],
    make: (given) => [{ times: 1, action: { rateLimitSeconds: numberOf(given, 'seconds', 1) } }],
  },
  flaky: {
    takes: ['status'],
    make: (given) => [{ probability: 0.3, action: { status: numberOf(given, 'status', 503) } }],
  },
  slow: { takes: ['ms'], make: (given) => [{ action: { latencyMs: numberOf(given, 'ms', 1_000) } }] },
  'lost-write': { takes: [], make: () => [{ route: 'POST /pets', times: 1, action: 'lost-write' }] },
  garbage: {
    takes: [],
    make: () => (['bad-json', 'html-502', 'truncate'] as const).map((action) => ({ times: 1, action })),
  },
  outage: {
    takes: ['status'],
    make: (given) => [{ action: { status: numberOf(given, 'status', 503) } }],
  },
  status: { takes: ['status'], make: (given) => [{ action: { status: numberOf(given, 'status', 500) } }] },
  reset: { takes: [], make: () => [{ action: 'reset' }] },
  'html-502': { takes: [], make: () => [{ action: 'html-502' }] },
  'bad-json': { takes: [], make: () => [{ action: 'bad-json' }] },
  truncate: { takes: [], make: () => [{ action: 'truncate' }] },
};

const SHARED_PARAMETERS = ['route', 'skip', 'times', 'probability'];

/** The names that `parseFault` accepts. */
export const FAULT_NAMES: readonly string[] = Object.keys(PROFILES);

/**
 * Parses a fault from `NAME` or `NAME:key=value,...`. Every name also takes `route`, `skip`, `times` and `probability`.
 *
 * - `rate-limit` blocks the key once, for `seconds` (default 1).
 * - `flaky` responds with `status` (default 503) to 3 in 10 requests.
 * - `slow` delays every response by `ms` (default 1000).
 * - `lost-write` carries out the first POST, and closes the connection without a response.
 * - `garbage` applies `bad-json`, `html-502` and `truncate`, once each, in this order.
 * - `outage` responds with `status` (default 503) to every request.
 * - `status` (default 500), `reset`, `html-502`, `bad-json`, `truncate`: see `FaultAction`.
 *
 * @returns the faults, most often one.
 * @throws TypeError if the name or a parameter is invalid. The message lists the valid ones.
 * @example
 * ```ts
 * mock.setFaults(parseFault('reset:route=POST /pets,times=2'));
 * ```
 */
export function parseFault(spec: string): Fault[] {
  const colon = spec.indexOf(':');
  const name = colon < 0 ? spec : spec.slice(0, colon);
  const profile = Object.hasOwn(PROFILES, name) ? PROFILES[name] : undefined;
  if (profile === undefined) throw new TypeError(`Unknown fault: ${name} (known: ${FAULT_NAMES.join(', ')})`);
  const known = [...profile.takes, ...SHARED_PARAMETERS];
  const given = readParameters(colon < 0 ? '' : spec.slice(colon + 1), name, known);
  const shared: Partial<Fault> = {};
  if (given.route !== undefined) shared.route = given.route;
  for (const key of ['skip', 'times', 'probability'] as const) {
    if (given[key] !== undefined) shared[key] = numberOf(given, key, 0);
  }
  const faults = profile.make(given).map((fault) => ({ ...fault, ...shared }));
  faults.forEach(checkFault);
  return faults;
}

function readParameters(text: string, name: string, known: readonly string[]): Parameters {
  const given: Record<string, string> = {};
  for (const pair of text === '' ? [] : text.split(',')) {
    const equals = pair.indexOf('=');
    const key = equals < 0 ? pair : pair.slice(0, equals);
    if (!known.includes(key)) {
      throw new TypeError(`Unknown parameter "${key}" of fault ${name} (known: ${known.join(', ')})`);
    }
    if (equals < 0) throw new TypeError(`Parameter ${key} of fault ${name} has no value (such as ${key}=1)`);
    given[key] = pair.slice(equals + 1);
  }
  return given;
}

function numberOf(given: Parameters, key: string, fallback: number): number {
  const text = given[key];
  if (text === undefined) return fallback;
  if (/^\d+(?:\.\d+)?$/.test(text)) return Number(text);
  throw new TypeError(`Fault parameter ${key} is not a number: ${text}`);
}

/**
 * Validates a fault. The control API passes unchecked JSON.
 *
 * @throws TypeError if it is invalid.
 */
export function checkFault(fault: Fault): void {
  const fail = (reason: string): never => {
    throw new TypeError(`Invalid fault: ${reason}`);
  };
  if (typeof fault !== 'object' || (fault as Fault | null) === null) fail('not a string and not an object');
  for (const field of ['skip', 'times'] as const) {
    const value = fault[field];
    if (value !== undefined && !(Number.isInteger(value) && value >= 0))
      fail(`${field} is not a whole number`);
  }
  const { probability = 1, route, action } = fault;
  if (!(probability >= 0 && probability <= 1)) fail('probability is not between 0 and 1');
  if (route !== undefined && typeof route !== 'string') fail('route is not a string');
  routeMatcher(route);
  if (!isAction(action))
    fail(`action is not one of ${ACTIONS.join(', ')}, {status}, {latencyMs}, {rateLimitSeconds}`);
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

const ROUTE = /^(?:([A-Z]+)(?: (\/\S*))?|(\/\S*))$/;

/** Returns whether a fault matches a request with this method and any of these paths. */
export type RouteMatcher = (method: string, paths: readonly string[]) => boolean;

/**
 * Parses the `route` of a fault.
 *
 * @throws TypeError if it is invalid.
 */
export function routeMatcher(route: string | undefined): RouteMatcher {
  if (route === undefined) return () => true;
  const [, method, pathAfterMethod, pathAlone] = ROUTE.exec(route) ?? [];
  const path = pathAfterMethod ?? pathAlone;
  if (method === undefined && path === undefined) {
    throw new TypeError(`Invalid route: ${route} (valid: "GET /pets", "POST", "/pets/{petId}")`);
  }
  return (requestMethod, paths) =>
    (method === undefined || method === (requestMethod === 'HEAD' ? 'GET' : requestMethod)) &&
    (path === undefined || paths.includes(path));
}
