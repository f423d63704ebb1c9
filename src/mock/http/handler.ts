import type { OwnedClock } from '../service/clock.js';
import type { Faults, AppliedFaults } from '../service/faults.js';
import type { Journal, JournalRecord } from '../service/journal.js';
import {
  admit,
  budgetOf,
  blockUntil,
  fullBudget,
  limitState,
  type Budget,
  type MockPlan,
} from '../service/limits.js';
import type { Account } from '../world/account.js';
import type { Accounts } from '../world/accounts.js';
import {
  readRetryAfterSeconds,
  createResponseBuilder,
  gatewayPage,
  withBrokenJson,
  withoutContent,
} from './response-builder.js';
import { faultName, faultResponse, withCut } from './fault-response.js';
import { isPreflight, PREFLIGHT_HEADERS, shareWithPages } from './cors.js';
import { routeRequest, type RoutedRequest } from './route-request.js';
import type { Replay } from '../har/replay.js';
import {
  contentLength,
  listMethods,
  type HostErrorStatus,
  type MockOutcome,
  type MockRequest,
  type MockResponse,
} from '../service/message.js';
import { openApiJson } from '../service/openapi.js';
import { errorResponse, type RouteResponse } from './routes.js';

export interface HandlerContext {
  clock: OwnedClock;
  accounts: Accounts;
  faults: Faults;
  journal: Journal;
  /** The plan in the rate headers of a request without a valid key. */
  plan: MockPlan;
  latencyMs: number;
  instance: string;
  /** Called after the journal has marked a request as aborted, with the number of its key. */
  aborted(tenant: number | undefined): void;
  /** Responds instead of the service. */
  replay: Replay | undefined;
}

/** The service as a function: no waiting and no I/O. */
export interface Handler {
  (request: MockRequest): MockOutcome;
  /**
   * Returns the response to a request that the host could not read or that failed.
   *
   * @param message default: depends on the status.
   */
  hostError(status: HostErrorStatus, message?: string): MockResponse;
  /**
   * Waits by the clock of the key of an outcome. Marks the request as aborted if the signal aborts.
   *
   * @param delayMs default: the delay of the outcome.
   */
  wait(outcome: MockOutcome, signal?: AbortSignal, delayMs?: number): Promise<void>;
}

export function createHandler(service: HandlerContext): Handler {
  const { clock, faults, journal, latencyMs } = service;
  const buildResponse = createResponseBuilder(service.instance);
  /** Of delayed outcomes: the clock of the key, and the record in the journal. */
  const delayed = new WeakMap<MockOutcome, { clock: OwnedClock; record: JournalRecord | undefined }>();

  const handle = (request: MockRequest): MockOutcome => {
    const routed = routeRequest(service.accounts, request);
    const { account } = routed;
    const now = (account?.clock ?? clock).now();
    const applied = isPreflight(request) ? { delayMs: 0 } : applyFaults(faults, routed);
    const complete: Handling['complete'] = (response, budget = fullBudget(service.plan, now)) =>
      buildResponse(request.method, response, budget, now);
    const outcome = withCut(respondWithFaults({ service, routed, now, complete }, applied), applied);
    shareWithPages(request, outcome);
    outcome.delayMs = latencyMs + applied.delayMs;
    const isReplay = service.replay !== undefined;
    const record = recordOf(request, routed, { applied, outcome, at: now, isReplay });
    journal.record(record);
    (account?.tally ?? service.accounts.otherRequests).record(record, journal.last);
    if (outcome.delayMs > 0 || applied.bytesPerSecond !== undefined) {
      delayed.set(outcome, {
        clock: account?.clock ?? clock,
        record: journal.find(journal.recorded)?.stored,
      });
    }
    return outcome;
  };

  return Object.assign(handle, {
    async wait(outcome: MockOutcome, signal?: AbortSignal, delayMs = outcome.delayMs) {
      const { clock: own = clock, record } = delayed.get(outcome) ?? {};
      await own.wait(delayMs, signal);
      if (signal?.aborted !== true || record === undefined) return;
      record.aborted = true;
      service.aborted(record.tenant);
    },
    hostError: (status: HostErrorStatus, message?: string): MockResponse => {
      const now = clock.now();
      const [code, defaultMessage] = HOST_ERRORS[status];
      return buildResponse(
        'GET',
        errorResponse(status, code, message ?? defaultMessage),
        fullBudget(service.plan, now),
        now,
      );
    },
  });
}

const HOST_ERRORS: Readonly<Record<HostErrorStatus, readonly [code: string, message: string]>> = {
  400: ['bad_request', 'The request is not well-formed HTTP'],
  408: ['request_timeout', 'The request did not arrive in time'],
  417: ['expectation_failed', 'The only known expectation is 100-continue'],
  431: ['headers_too_large', 'The headers are too large'],
  500: ['mock_failed', 'The mock failed'],
  501: ['unsupported_transfer_encoding', 'The only known Transfer-Encoding is chunked'],
};

function applyFaults(faults: Faults, routed: RoutedRequest): AppliedFaults {
  const { request, account, paths, query, isDescription } = routed;
  const { method, body = '' } = request;
  const matched = { method, paths, query, body, isToService: !isDescription };
  return faults.apply(matched, account?.faults.apply(matched));
}

