import { InvalidResponseError } from '../../errors.js';
import type { ResponseInfo } from '../contract/options.js';
import type { Permit } from '../gate/gate.js';
import { classifyResponse, type Operation, type ResponseClass } from '../response/classify-response.js';
import { errorResponse, type ReceivedResponse, responseInfo } from '../response/describe-response.js';
import { redact } from '../response/redaction.js';
import { readRateLimit, readWait } from '../response/response-headers.js';
import { untilAborted } from '../../time/signals.js';
import type { TransportResponse } from '../transport/transport.js';
import { renewKey } from './admission.js';
import {
  abortError,
  factsOf,
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
import { IMPLAUSIBLE_WAIT, type NextStep, releasePermit, retryAfter429, retryOrThrow } from './retry.js';

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
  const rateLimit = releasePermit(call, permit, {
    kind: 'response',
    rateLimit: limits?.rateLimit,
    untilResetMs: limits?.untilResetMs,
  });
  const describe = (): ResponseInfo => responseInfo({ ...response, rateLimit }, call.redactor);
  const received: ReceivedResponse = { ...response, rateLimit };
  switch (found.kind) {
    case 'success':
      return call.operation.refine === undefined
        ? new CallResult(found.data, describe)
        : awaitRefined(call, received, call.operation.refine(found.data), describe);
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

async function awaitRefined<T>(
  call: CallState<T>,
  response: ReceivedResponse,
  refining: ReturnType<NonNullable<Operation<T>['refine']>>,
  readResponse: () => ResponseInfo,
): Promise<NextStep<T>> {
  const refined = await untilAborted(refining, call.deadline.signal).catch((reason: unknown) => {
    if (call.deadline.signal?.aborted !== true) throw reason;
    // The service has already responded to the request.
    throw abortError(call, reason, 'unknown');
  });
  if ('data' in refined) return new CallResult(refined.data, readResponse);
  return handleInvalid(call, response, { ...refined, isTruncated: false });
}

/** Follows redirects of reads within the origin of the base URL. The API key is never sent to another origin. */
function followRedirect<T>(
  call: CallState<T>,
  response: ReceivedResponse,
  location: string | undefined,
): NextStep<T> {
  const target = redirectTarget(call, location);
  if (!(target instanceof URL)) {
    const error = new InvalidResponseError(target.problem, {
      ...factsOf(call),
      response: errorResponse(response, call.redactor),
      redirectOrigin: target.origin,
      hint: 'If the service has moved, change the base URL.',
      outcome: isRefusal(response.status) ? 'refused' : 'unknown',
    });
    throw withOutcome(error, call);
  }
  call.redirects += 1;
  call.countedAttempts -= 1;
  call.path = target.pathname + target.search;
  return undefined;
}

/** Returns the target of a redirect, or why it is not followed. Shows only the origin of a foreign target. */
function redirectTarget(
  call: CallState<unknown>,
  location: string | undefined,
): URL | { problem: string; origin?: string } {
  const { client, path, redactor, redirects } = call;
  const target = location === undefined ? undefined : resolveLocation(location, client.base.origin + path);
  if (target === undefined) return { problem: 'The service redirects without a valid Location header' };
  if (target.origin !== client.base.origin) {
    const origin = redact(target.origin, redactor);
    const problem = `The service redirects to ${origin}, but the API key is only sent to the base URL`;
    return { problem, origin };
  }
  if (isWrite(call)) return { problem: 'The service redirects a write, which is never sent twice' };
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
async function handleUnauthorized<T>(call: CallState<T>, response: ReceivedResponse): Promise<undefined> {
  const failure = await renewKey(call);
  if (failure !== undefined) throw statusError(response, call, failure.cause);
  call.countedAttempts -= 1;
  return undefined;
}

function handleErrorStatus<T>(call: CallState<T>, response: ReceivedResponse, now: number): number {
  const { status, headers } = response;
  const error = statusError(response, call);
  if (!isWrite(call) && isTransient(status)) return retryOrThrow(call, error, readWait(headers, now).waitMs);
  // Unless it is a refusal, a write may have been carried out.
  throw isWrite(call) && !isRefusal(status) ? unknownOutcomeError(error, call) : error;
}

async function handleInvalid<T>(
  call: CallState<T>,
  response: ReceivedResponse,
  { problem, isTruncated }: Pick<Extract<ResponseClass<T>, { kind: 'invalid' }>, 'problem' | 'isTruncated'>,
): Promise<number> {
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
export function handleNoResponse<T>(call: CallState<T>, failure: AttemptFailure): number {
  if (failure.reason === 'aborted')
    throw abortError(call, failure.cause, failure.sent ? 'unknown' : outcomeSoFar(call));
  const error = withOutcome(noResponseError(failure, call.settings.timeoutMs, call), call);
  if (!error.retryable) throw error;
  return retryOrThrow(call, error);
}
