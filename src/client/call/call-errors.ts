import type { ApiErrorOptions, Attempt, Outcome, RequestSummary } from '../../error-fields.js';
import {
  AbortedError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  InvalidResponseError,
  NotFoundError,
  type PetStoreError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnknownOutcomeError,
} from '../../errors.js';
import type { GateWait } from '../gate/gate.js';
import { CAUSES_MAX, causesOf, foreignFields, foreignMessage } from '../../foreign-error.js';
import type { Redactor } from '../../security/redact-secret.js';
import { readProblem } from '../../schema/problem.js';
import { dateAt, type RateLimitValues } from '../../schema/rate-limit.js';
import { describeTimeLimit } from '../../time/duration.js';
import { isDeadline } from '../../time/time-limit.js';
import { bodyExcerpt, parseErrorBody } from '../response/classify-response.js';
import { errorResponse, type ReceivedResponse } from '../response/describe-response.js';
import { plainReason, reasonOf, safeText } from '../response/response-reason.js';
import { redact, redactCause, redactSentence } from '../response/redaction.js';
import { unreadableRateLimitHeaders, unreadableText } from '../response/unreadable-headers.js';
import { NOT_HTTP, type TransportFailure } from '../transport/transport.js';
import type { AttemptFailure, Attempts } from './attempts.js';
import { type CallRequest, type CallState, outcomeSoFar } from './call-state.js';
import { type CallPlan, isWrite } from './plan.js';
import { isTransient, isTransientFailure } from './retry-policy.js';

/** The parts of a call that all its errors show. */
export interface FailedCall {
  readonly plan: Pick<CallPlan<unknown>, 'operation'> & { client: Pick<CallPlan<unknown>['client'], 'base'> };
  readonly attempts: Pick<Attempts, 'list'>;
  readonly request: Pick<CallRequest, 'path' | 'redactor'>;
}

/** Returns what all errors of a call contain. */
export function factsOf(call: FailedCall): { request: RequestSummary; attempts: readonly Attempt[] } {
  const { client, operation } = call.plan;
  const { path, redactor } = call.request;
  const request: RequestSummary = {
    method: operation.method,
    url: client.base.origin + redact(path, redactor),
  };
  if (operation.body !== undefined) request.body = redact(operation.body, redactor);
  return { request, attempts: call.attempts.list };
}

/** The classes of statuses below 500. All others are an `ApiError`. */
const CLASSES: Readonly<Record<number, new (message: string, options: ApiErrorOptions) => ApiError>> = {
  400: BadRequestError,
  401: AuthenticationError,
  404: NotFoundError,
};

/** Creates the error for a status outside 2xx, except 429. */
export function statusError(response: ReceivedResponse, call: FailedCall, cause?: unknown): ApiError {
  const { status } = response;
  const ErrorClass = status >= 500 ? ServerError : (CLASSES[status] ?? ApiError);
  const { redactor } = call.request;
  const text = plainReason(response, redactor);
  const fallback = `The service responded with status ${String(status)}${text === undefined ? '' : `: ${text}`}`;
  return new ErrorClass(reasonOf(response, redactor) ?? fallback, {
    ...apiErrorOptions(response, call),
    retryable: isTransient(status),
    cause,
    hint: status === 404 ? addressHint(call) : undefined,
  });
}

/** The list exists at every pet store. */
function addressHint({ plan, request }: FailedCall): string | undefined {
  if (plan.operation.name !== 'listPets') return undefined;
  const { origin, prefix } = plan.client.base;
  const baseUrl = origin + redact(prefix, request.redactor);
  return `Check the base URL, ${baseUrl}. It must end with the version prefix, such as /v1.`;
}

/** Creates the error for a response with a success status and an invalid body. */
export function invalidResponseError(
  response: ReceivedResponse,
  problem: string,
  call: FailedCall,
): InvalidResponseError {
  const { redactor } = call.request;
  const excerpt = bodyExcerpt(response, redactor);
  const described = errorResponse(response, redactor);
  return new InvalidResponseError(`Invalid response: ${redactSentence(problem, redactor)}`, {
    ...factsOf(call),
    response: described,
    retryable: response.end === 'truncated',
    contentType: described.headers['content-type'],
    excerpt: excerpt === '' ? undefined : excerpt,
    requestId: described.requestId,
  });
}

