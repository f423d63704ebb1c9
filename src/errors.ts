/**
 * The error taxonomy. Programs branch on `type` (stable) or on the class; `message` is for people and may change;
 * `code`, on answers of the service, is the service's own.
 */

/** The stable names of the failures. */
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
 * What is known of the request's effect on the service.
 *
 * - `not-sent`: no byte of it left, so nothing was done.
 * - `refused`: the service answered that it did not do it.
 * - `unknown`: it was sent, and no answer says what became of it.
 */
export type Outcome = 'not-sent' | 'refused' | 'unknown';

/** One attempt at a call, for the trail that an error carries. */
export interface Attempt {
  /** 1 for the first. */
  number: number;
  /** When it was sent, in milliseconds since the epoch, by the local clock. */
  startedAt: number;
  /** How long the call waited before it, in milliseconds. */
  waitedMs: number;
  /** The answer's status, where one came. */
  status?: number;
  /** What went wrong, in a few words. */
  failure?: string;
}

/** A request as an error may show it: no headers, so no key. */
export interface RequestSummary {
  method: string;
  /** Origin, path and query. */
  url: string;
  /** The JSON body, where one was to be sent. */
  body?: string;
}

/** What every error takes. */
export interface PetStoreErrorOptions {
  hint?: string | undefined;
  cause?: unknown;
  retryable?: boolean | undefined;
  outcome?: Outcome | undefined;
  attempts?: readonly Attempt[] | undefined;
  request?: RequestSummary | undefined;
}

const BRAND = Symbol.for('petstore.error');

/** The base of every error that this package throws on purpose. */
export abstract class PetStoreError extends Error {
  /** Stable name of the failure. */
  abstract readonly type: ErrorType;
  /** What to do about it, where that is known. */
  declare readonly hint?: string;
  /** Whether the same call may succeed later, unchanged. For a write this also means that trying again is safe. */
  readonly retryable: boolean;
  /** What is known of the request's effect. */
  readonly outcome: Outcome;
  /** Every attempt that was made, oldest first; empty where nothing was sent. */
  readonly attempts: readonly Attempt[];
  /** The request, where there was one. */
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

  /** The error as plain data, for logs: no stack, no cause, no headers. */
  toJSON(): Record<string, unknown> {
    return {
      name: this.name,
      type: this.type,
      message: this.message,
      ...(this.hint === undefined ? {} : { hint: this.hint }),
      retryable: this.retryable,
      outcome: this.outcome,
      ...(this.request === undefined ? {} : { request: this.request }),
      ...(this.attempts.length === 0 ? {} : { attempts: this.attempts }),
    };
  }
}

/** Whether a value is an error of this package, also across two copies of it in one process. */
export function isPetStoreError(value: unknown): value is PetStoreError {
  return typeof value === 'object' && value !== null && BRAND in value;
}

/** An argument is wrong. Nothing was sent. */
export class InvalidInputError extends PetStoreError {
  override readonly name = 'InvalidInputError';
  readonly type = 'invalid-input';
  /** The argument at fault, such as `limit`. */
  declare readonly field?: string;

  constructor(message: string, options: PetStoreErrorOptions & { field?: string | undefined } = {}) {
    super(message, options);
    if (options.field !== undefined) this.field = options.field;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), ...(this.field === undefined ? {} : { field: this.field }) };
  }
}

/** The client's own set-up is wrong or incomplete: no base URL, no key, a key that no header can carry. Nothing was sent. */
export class ConfigurationError extends PetStoreError {
  override readonly name = 'ConfigurationError';
  readonly type = 'configuration';
  /** The option at fault, such as `baseUrl`. */
  declare readonly option?: string;

  constructor(message: string, options: PetStoreErrorOptions & { option?: string | undefined } = {}) {
    super(message, options);
    if (options.option !== undefined) this.option = options.option;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), ...(this.option === undefined ? {} : { option: this.option }) };
  }
}

/** What an error for an answer of the service takes. */
export interface ApiErrorOptions extends PetStoreErrorOptions {
  status: number;
  code?: string | undefined;
  headers?: Readonly<Record<string, string>> | undefined;
  requestId?: string | undefined;
}

/** The service answered with a status that is not a success. */
export class ApiError extends PetStoreError {
  override readonly name: string = 'ApiError';
  readonly type: ErrorType = 'api';
  /** HTTP status. */
  readonly status: number;
  /** The service's own code, where the body held one. Its values are not specified. */
  declare readonly code?: string;
  /** The answer's headers, names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** The service's identifier of this request, where it gave one. */
  declare readonly requestId?: string;

