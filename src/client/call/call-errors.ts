import {
  AbortedError,
  ApiError,
  type ApiErrorOptions,
  type Attempt,
  AuthenticationError,
  BadRequestError,
  causesOf,
  ConfigurationError,
  ConnectionError,
  InvalidResponseError,
  NotFoundError,
  type Outcome,
  type PetStoreError,
  RateLimitError,
  type RequestSummary,
  ServerError,
  TimeoutError,
  UnknownOutcomeError,
} from '../../errors.js';
import type { Redactor } from '../../security/redact-secret.js';
import { readProblem } from '../../schema/problem.js';
import { dateAt, type RateLimitValues } from '../../schema/rate-limit.js';
import { isUntrustedCertificate } from '../../security/tls-codes.js';
import { bodyExcerpt, parseErrorBody, REDACTED_MAX } from '../response/classify-response.js';
import { errorResponse, type ReceivedResponse } from '../response/describe-response.js';
import { printable } from '../response/response-text.js';
import { redact, redactCause, redactSentence } from '../response/redaction.js';
import { NOT_HTTP, type TransportFailure } from '../transport/transport.js';

/** The data that all errors of a call contain. */
export interface ErrorContext {
  request: RequestSummary;
  attempts: readonly Attempt[];
  /** Redacts the API key in all texts of the error. */
  redactor: Redactor;
  /** What an unknown outcome of this write means. */
  unknownOutcome?: string | undefined;
}

/** Creates the error for a status outside 2xx, except 429. */
export function statusError(response: ReceivedResponse, context: ErrorContext): ApiError {
  const options = apiErrorOptions(response, context);
  const { message } = readProblem(parseErrorBody(response));
  const text =
    message === undefined
      ? `The service responded with status ${String(response.status)}`
      : safeText(message, context);
  if (response.status === 400) return new BadRequestError(text, options);
  if (response.status === 401) return new AuthenticationError(text, options);
  if (response.status === 404) return new NotFoundError(text, options);
  if (response.status >= 500)
    return new ServerError(text, { ...options, retryable: isTransient(response.status) });
  return new ApiError(text, { ...options, retryable: isTransient(response.status) });
}

/**
 * Checks whether a status shows that a write was not carried out: 4xx except 408, and the redirects that ask for the
 * same request elsewhere (RFC 9110, sections 15.4.8 and 15.4.9). Other redirects may follow a write that was carried out.
 */
export function isRefusal(status: number): boolean {
  return (status >= 400 && status < 500 && status !== 408) || status === 307 || status === 308;
}

/** Checks whether a read that failed with this status may succeed soon. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 500 || (status >= 502 && status <= 504);
}

/** Creates the error for a response with a success status and an invalid body. */
export function invalidResponseError(
  response: ReceivedResponse,
  problem: string,
  context: ErrorContext,
): InvalidResponseError {
  const { request, attempts, redactor } = context;
  // An incomplete body may end within the key.
  const excerpt =
    response.end === 'complete' ? bodyExcerpt(response.body, (text) => redact(text, redactor)) : '';
  const described = errorResponse(response, redactor);
  return new InvalidResponseError(`Invalid response: ${redactSentence(problem, redactor)}`, {
    request,
    attempts,
    response: described,
    retryable: response.end === 'truncated',
    contentType: described.headers['content-type'],
    excerpt: excerpt === '' ? undefined : excerpt,
    requestId: described.requestId,
  });
}

/** Why a redirect is not followed. */
export type RedirectProblem = 'other-origin' | 'write' | 'too-many' | 'no-target';

/** Creates the error for a redirect that is not followed. Shows only the origin of its target. */
export function redirectError(
  response: ReceivedResponse,
  problem: RedirectProblem,
  origin: string | undefined,
  context: ErrorContext,
): InvalidResponseError {
  const target = origin === undefined ? 'another address' : redact(origin, context.redactor);
  const messages: Record<RedirectProblem, string> = {
    'other-origin': `The service redirects to ${target}, but the API key is only sent to the base URL`,
    write: 'The service redirects a write, which is never sent twice',
    'too-many': 'The service redirects too many times',
    'no-target': 'The service redirects without a valid Location header',
  };
  return new InvalidResponseError(messages[problem], {
    request: context.request,
    attempts: context.attempts,
    response: errorResponse(response, context.redactor),
    redirectOrigin: problem === 'other-origin' && origin !== undefined ? target : undefined,
    hint: 'If the service has moved, change the base URL.',
    outcome: isRefusal(response.status) ? 'refused' : 'unknown',
  });
}

