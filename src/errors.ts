/** Stable names of the errors. Programs branch on `type` or on the class, never on `message`. */
export type ErrorType =
  | 'invalid-input'
  | 'configuration'
  | 'api'
  | 'bad-request'
  | 'authentication'
  | 'not-found'
  | 'rate-limit'
  | 'server'
  | 'connection'
  | 'timeout'
  | 'aborted'
  | 'unknown-outcome'
  | 'invalid-response';

/**
 * Whether the service carried out a failed request.
 *
 * - `not-sent`: the service received nothing.
 * - `refused`: the service responded that it did not carry out the request.
 * - `unknown`: the request was sent, and no response shows whether it was carried out.
 */
export type Outcome = 'not-sent' | 'refused' | 'unknown';

/** One attempt of a call. Errors list all attempts. */
export interface Attempt {
  /** Starts at 1. */
  number: number;
  /** Time of sending, by the local clock. */
  startedAt: Date;
  /** Wait before this attempt, in milliseconds. */
  waitedMs: number;
  /** HTTP status, if there was a response. */
  status?: number;
  /** `connection`, `timeout`, `aborted`, `configuration` or `invalid-response`, if there was no HTTP response. */
  failure?: string;
}

/** A request as errors show it: without headers, so without the API key. */
export interface RequestSummary {
  method: string;
  /** Origin, path and query. */
  url: string;
  /** The JSON body, if the request has one. */
  body?: string;
}

/** Options of every error. */
export interface PetStoreErrorOptions {
  hint?: string | undefined;
  cause?: unknown;
  retryable?: boolean | undefined;
  outcome?: Outcome | undefined;
  attempts?: readonly Attempt[] | undefined;
  request?: RequestSummary | undefined;
}

const BRAND = Symbol.for('petstore.error');

/**
 * Base class of all errors of this package.
 *
 * @example
 * ```ts
 * try {
 *   await store.pets.create(pet);
 * } catch (error) {
 *   if (isPetStoreError(error) && error.type === 'unknown-outcome') console.error(error.request);
 *   else throw error;
 * }
 * ```
 */
export abstract class PetStoreError extends Error {
  /** Stable name of the error. */
  abstract readonly type: ErrorType;
  /** What to do about it, in one or two sentences. */
  declare readonly hint?: string;
  /** Whether the same call may succeed later. For a write, `true` also means that it is safe to repeat. */
  readonly retryable: boolean;
  /** Whether the service carried out the request. */
  readonly outcome: Outcome;
  /** All attempts, oldest first. Empty if nothing was sent. */
  readonly attempts: readonly Attempt[];
  /** The request, if there was one. */
  declare readonly request?: RequestSummary;

  constructor(message: string, options: PetStoreErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    if (options.hint !== undefined) this.hint = options.hint;
    this.retryable = options.retryable ?? false;
    this.outcome = options.outcome ?? 'not-sent';
    this.attempts = options.attempts ?? [];
    if (options.request !== undefined) this.request = options.request;
    Object.defineProperty(this, BRAND, { value: true });
  }

  /** Returns the error as plain data for logs, without stack, cause and headers. */
  toJSON(): Record<string, unknown> {
    return {
      name: this.name,
      type: this.type,
      message: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      retryable: this.retryable,
      outcome: this.outcome,
      ...(this.request === undefined ? {} : { request: this.request }),
      ...(this.attempts.length === 0 ? {} : { attempts: this.attempts.map(plainAttempt) }),
    };
  }
}

function plainAttempt(attempt: Attempt): Record<string, unknown> {
  return { ...attempt, startedAt: attempt.startedAt.toISOString() };
}

/** Any error of this package. `type` tells them apart: each value of `type` belongs to one class. */
export type AnyPetStoreError =
  | InvalidInputError
  | ConfigurationError
  | (ApiError & { readonly type: 'api' })
  | BadRequestError
  | AuthenticationError
  | NotFoundError
  | RateLimitError
  | ServerError
  | ConnectionError
  | TimeoutError
  | AbortedError
  | UnknownOutcomeError
  | InvalidResponseError;

/**
 * Checks whether a value is an error of this package. Also works for errors of another copy of the package, which
 * `instanceof` does not recognise. Then `type` narrows the error to its class.
 *
 * @example
 * ```ts
 * if (isPetStoreError(error) && error.type === 'rate-limit') console.error(error.retryAt);
 * ```
 */
export function isPetStoreError(value: unknown): value is AnyPetStoreError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** An argument is invalid. Nothing was sent. */
export class InvalidInputError extends PetStoreError {
  override readonly name = 'InvalidInputError';
  readonly type = 'invalid-input';
  /** The invalid argument, such as `limit`. */
  declare readonly field?: string;

  constructor(message: string, options: PetStoreErrorOptions & { field?: string | undefined } = {}) {
    super(message, options);
    if (options.field !== undefined) this.field = options.field;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), ...(this.field === undefined ? {} : { field: this.field }) };
  }
}