/** Why a call does not wait for the rate limit, or no longer. */
interface RefusedWait {
  /** Wait from now, as the service named it. `undefined` if it named no time. */
  retryAfterMs: number | undefined;
  reason: GateWait['reason'];
  rateLimit: RateLimitValues | undefined;
}

/** Creates the error of a call that does not wait for the rate limit, or no longer. */
export function rateLimitError(
  call: CallState<unknown>,
  { retryAfterMs, reason, rateLimit }: RefusedWait,
): RateLimitError {
  const { last429 } = call.attempts;
  const { client, settings } = call.plan;
  const waitMs = retryAfterMs === undefined ? undefined : Math.ceil(retryAfterMs);
  const retryAt = waitMs === undefined ? undefined : dateAt(client.clock.now() + waitMs);
  const text = (last429 && reasonOf(last429, call.request.redactor)) ?? 'Rate limit reached';
  const facts: Partial<ApiErrorOptions> =
    last429 === undefined ? factsOf(call) : apiErrorOptions(last429, call);
  const unreadable = unreadableRateLimitHeaders(facts.response?.headers ?? {});
  let message = `${text}; the service did not say until when`;
  if (retryAt !== undefined)
    message = `${text}; the service accepts requests again at ${retryAt.toISOString()}`;
  else if (reason === 'paced' && last429 === undefined)
    message = `Not sent: the rate limit allowed no request within ${describeTimeLimit(settings.retry.waitMaxMs)}`;
  else if (unreadable.length > 0) message = `${text}; the service sends ${unreadableText(unreadable)}`;
  return new RateLimitError(message, {
    ...facts,
    outcome: outcomeSoFar(call),
    retryAt,
    retryAfterMs: waitMs,
    limit: rateLimit?.limit,
    remaining: rateLimit?.remaining,
    window: rateLimit?.window,
  });
}

/** Creates the error for an attempt without a response. Not for an aborted one. */
export function noResponseError(
  { reason, sent, cause }: Pick<AttemptFailure, 'reason' | 'sent' | 'cause'>,
  timeoutMs: number,
  call: FailedCall,
): ConfigurationError | ConnectionError | InvalidResponseError | TimeoutError {
  const outcome: Outcome = sent ? 'unknown' : 'not-sent';
  const shared = { ...factsOf(call), outcome };
  const { redactor } = call.request;
  const { origin } = call.plan.client.base;
  if (reason === 'configuration') return configurationError(cause, redactor, shared);
  if (reason === 'timeout') {
    const message = `No complete response from ${origin} within ${describeTimeLimit(timeoutMs)}`;
    return new TimeoutError(message, { ...shared, limit: 'attempt' });
  }
  if (reason === 'invalid-response') {
    const problem = (cause as TransportFailure).malformedResponse ?? NOT_HTTP;
    const isHttp = problem !== NOT_HTTP;
    // No cause: it has the bytes, which may contain the key.
    return new InvalidResponseError(`Invalid response: ${problem}`, {
      ...shared,
      outcome: 'unknown',
      isHttp,
    });
  }
  const redacted = redactCause(cause, redactor);
  const { code: found } = foreignFields(cause);
  const code = typeof found === 'string' ? found : undefined;
  const causeText = redacted instanceof Error ? foreignMessage(redacted) : 'the connection failed';
  const retryable = isTransientFailure(code);
  const isOfProxy = code?.startsWith('ERR_PROXY_') === true && redacted instanceof Error;
  const message = isOfProxy ? causeText : `No response from ${origin} (${code ?? causeText})`;
  return new ConnectionError(message, { ...shared, cause: redacted, code, retryable });
}

/** Creates the error for an option of the client that failed, such as `fetch`. */
export function configurationError(
  failure: unknown,
  redactor: Redactor,
  facts: { request?: RequestSummary; attempts?: readonly Attempt[]; outcome?: Outcome } = {},
): ConfigurationError {
  const own = failure instanceof ConfigurationError ? failure : undefined;
  const reason = foreignMessage(failure);
  const inner = own === undefined ? failure : own.cause;
  const message =
    own === undefined
      ? `An option of the client failed (${redact(reason, redactor)})`
      : redactSentence(reason, redactor);
  return new ConfigurationError(message, {
    ...facts,
    option: own?.option,
    hint: own?.hint,
    ...(inner === undefined ? {} : { cause: redactCause(inner, redactor) }),
  });
}

