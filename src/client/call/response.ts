import { InvalidResponseError } from '../../errors.js';
import { toRateLimit } from '../../schema/rate-limit.js';
import type { ResponseInfo } from '../contract/options.js';
import type { Permit } from '../gate/gate.js';
import { classifyResponse, type ResponseClass } from '../response/classify-response.js';
import { errorResponse, type ReceivedResponse, responseInfo } from '../response/describe-response.js';
import { redact } from '../response/redaction.js';
import { readRateLimit, readWait } from '../response/response-headers.js';
import { untilAborted } from '../../time/signals.js';
import type { TransportResponse } from '../transport/transport.js';
import { renewKey } from './admission.js';
import {
  abortError,
  factsOf,
  type FailedCall,
  invalidResponseError,
  isRefusal,
  isTransient,
  noResponseError,
  statusError,
  unknownOutcomeError,
  withOutcome,
} from './call-errors.js';
import { CallResult, type CallState, isWrite, outcomeSoFar } from './call-state.js';
import type { AttemptFailure } from './request.js';
import { IMPLAUSIBLE_WAIT, type NextStep, retryAfter429, retryOrThrow } from './retry.js';

/** Maximum number of redirects that one call follows. */
const REDIRECTS_MAX = 5;

/**
 * Decides on the next step after a response. Releases the permit.
 *
 * @throws PetStoreError if the call gives up.
 */
export function handleResponse<T>(
  call: CallState<T>,
  permit: Permit,
  response: TransportResponse,
): NextStep<T> | Promise<NextStep<T>> {
  const now = call.client.clock.now();
  const limits = readRateLimit(response.headers, now, response.status === 429);
  const found = classifyResponse(response, call.operation);
  if (found.kind === 'rate-limited') return retryAfter429(call, permit, response, limits);
  if (limits?.isResetTooFar === true) call.client.warn(IMPLAUSIBLE_WAIT);
  const rateLimit = permit.release({
    kind: 'response',
    rateLimit: limits?.rateLimit,
    untilResetMs: limits?.untilResetMs,
  });
  if (rateLimit !== undefined)
    call.client.emit?.({ type: 'rate-limit', call: call.id, rateLimit: toRateLimit(rateLimit) });
  const describe = (): ResponseInfo => responseInfo({ ...response, rateLimit }, call.redactor);
  if (found.kind === 'success' && call.operation.refine === undefined)
    return { kind: 'done', result: new CallResult(found.data, describe) };
  const received: ReceivedResponse = { ...response, rateLimit };
  switch (found.kind) {
    case 'success':
      return refine(call, received, found.data, describe);
    case 'redirect':
      return followRedirect(call, received, found.location);
    case 'error':
      return response.status === 401
        ? handleUnauthorized(call, received)
        : handleErrorStatus(call, received, now);
    case 'invalid':
      return handleInvalid(call, received, found);
  }
}

async function refine<T>(
  call: CallState<T>,
  response: ReceivedResponse,
  body: T,
  readResponse: () => ResponseInfo,
): Promise<NextStep<T>> {
  const { operation, deadline } = call;
  let refined: Awaited<ReturnType<NonNullable<typeof operation.refine>>> | undefined;
  try {
    refined = await untilAborted(operation.refine?.(body), deadline.signal);
  } catch (reason) {
    if (deadline.signal?.aborted !== true || reason !== deadline.signal.reason) throw reason;
    // The service has already responded to the request.
    throw abortError(call, reason, 'unknown');
  }
  if (refined !== undefined && 'data' in refined)
    return { kind: 'done', result: new CallResult(refined.data, readResponse) };
  return handleInvalid(call, response, {
    kind: 'invalid',
    problem: refined?.problem ?? '',
    isTruncated: false,
  });
}

