import type { MockClock } from '../service/clock.js';
import type { Faults, AppliedFaults } from '../service/faults.js';
import type { Journal, JournalRecord } from '../service/journal.js';
import { admit, budgetOf, blockUntil, fullBudget, type Budget, type MockPlan } from '../service/limits.js';
import { routeRequest, type RoutedRequest, type Tenant } from './route-request.js';
import type { HostErrorStatus, MockOutcome, MockRequest, MockResponse } from '../service/message.js';
import { openApiJson } from './openapi.js';
import { errorResponse, type RouteResponse } from './routes.js';

/** What the handler works on. */
export interface HandlerContext {
  clock: MockClock;
  /** By key. */
  tenants: ReadonlyMap<string, Tenant>;
  faults: Faults;
  journal: Journal;
  /** The plan that the headers show to a request without a good key. */
  plan: MockPlan;
  latencyMs: number;
  instance: string;
}

/** The service: request in, outcome out, no waiting and no I/O. */
export interface Handler {
  (request: MockRequest): MockOutcome;
  /**
   * Answers what never came to be a request, or failed as one, so that a host can refuse it like everything else.
   *
   * @param message for people; default by the status.
   */
  hostError(status: HostErrorStatus, message?: string): MockResponse;
}

/** Puts the service together. */
export function createHandler(service: HandlerContext): Handler {
  const { clock, faults, journal, latencyMs } = service;
  const dress = createResponseBuilder(service);

  const handle = (request: MockRequest): MockOutcome => {
    const now = clock.now();
    const call = routeRequest(service.tenants, request);
    const strike = faults.apply(request.method, call.paths);
    const outcome = respondWithFaults(service, dress, call, strike, now);
    outcome.delayMs = latencyMs + strike.delayMs;
    journal.record(recordOf(request, call, strike, outcome, now));
    return outcome;
  };

  return Object.assign(handle, {
    hostError: (status: HostErrorStatus, message?: string): MockResponse => {
      const now = clock.now();
      const [code, usual] = HOST_ERRORS[status];
      return dress('GET', errorResponse(status, code, message ?? usual), fullBudget(service.plan, now), now);
    },
  });
}

const HOST_ERRORS: Readonly<Record<HostErrorStatus, readonly [code: string, message: string]>> = {
  400: ['bad_request', 'the request is not well-formed HTTP'],
  408: ['request_timeout', 'the request did not come in time'],
  431: ['headers_too_large', 'the headers are too large'],
  500: ['mock_failed', 'the mock failed'],
};

function recordOf(
  request: MockRequest,
  { shownPath: path, query, tenant }: RoutedRequest,
  strike: AppliedFaults,
  outcome: MockOutcome,
  at: number,
): JournalRecord {
  const record: JournalRecord = { request, at, path, query };
  if (tenant !== undefined) record.tenant = tenant.number;
  const fault = faultName(strike);
  if (fault !== undefined) record.fault = fault;
  if (outcome.kind === 'reset') return record;
  const { status, headers } = outcome.response;
  record.status = status;
  const retryAfter = headers['retry-after'];
  if (status === 429 && retryAfter !== undefined) record.retryAfterSeconds = Number(retryAfter);
  return record;
}

/** Faults answer before the route does. */
function respondWithFaults(
  service: HandlerContext,
  dress: ResponseBuilder,
  call: RoutedRequest,
  { action }: AppliedFaults,
  now: number,
): MockOutcome {
  const { method } = call.request;
  if (action === 'reset') return { kind: 'reset', delayMs: 0 };
  if (action === 'html-502') return { kind: 'response', response: gatewayPage(call, dress, now), delayMs: 0 };
  if (typeof action === 'object' && 'status' in action) {
    const { status, retryAfterSeconds } = action;
    const headers = retryAfterSeconds === undefined ? {} : { 'retry-after': String(retryAfterSeconds) };
    const reply = errorResponse(status, 'fault', 'this answer was ordered of the mock', headers);
    const response = dress(method, reply, currentBudget(service, call, now), now);
    return { kind: 'response', response: withoutContent(response), delayMs: 0 };
  }
  if (typeof action === 'object' && call.tenant !== undefined) {
    blockUntil(call.tenant.ledger, now + action.rateLimitSeconds * 1_000);
  }
  const response = respond(service, dress, call, now);
  if (action === 'lost-write') return { kind: 'reset', delayMs: 0 };
  if (action === 'bad-json') return { kind: 'response', response: withBrokenJson(response), delayMs: 0 };
  // Half of an empty body would be the whole answer.
  if (action === 'truncate' && response.body.length < 2) return { kind: 'reset', delayMs: 0 };
  return { kind: action === 'truncate' ? 'truncated' : 'response', response, delayMs: 0 };
}

