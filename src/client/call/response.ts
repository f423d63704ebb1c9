import { InvalidResponseError } from '../../errors.js';
import type { ResponseInfo } from '../contract/options.js';
import { classifyResponse, type Operation, type ResponseClass } from '../response/classify-response.js';
import { errorResponse, type ReceivedResponse, responseInfo } from '../response/describe-response.js';
import { redact } from '../response/redaction.js';
import { readRateLimit, readWait } from '../response/response-headers.js';
import { excerpt } from '../response/response-text.js';
import { untilAborted } from '../../time/signals.js';
import type { Exchange, TransportResponse } from '../transport/transport.js';
import type { Admission } from './admission.js';
import { renewKey } from './await-option.js';
import type { AttemptFailure, AttemptResponse, AttemptResult } from './attempts.js';
import {
  abortError,
  factsOf,
  invalidResponseError,
  noResponseError,
  statusError,
  unknownOutcomeError,
  withOutcome,
} from './call-errors.js';
import { CallResult, type CallState, outcomeSoFar } from './call-state.js';
import { isWrite } from './plan.js';
import { IMPLAUSIBLE_WAIT, type NextStep, releasePermit, retryAfter429, waitOrThrow } from './retry.js';
import { type AttemptEnd, decide, type Decision, isRefusal } from './retry-policy.js';

/** Maximum number of redirects that one call follows. */
const REDIRECTS_MAX = 5;

/** Maximum length of a scheme in a message. */
const SCHEME_LENGTH_MAX = 40;

/**
 * Adds an attempt to the call and returns the next step. Releases the permit.
 *
 * @throws PetStoreError if the call gives up.
 */
export function handleResult<T>(
  call: CallState<T>,
  admission: Admission,
  result: AttemptResult,
): NextStep<T> | Promise<NextStep<T>> {
  if (result.kind === 'response') return handleResponse(call, admission, result);
  admission.permit.release({ kind: 'no-response', sent: result.sent });
  return handleNoResponse(call, result);
}

function handleResponse<T>(
  call: CallState<T>,
  admission: Admission,
  result: AttemptResponse,
): NextStep<T> | Promise<NextStep<T>> {
  const { client, operation } = call.plan;
  const { response, exchange } = result;
  const now = client.clock.now();
  const limits = readRateLimit(response.headers, now, response.status === 429);
  const found = classifyResponse(response, operation);
  const target = found.kind === 'redirect' ? redirectTarget(call, found.location) : undefined;
  const decision = decide(call.plan, call.attempts, attemptEnd(response, found, target, now));
  call.attempts.add(result, decision, limits?.rateLimit);
  if (found.kind === 'rate-limited') return retryAfter429(call, admission, response, limits, decision);
  if (limits?.isResetTooFar === true) client.warn(IMPLAUSIBLE_WAIT);
  const rateLimit = releasePermit(call, admission.permit, { ...limits, kind: 'response' });
  const received: ReceivedResponse = { ...response, rateLimit };
  switch (found.kind) {
    case 'success': {
      const describe = (): ResponseInfo => responseInfo(received, call.request.redactor);
      return operation.refine === undefined
        ? new CallResult(found.data, describe)
        : awaitRefined(call, { response: received, exchange }, operation.refine(found.data), describe);
    }
    case 'redirect':
      return followRedirect(call, received, target);
    case 'error':
      return response.status === 401
        ? handleUnauthorized(call, received, decision)
        : handleErrorStatus(call, received, decision);
    case 'invalid':
      return handleInvalid(call, { response: received, exchange }, found.problem, decision);
  }
}

/** Returns what the retry policy has to know about a response. */
function attemptEnd(
  { status, headers }: TransportResponse,
  found: ResponseClass<unknown>,
  target: RedirectTarget | undefined,
  now: number,
): AttemptEnd {
  if (found.kind === 'redirect') return { kind: 'redirect', isFollowed: target instanceof URL };
  if (found.kind !== 'error') return found;
  return { kind: 'error', status, retryAfterMs: readWait(headers, now).waitMs ?? 0 };
}

/** A response, and the exchange that received it. */
interface Received {
  response: ReceivedResponse;
  exchange: Exchange;
}

async function awaitRefined<T>(
  call: CallState<T>,
  received: Received,
  refining: ReturnType<NonNullable<Operation<T>['refine']>>,
  readResponse: () => ResponseInfo,
): Promise<CallResult<T>> {
  const { signal } = call.plan.deadline;
  const refined = await untilAborted(refining, signal).catch((reason: unknown) => {
    if (signal?.aborted !== true) throw reason;
    // The service has already responded to the request.
    throw abortError(call, reason, 'unknown');
  });
  if ('data' in refined) return new CallResult(refined.data, readResponse);
  throw withOutcome(await describeInvalid(call, received, refined.problem), call);
}

