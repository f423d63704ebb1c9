import type { ApiError, InvalidResponseError, PetStoreError } from '../../errors.js';
import { toRateLimit } from '../../schema/rate-limit.js';
import type { ResponseInfo } from '../contract/options.js';
import type { Permit } from '../gate/gate.js';
import { classifyResponse, type ResponseClass } from '../response/classify-response.js';
import { type ReceivedResponse, responseInfo } from '../response/describe-response.js';
import { readRateLimit, readWait } from '../response/response-headers.js';
import { untilAborted } from '../../time/signals.js';
import type { TransportResponse } from '../transport/transport.js';
import {
  type AttemptFailure,
  invalidResponseError,
  isRefusal,
  isTransient,
  noResponseError,
  redirectError,
  type RedirectProblem,
  statusError,
  unknownOutcomeError,
} from './call-errors.js';
import {
  CallResult,
  type CallState,
  errorContext,
  errorForAbort,
  isWrite,
  outcomeSoFar,
} from './call-state.js';
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
  const limits = readRateLimit(response.headers, now);
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
      return handleErrorStatus(call, received, now);
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
    throw errorForAbort(call, reason, 'unknown');
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
  if (problem !== undefined || target === undefined) {
    const error = redirectError(response, problem ?? 'no-target', target?.origin, errorContext(call));
    throw failureOf(call, error);
  }
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

function handleErrorStatus<T>(call: CallState<T>, response: ReceivedResponse, now: number): NextStep<T> {
  const { status, headers } = response;
  const error = statusError(response, errorContext(call));
  if (isWrite(call) || !isTransient(status)) throw failureOf(call, error);
  return retryOrThrow(call, error, readWait(headers, now).waitMs);
}

/** Returns the error of the call for a status. Unless it is a refusal, a write may have been carried out. */
function failureOf<T>(call: CallState<T>, error: ApiError | InvalidResponseError): PetStoreError {
  const isUnknown = isWrite(call) && !isRefusal(error.response?.status ?? 0);
  return isUnknown ? unknownOutcomeError(error, errorContext(call)) : error;
}

async function handleInvalid<T>(
  call: CallState<T>,
  response: ReceivedResponse,
  { problem, isTruncated }: Extract<ResponseClass<T>, { kind: 'invalid' }>,
): Promise<NextStep<T>> {
  // It may belong to another request, such as a late second response. Then all that follow are shifted.
  call.exchange?.closeConnection?.();
  const text = typeof problem === 'string' ? problem : await problem();
  const error = invalidResponseError(response, text, errorContext(call));
  if (isWrite(call)) throw unknownOutcomeError(error, errorContext(call));
  if (!isTruncated) throw error;
  return retryOrThrow(call, error);
}

/**
 * Decides on the next step after an attempt without a response.
 *
 * @throws PetStoreError if the call gives up.
 */
export function handleNoResponse<T>(call: CallState<T>, failure: AttemptFailure): NextStep<T> {
  if (failure.reason === 'aborted') {
    throw errorForAbort(call, failure.cause, failure.sent ? 'unknown' : outcomeSoFar(call));
  }
  const error = noResponseError(failure, call.settings.timeoutMs, errorContext(call));
  if (isWrite(call) && failure.sent) throw unknownOutcomeError(error, errorContext(call));
  if (!error.retryable) throw error;
  return retryOrThrow(call, error);
}