function respond(
  service: HandlerContext,
  dress: ResponseBuilder,
  call: RoutedRequest,
  now: number,
): MockResponse {
  const { request, tenant, path } = call;
  if (path === '/openapi.json') {
    // Outside the versioned prefix, so not of the service: for tools that can't send a key.
    const reply = isRead(request.method)
      ? { status: 200, body: openApiJson() }
      : errorResponse(405, 'method_not_allowed', 'only GET here', { allow: 'GET, HEAD' });
    return dress(request.method, reply, fullBudget(service.plan, now), now);
  }
  if (tenant === undefined) {
    const reply = errorResponse(401, 'unauthorized', 'the API key is missing or invalid', {
      'www-authenticate': 'Bearer realm="petstore"',
    });
    return dress(request.method, reply, fullBudget(service.plan, now), now);
  }
  const admission = admit(tenant.ledger, tenant.plan, now);
  if (!admission.admitted) {
    const { banned, retryAfterSeconds } = admission;
    const seconds = String(retryAfterSeconds);
    const reply = errorResponse(
      429,
      banned ? 'key_banned' : 'rate_limited',
      banned
        ? `the key is banned for sending on after a 429; it is let in again in ${seconds} s`
        : `too many requests; retry after ${seconds} s`,
      { 'retry-after': seconds },
    );
    return dress(request.method, reply, admission.budget, now);
  }
  return dress(request.method, runRoute(call, tenant, now), admission.budget, now);
}

function runRoute(
  { request, route, parameter, query, isMalformed: malformed }: RoutedRequest,
  { store }: Tenant,
  now: number,
): RouteResponse {
  if (malformed) return errorResponse(400, 'bad_request', 'the path is not well-formed');
  if (route === undefined) return errorResponse(404, 'no_such_route', 'there is no such route');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const run = Object.hasOwn(route.methods, method) ? route.methods[method] : undefined;
  if (run === undefined) {
    const allow = Object.keys(route.methods).flatMap((method) =>
      method === 'GET' ? ['GET', 'HEAD'] : [method],
    );
    return errorResponse(405, 'method_not_allowed', `${route.path} takes ${allow.join(', ')}`, {
      allow: allow.join(', '),
    });
  }
  return run({ store, parameter, query, headers: request.headers, body: request.body ?? '', now });
}

type ResponseBuilder = (method: string, reply: RouteResponse, budget: Budget, now: number) => MockResponse;

/** Adds what every answer has: the rate headers, the mock's own date and its identity. */
function createResponseBuilder({ instance }: HandlerContext): ResponseBuilder {
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
        'content-length': String(Buffer.byteLength(body)),
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

function currentBudget({ plan }: HandlerContext, { tenant }: RoutedRequest, now: number): Budget {
  return tenant === undefined ? fullBudget(plan, now) : budgetOf(tenant.ledger, tenant.plan, now);
}

/** A gateway knows nothing of rate limits. */
function gatewayPage({ request }: RoutedRequest, dress: ResponseBuilder, now: number): MockResponse {
  const body =
    '<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>\n';
  const dressed = dress(request.method, { status: 502, body }, { limit: 0, remaining: 0, resetAt: 0 }, now);
  const headers = Object.entries(dressed.headers).filter(([name]) => !name.startsWith('x-ratelimit-'));
  return { ...dressed, headers: { ...Object.fromEntries(headers), 'content-type': 'text/html' } };
}

/** RFC 9110 sections 8.6, 15.3.5, 15.3.6 and 15.4.5: these have no content, and only a 205 says that its length is 0. */
function withoutContent(response: MockResponse): MockResponse {
  const { status } = response;
  if (status !== 204 && status !== 205 && status !== 304) return response;
  const headers = Object.entries(response.headers).filter(([name]) => !name.startsWith('content-'));
  if (status === 205) headers.push(['content-length', '0']);
  return { status, headers: Object.fromEntries(headers), body: '' };
}

/** The whole body came, and yet is not JSON: the last bracket is missing. */
function withBrokenJson(response: MockResponse): MockResponse {
  const body = response.body.slice(0, -1);
  return {
    ...response,
    headers: { ...response.headers, 'content-length': String(Buffer.byteLength(body)) },
    body,
  };
}

function isRead(method: string): boolean {
  return method === 'GET' || method === 'HEAD';
}

function faultName({ action, delayMs }: AppliedFaults): string | undefined {
  if (typeof action === 'string') return action;
  if (action !== undefined) return 'status' in action ? `status ${String(action.status)}` : 'rate-limit';
  return delayMs > 0 ? `latency ${String(delayMs)} ms` : undefined;
}