/** Facts about a rate limit that is reached. */
export interface RateLimitFacts {
  /** Wait from now, in milliseconds. `undefined` if it depends on the responses to other requests. */
  retryAfterMs: number | undefined;
  /** Local time, in milliseconds since the epoch. */
  now: number;
  rateLimit: RateLimitValues | undefined;
  /** The 429 response, if this call received one. */
  response: ReceivedResponse | undefined;
  outcome: Outcome;
}

/** When to try again after a wait of unknown length: most responses to requests in flight arrive within this time. */
const RETRY_AFTER_UNKNOWN_MS = 2_000;

/** Creates the error for a rate limit that the call does not wait for. */
export function rateLimitError(facts: RateLimitFacts, context: ErrorContext): RateLimitError {
  const { retryAfterMs = RETRY_AFTER_UNKNOWN_MS, now, rateLimit, response, outcome } = facts;
  const retryAt = dateAt(now + retryAfterMs);
  const message = response === undefined ? undefined : readProblem(parseErrorBody(response)).message;
  const text = message === undefined ? 'Rate limit reached' : safeText(message, context);
  const reason =
    facts.retryAfterMs === undefined
      ? 'Not sent: earlier requests with this key have no response yet; try again at'
      : `${text}; the service accepts requests again at`;
  return new RateLimitError(`${reason} ${retryAt.toISOString()}`, {
    ...(response === undefined
      ? { request: context.request, attempts: context.attempts }
      : apiErrorOptions(response, context)),
    outcome,
    retryAt,
    retryAfterMs: Math.ceil(retryAfterMs),
    limit: rateLimit?.limit,
    remaining: rateLimit?.remaining,
    window: rateLimit?.window,
  });
}

/** An attempt without a response. */
export interface AttemptFailure {
  kind: 'failed';
  /**
   * - `configuration`: an option of the client failed, so no retry can succeed.
   * - `invalid-response`: the received bytes are not a response.
   */
  reason: 'connection' | 'timeout' | 'aborted' | 'configuration' | 'invalid-response';
  /** Whether the service may have received part of the request. */
  sent: boolean;
  cause: unknown;
}

/** Creates the error for an attempt without a response. */
export function noResponseError(
  failure: AttemptFailure,
  timeoutMs: number,
  context: ErrorContext,
): AbortedError | ConfigurationError | ConnectionError | InvalidResponseError | TimeoutError {
  const { request, attempts, redactor } = context;
  const outcome: Outcome = failure.sent ? 'unknown' : 'not-sent';
  const shared = { request, attempts, outcome };
  if (failure.reason === 'aborted') return abortedError(failure.cause, context, outcome);
  if (failure.reason === 'timeout') {
    return new TimeoutError(`No complete response within ${durationText(timeoutMs)}`, {
      ...shared,
      limit: 'attempt',
    });
  }
  if (failure.reason === 'configuration') return configurationError(failure.cause, context, outcome);
  if (failure.reason === 'invalid-response') {
    const problem = (failure.cause as TransportFailure).malformedResponse ?? NOT_HTTP;
    // No cause: it has the bytes, which may contain the key.
    return new InvalidResponseError(`Invalid response: ${problem}`, {
      ...shared,
      outcome: 'unknown',
      isHttp: problem !== NOT_HTTP,
    });
  }
  const { origin } = new URL(request.url);
  const cause = redactCause(failure.cause, redactor);
  const code = codeOf(failure.cause);
  const reason = code ?? (cause instanceof Error ? cause.message : 'the connection failed');
  const retryable = code === undefined || !(isUntrustedCertificate(code) || PROXY_REFUSAL.test(code));
  const isOfProxy = code?.startsWith('ERR_PROXY_') === true && cause instanceof Error;
  const message = isOfProxy ? cause.message : `No response from ${origin} (${reason})`;
  return new ConnectionError(message, { ...shared, cause, code, retryable });
}

/** Creates the error for an option of the client that failed, such as `fetch`. */
export function configurationError(
  failure: unknown,
  context: ErrorContext,
  outcome: Outcome,
): ConfigurationError {
  const { request, attempts, redactor } = context;
  const reason = failure instanceof Error ? failure.message : String(failure);
  const message =
    failure instanceof ConfigurationError ? reason : `An option of the client failed (${reason})`;
  const { option, hint } = failure instanceof ConfigurationError ? failure : {};
  const inner = failure instanceof ConfigurationError ? failure.cause : failure;
  return new ConfigurationError(redactSentence(message, redactor), {
    request,
    attempts,
    outcome,
    option,
    hint,
    ...(inner === undefined ? {} : { cause: redactCause(inner, redactor) }),
  });
}