/** Creates the error for an option of the caller that failed in an unexpected way, such as a clock. */
export function unexpectedError(call: CallState<unknown>, reason: unknown, isSent: boolean): PetStoreError {
  const outcome = isSent ? 'unknown' : outcomeSoFar(call);
  return withOutcome(configurationError(reason, call.request.redactor, { ...factsOf(call), outcome }), call);
}

/** Creates the error of a call that a signal or the deadline ended. */
export function abortError(call: CallState<unknown>, reason: unknown, outcome: Outcome): PetStoreError {
  if (isDeadline(reason)) return withOutcome(deadlineError(call, undefined, outcome), call);
  const message = 'The call was aborted';
  const isUnknown = isWrite(call.plan) && outcome === 'unknown';
  const error = new AbortedError(isUnknown ? unknownOutcomeMessage(message, call) : message, {
    ...factsOf(call),
    outcome,
    cause: redactCause(reason, call.request.redactor),
    hint: isUnknown ? unknownOutcomeHint(call) : undefined,
  });
  return isUnknown ? withoutAdvice(error) : error;
}

/** Creates the error for a call that can't finish within its deadline. */
export function deadlineError(call: CallState<unknown>, cause: unknown, outcome: Outcome): TimeoutError {
  const message = `The call can't finish within its deadline of ${describeTimeLimit(call.plan.settings.deadlineMs)}`;
  return new TimeoutError(message, { ...factsOf(call), cause, outcome, limit: 'deadline' });
}

/** Returns the error of the call for a failure. A write whose outcome is unknown may have been carried out. */
export function withOutcome(error: PetStoreError, call: CallState<unknown>): PetStoreError {
  return isWrite(call.plan) && error.outcome === 'unknown' ? unknownOutcomeError(error, call) : error;
}

/** Creates the error for a write that may or may not have been carried out. */
export function unknownOutcomeError(error: PetStoreError, call: FailedCall): UnknownOutcomeError {
  return new UnknownOutcomeError(unknownOutcomeMessage(error.message, call), {
    ...factsOf(call),
    cause: withoutAdvice(error),
    response: error.response,
    hint: unknownOutcomeHint(call),
  });
}

function unknownOutcomeHint({ plan }: FailedCall): string {
  return plan.operation.unknownOutcome === undefined
    ? 'Do not send it again before you know whether it was carried out: it may then be done twice.'
    : 'Look for the pet with listAll() before you create it again. It may exist without being listed.';
}

function unknownOutcomeMessage(message: string, { plan }: FailedCall): string {
  // eslint-disable-next-line no-restricted-syntax -- a message of the transport may end with a full stop
  return `${message.replace(/\.$/, '')}; ${plan.operation.unknownOutcome ?? 'the request may or may not have been carried out'}`;
}

/**
 * Changes a new error of a write. Code that walks its causes finds none that says that a repeat is safe. A cause of the
 * caller that says so, such as an error of another call, is replaced by its message.
 */
function withoutAdvice<T extends PetStoreError>(error: T): T {
  const causes = causesOf(error.cause);
  const isMisleading = causes.some((each) => {
    const { outcome, retryable } = Object(each) as Partial<PetStoreError>;
    return retryable === true || outcome === 'refused' || outcome === 'not-sent';
  });
  const { cause } = error;
  // A longer chain is not read to its end.
  const isCut = causes.length === CAUSES_MAX;
  const replaced = isMisleading || isCut ? { cause: new Error(foreignMessage(cause)) } : {};
  return Object.assign(error, { outcome: 'unknown', retryable: false, ...replaced });
}

function apiErrorOptions(response: ReceivedResponse, call: FailedCall): ApiErrorOptions {
  const { code } = readProblem(parseErrorBody(response));
  const described = errorResponse(response, call.request.redactor);
  return {
    ...factsOf(call),
    status: response.status,
    code: code && safeText(code, call.request.redactor),
    requestId: described.requestId,
    response: described,
  };
}