/** An option of the client is missing or invalid, such as `baseUrl` or `apiKey`. Nothing was sent. */
export class ConfigurationError extends PetStoreError {
  override readonly name = 'ConfigurationError';
  readonly type = 'configuration';
  /** The invalid option, such as `baseUrl`. */
  declare readonly option?: string;

  constructor(message: string, options: PetStoreErrorOptions & { option?: string | undefined } = {}) {
    super(message, options);
    if (options.option !== undefined) this.option = options.option;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), ...(this.option === undefined ? {} : { option: this.option }) };
  }
}

/** Options of an ApiError. */
export interface ApiErrorOptions extends PetStoreErrorOptions {
  status: number;
  code?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  requestId?: string | undefined;
  body?: unknown;
  /** Returns the body at its first use. Replaces `body`. */
  readBody?: (() => unknown) | undefined;
}

/** The service responded with a status outside 200 to 299. */
export class ApiError extends PetStoreError {
  override readonly name: string = 'ApiError';
  readonly type: ErrorType = 'api';
  /** HTTP status. */
  readonly status: number;
  /** The service's error code, if the body has one. The interface specification does not list its values. */
  declare readonly code?: string;
  /** Response headers, with names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The service's request id, if the response has one. */
  declare readonly requestId?: string;
  /**
   * The response body: parsed JSON, or the first 65,536 characters of other text. `undefined` without a response and for
   * an empty or incomplete body. Not enumerable, so that logs stay short. The API key is redacted in it, at its first use.
   */
  declare readonly body?: unknown;

  constructor(message: string, options: ApiErrorOptions) {
    super(message, { outcome: 'refused', ...options });
    let { body, readBody } = options;
    Object.defineProperty(this, 'body', {
      get: () => {
        if (readBody !== undefined) body = readBody();
        readBody = undefined;
        return body;
      },
    });
    this.status = options.status;
    this.headers = options.headers ?? {};
    if (options.code !== undefined) this.code = options.code;
    if (options.requestId !== undefined) this.requestId = options.requestId;
  }

  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      status: this.status,
      ...(this.code === undefined ? {} : { code: this.code }),
      ...(this.requestId === undefined ? {} : { requestId: this.requestId }),
    };
  }
}

/** 400: a field of the request body is missing or invalid (interface specification, "Errors"). */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
  override readonly type = 'bad-request';
}

/** 401: the API key is missing or invalid (interface specification, "Errors"). */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
  override readonly type = 'authentication';
}

/** 404: the resource or the route does not exist (interface specification, "Errors"). */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
  override readonly type = 'not-found';
}

/** Options of a RateLimitError. */
export interface RateLimitErrorOptions extends Omit<ApiErrorOptions, 'status'> {
  retryAt: Date;
  retryAfterMs: number;
  limit?: number | undefined;
  remaining?: number | undefined;
  window?: 'minute' | 'day' | undefined;
}

/**
 * The rate limit is reached, and the wait would be longer than `retry.waitMaxMs` or the deadline. `outcome` is
 * `refused` after a 429, and `not-sent` if the call sent nothing. Requests before `retryAt` can lead to a ban of the
 * API key (interface specification, "Exceeding the limit").
 *
 * @example
 * ```ts
 * if (error instanceof RateLimitError) console.error(`Try again at ${error.retryAt.toISOString()}`);
 * ```
 */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
  override readonly type = 'rate-limit';
  /** Earliest time for the next request, by the local clock. */
  readonly retryAt: Date;
  /** Time from the creation of this error to `retryAt`, in milliseconds. */
  readonly retryAfterMs: number;
  /** Requests allowed in the window, if known. */
  declare readonly limit?: number;
  /** Requests left in the window, if known. */
  declare readonly remaining?: number;
  /** The window, if it can be inferred. */
  declare readonly window?: 'minute' | 'day';

  constructor(message: string, options: RateLimitErrorOptions) {
    super(message, { retryable: true, ...options, status: 429 });
    this.retryAt = options.retryAt;
    this.retryAfterMs = options.retryAfterMs;
    if (options.limit !== undefined) this.limit = options.limit;
    if (options.remaining !== undefined) this.remaining = options.remaining;
    if (options.window !== undefined) this.window = options.window;
  }

  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      retryAt: this.retryAt.toISOString(),
      retryAfterMs: this.retryAfterMs,
      ...(this.limit === undefined ? {} : { limit: this.limit }),
      ...(this.remaining === undefined ? {} : { remaining: this.remaining }),
      ...(this.window === undefined ? {} : { window: this.window }),
    };
  }
}

/** 5xx: the service failed to process the request. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
  override readonly type = 'server';
}

/** The connection could not be opened, or it broke before the response. */
export class ConnectionError extends PetStoreError {
  override readonly name = 'ConnectionError';
  readonly type = 'connection';
  /** Error code of the operating system or TLS, such as `ECONNREFUSED`. */
  declare readonly code?: string;