/** Follows redirects of reads within the origin of the base URL. The API key is never sent to another origin. */
function followRedirect<T>(
  call: CallState<T>,
  response: ReceivedResponse,
  location: string | undefined,
): NextStep<T> {
  const target = location === undefined ? undefined : resolveLocation(location, call);
  const problem = redirectProblem(call, target);
  if (problem !== undefined || target === undefined)
    throw withOutcome(redirectError(response, problem ?? 'no-target', target?.origin, call), call);
  call.redirects += 1;
  call.countedAttempts -= 1;
  call.path = target.pathname + target.search;
  return { kind: 'retry' };
}

function resolveLocation<T>(location: string, { client, path }: CallState<T>): URL | undefined {
  try {
    return new URL(location, client.base.origin + path);
  } catch {
    return undefined;
  }
}

function redirectProblem<T>(call: CallState<T>, target: URL | undefined): RedirectProblem | undefined {
  if (target === undefined) return 'no-target';
  if (target.origin !== call.client.base.origin) return 'other-origin';
  if (isWrite(call)) return 'write';
  return call.redirects >= REDIRECTS_MAX ? 'too-many' : undefined;
}

/** Why a redirect is not followed. */
export type RedirectProblem = 'other-origin' | 'write' | 'too-many' | 'no-target';

/** Creates the error for a redirect that is not followed. Shows only the origin of its target. */
function redirectError(
  response: ReceivedResponse,
  problem: RedirectProblem,
  origin: string | undefined,
  call: FailedCall,
): InvalidResponseError {
  const target = origin === undefined ? 'another address' : redact(origin, call.redactor);
  const messages: Record<RedirectProblem, string> = {
    'other-origin': `The service redirects to ${target}, but the API key is only sent to the base URL`,
    write: 'The service redirects a write, which is never sent twice',
    'too-many': 'The service redirects too many times',
    'no-target': 'The service redirects without a valid Location header',
  };
  return new InvalidResponseError(messages[problem], {
    ...factsOf(call),
    response: errorResponse(response, call.redactor),
    redirectOrigin: problem === 'other-origin' ? target : undefined,
    hint: 'If the service has moved, change the base URL.',
    outcome: isRefusal(response.status) ? 'refused' : 'unknown',
  });
}

/** Repeats a request with another key. This is safe for a write too, because the service did not carry it out. */
async function handleUnauthorized<T>(call: CallState<T>, response: ReceivedResponse): Promise<NextStep<T>> {
  const failure = await renewKey(call);
  if (failure !== undefined) throw statusError(response, call, failure.cause);
  call.countedAttempts -= 1;
  return { kind: 'retry' };
}

function handleErrorStatus<T>(call: CallState<T>, response: ReceivedResponse, now: number): NextStep<T> {
  const { status, headers } = response;
  const error = statusError(response, call);
  if (!isWrite(call) && isTransient(status)) return retryOrThrow(call, error, readWait(headers, now).waitMs);
  // Unless it is a refusal, a write may have been carried out.
  throw isWrite(call) && !isRefusal(status) ? unknownOutcomeError(error, call) : error;
}

async function handleInvalid<T>(
  call: CallState<T>,
  response: ReceivedResponse,
  { problem, isTruncated }: Extract<ResponseClass<T>, { kind: 'invalid' }>,
): Promise<NextStep<T>> {
  // It may belong to another request, such as a late second response. Then all that follow are shifted.
  call.exchange?.closeConnection?.();
  const text = typeof problem === 'string' ? problem : await problem();
  const error = invalidResponseError(response, text, call);
  if (isWrite(call) || !isTruncated) throw withOutcome(error, call);
  return retryOrThrow(call, error);
}

/**
 * Decides on the next step after an attempt without a response.
 *
 * @throws PetStoreError if the call gives up.
 */
export function handleNoResponse<T>(call: CallState<T>, failure: AttemptFailure): NextStep<T> {
  if (failure.reason === 'aborted')
    throw abortError(call, failure.cause, failure.sent ? 'unknown' : outcomeSoFar(call));
  const error = withOutcome(noResponseError(failure, call.settings.timeoutMs, call), call);
  if (!error.retryable) throw error;
  return retryOrThrow(call, error);
}
