import {
  AbortedError,
  ApiError,
  type ApiErrorOptions,
  type Attempt,
  AuthenticationError,
  BadRequestError,
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
import { readProblem } from '../../schema/problem.js';
import type { RateLimit } from '../../schema/rate-limit.js';
import { parseErrorBody, bodyExcerpt } from '../response/classify-response.js';
import type { AttemptResult } from './attempt.js';
import { dateAfter } from '../time/clock.js';
import { printable } from '../response/printable.js';
import { redact, redactCause, redactHeaders } from '../response/redaction.js';
import { readRequestId } from '../response/response-headers.js';
import type { TransportResponse } from '../transport/transport.js';

/** What every error of a call says of it. */
export interface ErrorContext {
  request: RequestSummary;
  attempts: readonly Attempt[];
  /** The key, to be kept out of every text. */
  apiKey: string;
}

/** The error for an answer whose status is not a success, 429 apart. */
export function statusError(answer: TransportResponse, context: ErrorContext): ApiError {
  const options = apiErrorOptions(answer, context);
  const { message } = readProblem(parseErrorBody(answer));
  const said =
    message === undefined ? `the service answered ${String(answer.status)}` : safeText(message, context);
  if (answer.status === 400) return new BadRequestError(said, options);
  if (answer.status === 401) return new AuthenticationError(said, options);
  if (answer.status === 404) return new NotFoundError(said, options);
  if (answer.status >= 500)
    return new ServerError(said, { ...options, retryable: isTransient(answer.status) });
  return new ApiError(said, { ...options, retryable: isTransient(answer.status) });
}

/** Statuses after which the same read may succeed a little later. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 500 || (status >= 502 && status <= 504);
}

/** The error for an answer that can't be understood. */
export function invalidResponseError(
  answer: TransportResponse,
  why: string,
  context: ErrorContext,
): InvalidResponseError {
  const { request, attempts, apiKey: secret } = context;
  const contentType = answer.headers['content-type'];
  const excerpt = bodyExcerpt(answer.body, (text) => redact(text, secret));
  const requestId = readRequestId(answer.headers);
  return new InvalidResponseError(`the answer can't be understood: ${redact(why, secret)}`, {
    request,
    attempts,
    status: answer.status,
    retryable: answer.end === 'truncated',
    ...(contentType === undefined ? {} : { contentType: redact(contentType, secret) }),
    ...(excerpt === '' ? {} : { excerpt }),
    ...(requestId === undefined ? {} : { requestId: redact(requestId, secret) }),
  });
}

/** Why a redirect is not followed. */
export type RedirectProblem = 'elsewhere' | 'write' | 'too-many' | 'no-target';

/** The error for a redirect that is not followed. Of its target only the origin is told. */
export function redirectError(
  answer: TransportResponse,
  fault: RedirectProblem,
  origin: string | undefined,
  context: ErrorContext,
): InvalidResponseError {
  const target = origin === undefined ? 'another address' : redact(origin, context.apiKey);
  const reasons: Record<RedirectProblem, string> = {
    elsewhere: `the service redirects to ${target}, and the key is not taken there`,
    write: 'the service redirects a write, which is not sent a second time',
    'too-many': 'the service redirects again and again',
    'no-target': 'the service redirects without saying where to',
  };
  return new InvalidResponseError(reasons[fault], {
    request: context.request,
    attempts: context.attempts,
    status: answer.status,
    hint: 'if the service has moved, change the base URL',
    outcome: answer.status === 303 ? 'unknown' : 'refused',
  });
}

/** A limit that is met: what it is and when it ends. */
export interface LimitFacts {
  /** Milliseconds from now, as told. */
  retryAfterMs: number;
  /** The local time now, in milliseconds since the epoch. */
  now: number;
  rateLimit: RateLimit | undefined;
  /** The 429, where this call got one. */
  answer: TransportResponse | undefined;
  /** What is known of the call so far. */
  outcome: Outcome;
}

/** The error for a rate limit that is not waited for. */
export function rateLimitErrorOf(facts: LimitFacts, context: ErrorContext): RateLimitError {
  const { retryAfterMs, now, rateLimit, answer, outcome } = facts;
  const retryAt = dateAfter(now, retryAfterMs);
  const message = answer === undefined ? undefined : readProblem(parseErrorBody(answer)).message;
  const said = message === undefined ? 'the rate limit is reached' : safeText(message, context);
  return new RateLimitError(`${said}; the service accepts requests again at ${retryAt.toISOString()}`, {
    ...(answer === undefined
      ? { request: context.request, attempts: context.attempts }
      : apiErrorOptions(answer, context)),
    outcome,
    retryAt,
    retryAfterMs: Math.ceil(retryAfterMs),
    limit: rateLimit?.limit,
    remaining: rateLimit?.remaining,
    window: rateLimit?.window,
  });
}

/** The error for an attempt without an answer. */
export function noResponse(
  result: Extract<AttemptResult, { kind: 'failed' }>,
  timeoutMs: number,
  context: ErrorContext,
): AbortedError | ConnectionError | TimeoutError {
  const { request, attempts, apiKey: secret } = context;
  const outcome: Outcome = result.sent ? 'unknown' : 'not-sent';
  const shared = { request, attempts, outcome };
  if (result.reason === 'aborted') return abortedError(result.cause, context, outcome);
  if (result.reason === 'timeout') {
    return new TimeoutError(`no complete answer within ${String(timeoutMs)} ms`, {
      ...shared,
      limit: 'attempt',
    });
  }
  const { origin } = new URL(request.url);
  const cause = redactCause(result.cause, secret);
  const code = codeOf(result.cause);
  const reason = code ?? (cause instanceof Error ? cause.message : 'the connection failed');
  const retryable = code === undefined || !CERTIFICATE_ERROR.test(code);
  return new ConnectionError(`no answer from ${origin} (${reason})`, { ...shared, cause, code, retryable });
}

/** OpenSSL's and Node's names for a certificate that another try won't make better. */
const CERTIFICATE_ERROR = /^ERR_TLS_CERT|^CERT_|SELF_SIGNED|^UNABLE_TO_(?:VERIFY|GET)/;

/** The error for a call that its own signal ended. */
export function abortedError(reason: unknown, context: ErrorContext, outcome: Outcome): AbortedError {
  const { request, attempts, apiKey: secret } = context;
  return new AbortedError('the call was aborted', {
    request,
    attempts,
    outcome,
    cause: redactCause(reason, secret),
  });
}

/** The error for a call that can't be done within its deadline any more. */
export function deadlineError(
  deadlineMs: number,
  cause: unknown,
  context: ErrorContext,
  outcome: Outcome,
): TimeoutError {
  const { request, attempts } = context;
  return new TimeoutError(`the call can't be done within its deadline of ${String(deadlineMs)} ms`, {
    request,
    attempts,
    cause,
    outcome,
    limit: 'deadline',
  });
}

/** The error for a write of which nobody can say whether it was carried out. */
export function unknownOutcomeError(cause: PetStoreError, context: ErrorContext): UnknownOutcomeError {
  const { request, attempts } = context;
  const status = (cause as { status?: unknown }).status;
  return new UnknownOutcomeError(`the request may or may not have been carried out: ${cause.message}`, {
    request,
    attempts,
    cause,
    hint: 'look whether it was before sending it again',
    ...(typeof status === 'number' ? { status } : {}),
  });
}

function apiErrorOptions(answer: TransportResponse, context: ErrorContext): ApiErrorOptions {
  const { request, attempts, apiKey: secret } = context;
  const { code } = readProblem(parseErrorBody(answer));
  const requestId = readRequestId(answer.headers);
  return {
    request,
    attempts,
    status: answer.status,
    headers: redactHeaders(answer.headers, secret),
    ...(code === undefined ? {} : { code: safeText(code, context) }),
    ...(requestId === undefined ? {} : { requestId: redact(requestId, secret) }),
  };
}

/** More of a message of the service than this is not passed on. */
const QUOTE_MAX = 500;

/** Words of the service, as an error may repeat them. */
function safeText(text: string, { apiKey: secret }: ErrorContext): string {
  return printable(redact(text, secret), QUOTE_MAX);
}

function codeOf(cause: unknown): string | undefined {
  const code = (cause as { code?: unknown } | undefined)?.code;
  return typeof code === 'string' ? code : undefined;
}