  constructor(message: string, options: PetStoreErrorOptions & { code?: string | undefined } = {}) {
    super(message, { retryable: true, ...options });
    if (options.code !== undefined) this.code = options.code;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), ...(this.code === undefined ? {} : { code: this.code }) };
  }
}

/** An attempt took longer than `timeoutMs`, or the call can't finish within `deadlineMs`. */
export class TimeoutError extends PetStoreError {
  override readonly name = 'TimeoutError';
  readonly type = 'timeout';
  /** `attempt` for `timeoutMs`, `deadline` for `deadlineMs`. */
  readonly limit: 'attempt' | 'deadline';

  constructor(message: string, options: PetStoreErrorOptions & { limit: 'attempt' | 'deadline' }) {
    super(message, { retryable: true, ...options });
    this.limit = options.limit;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), limit: this.limit };
  }
}

/** A signal of the caller or `beforeSend` aborted the call. `cause` is the reason. */
export class AbortedError extends PetStoreError {
  override readonly name = 'AbortedError';
  readonly type = 'aborted';
}

/**
 * A write was sent, and no response shows whether it was carried out. It is never retried automatically. `request` is
 * the sent request; `cause` is the failure.
 */
export class UnknownOutcomeError extends PetStoreError {
  override readonly name = 'UnknownOutcomeError';
  readonly type = 'unknown-outcome';
  /**
   * HTTP status, if there was a response that does not show the outcome: 408, 5xx, 3xx except 307 and 308, or a 201 with
   * an invalid body.
   */
  declare readonly status?: number;

  constructor(
    message: string,
    options: Omit<PetStoreErrorOptions, 'outcome'> & { status?: number | undefined } = {},
  ) {
    super(message, { ...options, outcome: 'unknown' });
    if (options.status !== undefined) this.status = options.status;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), ...(this.status === undefined ? {} : { status: this.status }) };
  }
}

/** Options of an InvalidResponseError. */
export interface InvalidResponseErrorOptions extends PetStoreErrorOptions {
  status?: number | undefined;
  contentType?: string | undefined;
  excerpt?: string | undefined;
  requestId?: string | undefined;
  redirectOrigin?: string | undefined;
  /** @default true */
  isHttp?: boolean | undefined;
}

/**
 * The response is invalid: not HTTP, not UTF-8, not JSON, truncated, too large, nested more than 1,000 levels deep, of
 * the wrong shape, or a redirect that is not followed.
 */
export class InvalidResponseError extends PetStoreError {
  override readonly name = 'InvalidResponseError';
  readonly type = 'invalid-response';
  /** HTTP status. Absent if the received bytes are not HTTP. */
  declare readonly status?: number;
  /** `Content-Type` of the response, if it has one. */
  declare readonly contentType?: string;
  /** First characters of the body, with control characters escaped. */
  declare readonly excerpt?: string;
  /** The service's request id, if the response has one. */
  declare readonly requestId?: string;
  /** Origin that the service redirects to. Only if the redirect is not followed because of it. */
  declare readonly redirectOrigin?: string;
  /** Whether the received bytes are HTTP, valid or not. */
  readonly isHttp: boolean;

  constructor(message: string, options: InvalidResponseErrorOptions) {
    super(message, { outcome: 'unknown', ...options });
    this.isHttp = options.isHttp ?? true;
    if (options.redirectOrigin !== undefined) this.redirectOrigin = options.redirectOrigin;
    if (options.status !== undefined) this.status = options.status;
    if (options.contentType !== undefined) this.contentType = options.contentType;
    if (options.excerpt !== undefined) this.excerpt = options.excerpt;
    if (options.requestId !== undefined) this.requestId = options.requestId;
  }

  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      ...(this.status === undefined ? {} : { status: this.status }),
      ...(this.contentType === undefined ? {} : { contentType: this.contentType }),
      ...(this.excerpt === undefined ? {} : { excerpt: this.excerpt }),
      ...(this.requestId === undefined ? {} : { requestId: this.requestId }),
      ...(this.redirectOrigin === undefined ? {} : { redirectOrigin: this.redirectOrigin }),
      isHttp: this.isHttp,
    };
  }
}

/**
 * Returns an error and its causes, outermost first, including the inner errors of an `AggregateError`. Each occurs once,
 * because causes can be circular.
 */
export function causesOf(error: unknown): unknown[] {
  const found = new Set([error]);
  for (const each of found) {
    if (typeof each !== 'object' || each === null) continue;
    const { cause, errors } = each as { cause?: unknown; errors?: unknown };
    if (cause !== undefined) found.add(cause);
    if (Array.isArray(errors)) for (const inner of errors as unknown[]) found.add(inner);
  }
  return [...found];
}
