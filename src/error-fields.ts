import type { RateLimit } from './schema/rate-limit.js';

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

/** A response as errors show it: the key is redacted, and in its headers also cookies and credentials. */
export interface ErrorResponse {
  status: number;
  /** Names in lower case. A challenge such as `www-authenticate` has only its scheme. */
  headers: Readonly<Record<string, string>>;
  /**
   * Parsed JSON, or the first 65,536 characters of other text. `undefined` for an empty or incomplete body. The key is
   * redacted at its first use. `JSON.stringify` writes integers beyond ±(2^53 − 1) as text, `stringifyJson`
   * as integers.
   */
  readonly body?: unknown;
  /** The service's request id (`X-Request-Id` or `Request-Id`), if the response has one. */
  requestId?: string;
  /** The rate limit of this response, if it has the headers. */
  rateLimit?: RateLimit;
}

/** Options of every error. */
export interface PetStoreErrorOptions {
  hint?: string | undefined;
  cause?: unknown;
  retryable?: boolean | undefined;
  outcome?: Outcome | undefined;
  attempts?: readonly Attempt[] | undefined;
  request?: RequestSummary | undefined;
  response?: ErrorResponse | undefined;
}

/** Options of an ApiError. */
export interface ApiErrorOptions extends PetStoreErrorOptions {
  status: number;
  code?: string | undefined;
  requestId?: string | undefined;
}

/** Options of a RateLimitError. */
export interface RateLimitErrorOptions extends Omit<ApiErrorOptions, 'status'> {
  retryAt?: Date | undefined;
  retryAfterMs?: number | undefined;
  limit?: number | undefined;
  remaining?: number | undefined;
  window?: 'minute' | 'day' | undefined;
}

/** Options of an InvalidResponseError. */
export interface InvalidResponseErrorOptions extends PetStoreErrorOptions {
  contentType?: string | undefined;
  excerpt?: string | undefined;
  requestId?: string | undefined;
  redirectOrigin?: string | undefined;
  /** @default true */
  isHttp?: boolean | undefined;
}