/** Refusals of a proxy that a retry does not solve. */
const PROXY_REFUSAL = /^ERR_PROXY_(?!408|5\d\d|DATA)/;

/**
 * Creates the error for a call that a signal of the caller aborted.
 *
 * @param isUnknown whether a write was in flight.
 */
export function abortedError(
  reason: unknown,
  context: ErrorContext,
  outcome: Outcome,
  isUnknown = false,
): AbortedError {
  const { request, attempts, redactor } = context;
  const message = 'The call was aborted';
  const error = new AbortedError(isUnknown ? unknownOutcomeMessage(message, context) : message, {
    request,
    attempts,
    outcome,
    cause: redactCause(reason, redactor),
    hint: isUnknown ? unknownOutcomeHint(context) : undefined,
  });
  return isUnknown ? withUnknownOutcome(error) : error;
}

/** Creates the error for a call that can't finish within its deadline. */
export function deadlineError(
  deadlineMs: number,
  cause: unknown,
  context: ErrorContext,
  outcome: Outcome,
): TimeoutError {
  const { request, attempts } = context;
  return new TimeoutError(deadlineMessage(deadlineMs), {
    request,
    attempts,
    cause,
    outcome,
    limit: 'deadline',
  });
}

/** Returns the message of the error for a deadline. */
export function deadlineMessage(deadlineMs: number): string {
  return `The call can't finish within its deadline of ${durationText(deadlineMs)}`;
}

function durationText(durationMs: number): string {
  return durationMs % 1_000 === 0 ? `${String(durationMs / 1_000)} s` : `${String(durationMs)} ms`;
}

/** Creates the error for a write that may or may not have been carried out. */
export function unknownOutcomeError(cause: PetStoreError, context: ErrorContext): UnknownOutcomeError {
  const { request, attempts } = context;
  return new UnknownOutcomeError(unknownOutcomeMessage(cause.message, context), {
    request,
    attempts,
    cause: withUnknownOutcome(cause),
    response: cause.response,
    hint: unknownOutcomeHint(context),
  });
}

function unknownOutcomeHint({ unknownOutcome }: ErrorContext): string {
  return unknownOutcome === undefined
    ? 'Do not send it again before you know whether it was carried out: it may then be done twice.'
    : 'Look for the pet with listAll() before you create it again. It may exist without being listed.';
}

function unknownOutcomeMessage(message: string, { unknownOutcome }: ErrorContext): string {
  return `${message.replace(/\.$/, '')}; ${unknownOutcome ?? 'the request may or may not have been carried out'}`;
}

/**
 * Changes a new error of a write. Code that walks its causes finds none that says that a repeat is safe. A cause of the
 * caller that says so, such as an error of another call, is replaced by its message.
 */
function withUnknownOutcome<T extends PetStoreError>(error: T): T {
  const isMisleading = causesOf(error.cause).some((each) => {
    const { outcome, retryable } = Object(each) as Partial<PetStoreError>;
    return retryable === true || outcome === 'refused' || outcome === 'not-sent';
  });
  const { cause } = error;
  const replaced = isMisleading
    ? { cause: new Error(cause instanceof Error ? cause.message : String(cause)) }
    : {};
  return Object.assign(error, { outcome: 'unknown', retryable: false, ...replaced });
}

function apiErrorOptions(response: ReceivedResponse, context: ErrorContext): ApiErrorOptions {
  const { request, attempts, redactor } = context;
  const { code } = readProblem(parseErrorBody(response));
  const described = errorResponse(response, redactor);
  return {
    request,
    attempts,
    status: response.status,
    code: code === undefined ? undefined : safeText(code, context),
    requestId: described.requestId,
    response: described,
  };
}

/** Maximum length of a message of the service. */
const MESSAGE_LENGTH_MAX = 500;

/** Makes text of the service safe to print. */
function safeText(text: string, { redactor }: ErrorContext): string {
  return printable(redact(text.slice(0, REDACTED_MAX), redactor), MESSAGE_LENGTH_MAX);
}

function codeOf(cause: unknown): string | undefined {
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
