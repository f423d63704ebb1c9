/**
 * What goes wrong.
 *
 * - `{ status, retryAfterSeconds? }`: this answer instead of the request's effect; it is not counted by the limits.
 * - `{ latencyMs }`: the answer comes later. Adds to other faults.
 * - `{ rateLimitSeconds }`: the key's budget is used up for so long, as if by another program: 429 until then.
 * - `reset`: the connection ends before anything is done.
 * - `lost-write`: the request is carried out, then the connection ends without an answer.
 * - `html-502`: a gateway's page instead of the service's answer, so without rate headers; nothing is done.
 * - `bad-json`: the request is carried out, and the answer's body is not JSON.
 * - `truncate`: the request is carried out, and the connection ends halfway through the answer's body.
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

/** One fault: where, how often, what. */
export interface Fault {
  /**
   * `GET /pets`, `POST`, `/pets/{petId}`, `/pets/7`: a method, a path below `/v1`, or both. A HEAD counts as GET.
   * Default: every request.
   */
  route?: string;
  /** How many matching requests go well before the first fault. Default 0. */
  skip?: number;
  /** How many matching requests it strikes; then it is spent. Default: all. */
  times?: number;
  /** Chance that a matching request is struck, 0 to 1, drawn from the mock's seed. Default 1. */
  probability?: number;
  action: FaultAction;
}

/**
 * Faults also come as JSON by the control door, where no compiler has looked.
 *
 * @throws TypeError where it is not a fault.
 */
export function checkFault(fault: Fault): void {
  const refuse = (what: string): never => {
    throw new TypeError(`not a fault: ${what}`);
  };
  if (typeof fault !== 'object' || (fault as Fault | null) === null) refuse('neither a text nor an object');
  for (const field of ['skip', 'times'] as const) {
    const value = fault[field];
    if (value !== undefined && !(Number.isInteger(value) && value >= 0))
      refuse(`${field} is not a whole number`);
  }
  const { probability = 1, route, action } = fault;
  if (!(probability >= 0 && probability <= 1)) refuse('probability is not between 0 and 1');
  if (route !== undefined && typeof route !== 'string') refuse('route is not a text');
  routeMatcher(route);
  if (!isAction(action))
    refuse(`the action is none of ${ACTIONS.join(', ')}, {status}, {latencyMs}, {rateLimitSeconds}`);
}

/** Three decades: the time at which a limit resets stays one that a clock can show. */
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

/** Whether a request is one that a fault is for. */
export type RouteMatcher = (method: string, paths: readonly string[]) => boolean;

/**
 * Reads the `route` of a fault.
 *
 * @throws TypeError where it is none.
 */
export function routeMatcher(route: string | undefined): RouteMatcher {
  if (route === undefined) return () => true;
  const [, method, pathAfterMethod, pathAlone] = ROUTE.exec(route) ?? [];
  const path = pathAfterMethod ?? pathAlone;
  if (method === undefined && path === undefined) {
    throw new TypeError(`not a route: ${route} (such as "GET /pets", "POST" or "/pets/{petId}")`);
  }
  return (sent, paths) =>
    (method === undefined || method === (sent === 'HEAD' ? 'GET' : sent)) &&
    (path === undefined || paths.includes(path));
}