function recordOf(
  request: MockRequest,
  { shownPath: path, query, account }: RoutedRequest,
  {
    applied,
    outcome,
    at,
    isReplay,
  }: { applied: AppliedFaults; outcome: MockOutcome; at: number; isReplay: boolean },
): JournalRecord {
  const record: JournalRecord = { request, at, path, query };
  if (account !== undefined) record.tenant = account.number;
  const fault = faultName(applied);
  if (fault !== undefined) record.fault = fault;
  if (outcome.kind === 'reset') return record;
  const { status } = outcome.response;
  record.status = status;
  const retryAfterSeconds = status === 429 ? readRetryAfterSeconds(outcome.response, at) : undefined;
  if (retryAfterSeconds !== undefined) {
    record.retryAfterSeconds = retryAfterSeconds;
    // The limits of a recorded service are not known.
    const isLimit = !isReplay && (typeof applied.action !== 'object' || !('status' in applied.action));
    if (account !== undefined && isLimit) record.limits = limitState(account.ledger, account.plan, at);
  }
  return record;
}

/** A request that is being handled. */
interface Handling {
  service: HandlerContext;
  routed: RoutedRequest;
  /** Milliseconds since the epoch. */
  now: number;
  /**
   * Adds the headers of every response.
   *
   * @param budget default: the limit that a request without a valid key gets.
   */
  complete(response: RouteResponse, budget?: Budget): MockResponse;
}

function respondWithFaults(handling: Handling, { action }: AppliedFaults): MockOutcome {
  if (action === 'reset') return { kind: 'reset', delayMs: 0 };
  const response = respondTo(handling, action);
  if (response === undefined || action === 'lost-write') return { kind: 'reset', delayMs: 0 };
  if (action === 'bad-json') return { kind: 'response', response: withBrokenJson(response), delayMs: 0 };
  if (action !== 'truncate') return { kind: 'response', response, delayMs: 0 };
  // Half of an empty body would be the whole response.
  if (response.body.length < 2) return { kind: 'reset', delayMs: 0 };
  return { kind: 'truncated', response, bytes: contentLength(response) >> 1, delayMs: 0 };
}

/** Returns `undefined` if the recorded service closed the connection. */
function respondTo(handling: Handling, action: AppliedFaults['action']): MockResponse | undefined {
  const { service, routed, now, complete } = handling;
  const { request, account } = routed;
  if (isPreflight(request))
    return withoutContent(complete({ status: 204, body: '', headers: PREFLIGHT_HEADERS }));
  if (action === 'html-502') return gatewayPage(complete);
  if (typeof action === 'object' && 'status' in action) {
    const budget = account && budgetOf(account.ledger, account.plan, now);
    return withoutContent(complete(faultResponse(action, now), budget));
  }
  if (typeof action === 'object' && account !== undefined)
    blockUntil(account.ledger, now + action.rateLimitSeconds * 1_000);
  return service.replay === undefined
    ? respond(handling)
    : replayedResponse(service.replay, service.instance, routed);
}

/** Returns the recorded response, without a check of the key and the limits: the recorded service made these. */
function replayedResponse(
  replay: Replay,
  instance: string,
  { request: { method, headers: sent, body }, path, query, account }: RoutedRequest,
): MockResponse | undefined {
  const found = replay.respond(
    { method, headers: sent, path, query, ...(body === undefined ? {} : { body }) },
    account?.number ?? 0,
  );
  if (found === undefined) return undefined;
  if (method === 'HEAD') {
    const { status } = found;
    return withoutContent({ status, headers: { ...found.headers, 'x-mock-instance': instance }, body: '' });
  }
  const length = String(contentLength(found));
  const headers = { ...found.headers, 'content-length': length, 'x-mock-instance': instance };
  return withoutContent({ ...found, headers });
}

function respond({ routed, now, complete }: Handling): MockResponse {
  const { request, account, path } = routed;
  if (routed.isDescription) {
    const isRead = request.method === 'GET' || request.method === 'HEAD';
    return complete(
      isRead ? { status: 200, body: openApiJson() } : methodNotAllowed(request.method, path, ['GET']),
    );
  }
  if (account === undefined) {
    const headers = { 'www-authenticate': 'Bearer realm="petstore"' };
    return complete(errorResponse(401, 'unauthorized', 'The API key is missing or invalid', headers));
  }
  const admission = admit(account.ledger, account.plan, now);
  if (admission.admitted) return complete(runRoute(routed, account, now), admission.budget);
  const headers = { 'retry-after': String(admission.retryAfterSeconds) };
  const error = admission.banned
    ? errorResponse(429, 'key_banned', 'The key is banned for requests after a 429', headers)
    : errorResponse(429, 'rate_limited', 'Too many requests', headers);
  return complete(error, admission.budget);
}

function runRoute(
  { request, route, parameter, query, isMalformed }: RoutedRequest,
  { store }: Account,
  now: number,
): RouteResponse {
  if (isMalformed) return errorResponse(400, 'bad_request', 'The path is not well-formed');
  if (route === undefined) return errorResponse(404, 'no_such_route', 'Unknown route');
  const method = request.method === 'HEAD' ? 'GET' : request.method;
  const run = Object.hasOwn(route.methods, method) ? route.methods[method] : undefined;
  if (run === undefined) return methodNotAllowed(request.method, route.path, Object.keys(route.methods));
  return run({
    store,
    parameter,
    query,
    headers: request.headers,
    body: request.body ?? '',
    isBodyMalformed: request.isBodyMalformed === true,
    now,
  });
}

function methodNotAllowed(method: string, path: string, methods: readonly string[]): RouteResponse {
  return errorResponse(405, 'method_not_allowed', `Method ${method} is not allowed for ${path}`, {
    allow: listMethods(methods),
  });
}