  constructor(message: string, options: ApiErrorOptions) {
    super(message, { outcome: 'refused', ...options });
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

/** 400: the body misses required fields or holds invalid values (specification, "Errors"). */
export class BadRequestError extends ApiError {
  override readonly name = 'BadRequestError';
  override readonly type = 'bad-request';
}

/** 401: the API key is missing or invalid (specification, "Errors"). */
export class AuthenticationError extends ApiError {
  override readonly name = 'AuthenticationError';
  override readonly type = 'authentication';
}

/** 404: the resource was not found, or the service has no such route. */
export class NotFoundError extends ApiError {
  override readonly name = 'NotFoundError';
  override readonly type = 'not-found';
}

/** What a RateLimitError takes. */
export interface RateLimitErrorOptions extends Omit<ApiErrorOptions, 'status'> {
  retryAt: Date;
  retryAfterMs: number;
  limit?: number | undefined;
  remaining?: number | undefined;
  window?: 'minute' | 'day' | undefined;
}

/**
 * 429, or a rate limit that is known to be used up (then `outcome` is `not-sent`). Thrown instead of waiting where the
 * wait is longer than allowed; sending before `retryAt` can lead to a ban of the key (specification, "Exceeding the limit").
 */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
  override readonly type = 'rate-limit';
  /** The earliest time at which to send again, by the local clock. */
  readonly retryAt: Date;
  /** The same as a distance from when the error was made, in milliseconds. */
  readonly retryAfterMs: number;
  /** Requests allowed in the window, where known. */
  declare readonly limit?: number;
  /** Requests left in the window, where known. */
  declare readonly remaining?: number;
  /** The window, as inferred. */
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

/** 5xx: the service failed. */
export class ServerError extends ApiError {
  override readonly name = 'ServerError';
  override readonly type = 'server';
}

/** No connection, or one that broke before an answer. */
export class ConnectionError extends PetStoreError {
  override readonly name = 'ConnectionError';
  readonly type = 'connection';
  /** The system's code, such as `ECONNREFUSED`. */
  declare readonly code?: string;

  constructor(message: string, options: PetStoreErrorOptions & { code?: string | undefined } = {}) {
    super(message, { retryable: true, ...options });
    if (options.code !== undefined) this.code = options.code;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), ...(this.code === undefined ? {} : { code: this.code }) };
  }
}

/** An attempt took longer than `timeoutMs`, or the call could not be done within `deadlineMs`. */
export class TimeoutError extends PetStoreError {
  override readonly name = 'TimeoutError';
  readonly type = 'timeout';
  /** Which limit was reached. */
  readonly limit: 'attempt' | 'deadline';

  constructor(message: string, options: PetStoreErrorOptions & { limit: 'attempt' | 'deadline' }) {
    super(message, { retryable: true, ...options });
    this.limit = options.limit;
  }

  override toJSON(): Record<string, unknown> {
    return { ...super.toJSON(), limit: this.limit };
  }
}

/** The caller's signal ended the call. `cause` is the signal's reason. */
export class AbortedError extends PetStoreError {
  override readonly name = 'AbortedError';
  readonly type = 'aborted';
}

/**
 * A write was sent and no answer says what became of it: it may or may not have been carried out. It is never sent
 * again automatically. `request` holds what was sent, `cause` why there is no answer.
 */
export class UnknownOutcomeError extends PetStoreError {
  override readonly name = 'UnknownOutcomeError';
  readonly type = 'unknown-outcome';
  /** HTTP status, where an answer came that does not settle it (a 5xx, or a 201 that can't be read). */
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

/** What an InvalidResponseError takes. */
export interface InvalidResponseErrorOptions extends PetStoreErrorOptions {
  status: number;
  contentType?: string | undefined;
  excerpt?: string | undefined;
  requestId?: string | undefined;
}

/** An answer came that can't be understood: not JSON, cut short, of the wrong shape, too large, or a redirect. */
export class InvalidResponseError extends PetStoreError {
  override readonly name = 'InvalidResponseError';
  readonly type = 'invalid-response';
  /** HTTP status. */
  readonly status: number;
  /** The answer's `Content-Type`, where it had one. */
  declare readonly contentType?: string;
  /** The beginning of the body, control characters made visible. */
  declare readonly excerpt?: string;
  /** The service's identifier of this request, where it gave one. */
  declare readonly requestId?: string;

  constructor(message: string, options: InvalidResponseErrorOptions) {
    super(message, { outcome: 'unknown', ...options });
    this.status = options.status;
    if (options.contentType !== undefined) this.contentType = options.contentType;
    if (options.excerpt !== undefined) this.excerpt = options.excerpt;
    if (options.requestId !== undefined) this.requestId = options.requestId;
  }

  override toJSON(): Record<string, unknown> {
    return {
      ...super.toJSON(),
      status: this.status,
      ...(this.contentType === undefined ? {} : { contentType: this.contentType }),
      ...(this.excerpt === undefined ? {} : { excerpt: this.excerpt }),
      ...(this.requestId === undefined ? {} : { requestId: this.requestId }),
    };
  }
}
