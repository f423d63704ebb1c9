import type {
  ApiErrorOptions,
  Attempt,
  ErrorResponse,
  ErrorType,
  InvalidResponseErrorOptions,
  Outcome,
  PetStoreErrorOptions,
  RateLimitErrorOptions,
  RequestSummary,
} from './error-fields.js';

const BRAND = Symbol.for('petstore.error');

/** The fields of all classes, in the order of `toJSON()`. Each is set by the option of the same name. */
const FIELDS = (
  'hint retryable outcome request attempts field option status code contentType excerpt requestId redirectOrigin ' +
  'isHttp retryAt retryAfterMs limit remaining window'
).split(' ');

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
  declare readonly retryable: boolean;
  /** Whether the service carried out the request. */
  declare readonly outcome: Outcome;
  /** All attempts, oldest first. Empty if nothing was sent. */
  declare readonly attempts: readonly Attempt[];
  /** The request, if there was one. */
  declare readonly request?: RequestSummary;
  /**
   * The response, if the error is about one. Not enumerable, and web frameworks do not copy it to a response of their
   * own.
   */
  declare readonly response?: ErrorResponse;

  constructor(message: string, options: PetStoreErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    const fields = Object.entries(options).filter(
      ([name, value]) => value !== undefined && FIELDS.includes(name),
    );
    Object.assign(this, { retryable: false, outcome: 'not-sent', attempts: [] }, Object.fromEntries(fields));
    Object.defineProperty(this, BRAND, { value: true });
    if (options.response !== undefined) Object.defineProperty(this, 'response', { value: options.response });
  }

  /** Returns the error as plain data for logs, without stack, cause and headers. */
  toJSON(): Record<string, unknown> {
    const { name, type, message, attempts, response } = this;
    const shown = attempts.length === 0 ? undefined : attempts.map(plainFields);
    const own = plainFields(Object.assign({ status: response?.status }, this, { attempts: shown }));
    const json: Record<string, unknown> = { name, type, message };
    for (const field of FIELDS) if (own[field] !== undefined) json[field] = own[field];
    return json;
  }
}

/** Returns a copy with points in time as text. */
function plainFields(fields: object): Record<string, unknown> {
  const entries: [string, unknown][] = Object.entries(fields);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, value instanceof Date ? value.toISOString() : value]),
  );
}

/** Any error of this package. Each value of `type` belongs to one class. */
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
  }
}

/**
 * The service responded with a status outside 200 to 299. Everything else about the response is in `response`, which is
 * absent if the call did not receive it.
 */
export class ApiError extends PetStoreError {
  override readonly name: string = 'ApiError';
  readonly type: ErrorType = 'api';
  /** HTTP status. */
  declare readonly status: number;
  /** The service's error code, if the body has one. The interface specification does not list its values. */
  declare readonly code?: string;
  /** The service's request id, if the response has one. */
  declare readonly requestId?: string;

  constructor(message: string, options: ApiErrorOptions) {
    super(message, { outcome: 'refused', ...options });
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

/**
 * The rate limit is reached, or responses to earlier requests are missing, and the wait is longer than
 * `retry.waitMaxMs` or the deadline. `outcome` is `refused` after a 429, and `not-sent` if the call sent nothing. Requests
 * before `retryAt` can lead to a ban of the API key (interface specification, "Exceeding the limit"). Without `retryAt`, the
 * service has named no time, and the call has waited for `waitMaxMs`.
 *
 * @example
 * ```ts
 * if (error instanceof RateLimitError) console.error('Try again', error.retryAt?.toISOString() ?? 'later');
 * ```
 */
export class RateLimitError extends ApiError {
  override readonly name = 'RateLimitError';
  override readonly type = 'rate-limit';
  /** Earliest time for the next request, by the local clock. Absent if the service has named no time. */
  declare readonly retryAt?: Date;
  /** Time from the creation of this error to `retryAt`, in milliseconds. */
  declare readonly retryAfterMs?: number;
  /** Requests allowed in the window, if known. */
  declare readonly limit?: number;
  /** Requests left in the window, if known. */
  declare readonly remaining?: number;
  /** The window, if it can be inferred. */
  declare readonly window?: 'minute' | 'day';

  constructor(message: string, options: RateLimitErrorOptions) {
    super(message, { retryable: true, ...options, status: 429 });
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
  }
}

/** An attempt took longer than `timeoutMs`, or the call can't finish within `deadlineMs`. */
export class TimeoutError extends PetStoreError {
  override readonly name = 'TimeoutError';
  readonly type = 'timeout';
  /** `attempt` for `timeoutMs`, `deadline` for `deadlineMs`. */
  declare readonly limit: 'attempt' | 'deadline';

  constructor(message: string, options: PetStoreErrorOptions & { limit: 'attempt' | 'deadline' }) {
    super(message, { retryable: true, ...options });
  }
}

/**
 * A signal of the caller or `beforeSend` aborted the call. `cause` is the reason. `outcome` is `unknown` if a request was
 * in flight.
 */
export class AbortedError extends PetStoreError {
  override readonly name = 'AbortedError';
  readonly type = 'aborted';
}

/**
 * A write was sent, and no response shows whether it was carried out. It is never retried automatically. `request` is
 * the sent request; `cause` is the failure. No error in the chain of causes says that a repeat is safe. `response` is
 * one that does not show the outcome: 408, 5xx, 3xx except 307 and 308, or a 201 with an invalid body. It has no `status`,
 * because web frameworks would send it to their client, which may repeat the write.
 */
export class UnknownOutcomeError extends PetStoreError {
  override readonly name = 'UnknownOutcomeError';
  readonly type = 'unknown-outcome';

  constructor(message: string, options: Omit<PetStoreErrorOptions, 'outcome' | 'retryable'> = {}) {
    super(message, { ...options, outcome: 'unknown', retryable: false });
  }
}

/**
 * The response is invalid: not HTTP, UTF-8 or JSON, truncated, too large, of the wrong shape, or nested more than 1,000
 * levels deep. A redirect that is not followed is invalid, too. `response` is absent if the received bytes are not HTTP. The error
 * has no `status`, because web frameworks would send it to their client: 200 for a response that is invalid.
 */
export class InvalidResponseError extends PetStoreError {
  override readonly name = 'InvalidResponseError';
  readonly type = 'invalid-response';
  /** `Content-Type` of the response, if it has one. */
  declare readonly contentType?: string;
  /** First characters of the body, or of its part that was received, with control characters escaped. */
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
  }
}