/** A URL that is followed, or why it is not. Shows only the origin of a foreign target. */
type RedirectTarget = URL | { problem: string; origin?: string };

/** Follows redirects of reads within the origin of the base URL. The API key is never sent to another origin. */
function followRedirect<T>(
  call: CallState<T>,
  response: ReceivedResponse,
  target: RedirectTarget | undefined,
): NextStep<T> {
  if (target instanceof URL) {
    call.request.path = target.pathname + target.search;
    return undefined;
  }
  const error = new InvalidResponseError(target?.problem ?? '', {
    ...factsOf(call),
    response: errorResponse(response, call.request.redactor),
    redirectOrigin: target?.origin,
    hint: 'If the service has moved, change the base URL.',
    outcome: isRefusal(response.status) ? 'refused' : 'unknown',
  });
  throw withOutcome(error, call);
}

function redirectTarget({ plan, attempts, request }: CallState<unknown>, location?: string): RedirectTarget {
  const { origin: ownOrigin } = plan.client.base;
  const target = location === undefined ? undefined : resolveLocation(location, ownOrigin + request.path);
  if (target === undefined) return { problem: 'The service redirects without a valid Location header' };
  // Their origin is no address: that of data: is "null", that of blob: the one of another URL.
  if (!/^https?:$/.test(target.protocol)) {
    const scheme = excerpt(redact(target.protocol, request.redactor), SCHEME_LENGTH_MAX);
    return { problem: `The service redirects to a URL that is not http or https (${scheme})` };
  }
  if (target.origin !== ownOrigin) {
    const origin = redact(target.origin, request.redactor);
    const problem = `The service redirects to ${origin}, but the API key is only sent to the base URL`;
    return { problem, origin };
  }
  if (isWrite(plan)) return { problem: 'The service redirects a write, which is never sent twice' };
  // All of them were followed.
  const redirects = attempts.list.filter(({ status = 0 }) => status >= 300 && status < 400).length;
  return redirects < REDIRECTS_MAX ? target : { problem: 'The service redirects too many times' };
}

function resolveLocation(location: string, from: string): URL | undefined {
  try {
    return new URL(location, from);
  } catch {
    return undefined;
  }
}

/** Repeats a request with another key. This is safe for a write too, because the service did not carry it out. */
async function handleUnauthorized<T>(
  call: CallState<T>,
  response: ReceivedResponse,
  { kind }: Decision,
): Promise<undefined> {
  const failure = kind === 'again' ? await renewKey(call) : {};
  if (failure !== undefined) throw statusError(response, call, failure.cause);
  return undefined;
}

function handleErrorStatus<T>(call: CallState<T>, response: ReceivedResponse, decision: Decision): number {
  const error = statusError(response, call);
  // Unless it is a refusal, a write may have been carried out.
  if (isWrite(call.plan) && !isRefusal(response.status)) throw unknownOutcomeError(error, call);
  return waitOrThrow(call, decision, error);
}

async function handleInvalid<T>(
  call: CallState<T>,
  received: Received,
  problem: string | (() => Promise<string>),
  decision: Decision,
): Promise<number> {
  return waitOrThrow(call, decision, withOutcome(await describeInvalid(call, received, problem), call));
}

async function describeInvalid<T>(
  call: CallState<T>,
  { response, exchange }: Received,
  problem: string | (() => Promise<string>),
): Promise<InvalidResponseError> {
  // It may belong to another request, such as a late second response. Then all that follow are shifted.
  exchange.closeConnection?.();
  const text = typeof problem === 'string' ? problem : await problem();
  return invalidResponseError(response, text, call);
}

/**
 * Adds an attempt without a response to the call, and returns the delay before the next one.
 *
 * @throws PetStoreError if the call gives up.
 */
function handleNoResponse<T>(call: CallState<T>, failure: AttemptFailure): number {
  const { plan, attempts } = call;
  const { reason, sent } = failure;
  const lost = reason === 'aborted' ? undefined : noResponseError(failure, plan.settings.timeoutMs, call);
  const isRetryable = lost?.retryable === true;
  const decision = decide(plan, attempts, { kind: 'no-response', sent, isRetryable });
  attempts.add(failure, decision);
  if (lost === undefined) throw abortError(call, failure.cause, sent ? 'unknown' : outcomeSoFar(call));
  return waitOrThrow(call, decision, withOutcome(lost, call));
}
