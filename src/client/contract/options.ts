import type { RateLimit } from '../../schema/rate-limit.js';
import type { ClientEvent } from './events.js';
import type { GateStore } from '../gate/gate-store.js';
import type { Clock } from '../../time/clock.js';
import type { DispatcherLike } from '../transport/dispatched-exchange.js';
import type { Fetch } from '../transport/fetch.js';

/** How a call is retried. */
export interface RetryOptions {
  /**
   * Maximum number of attempts, including the first. A whole number of at least 1; 1 disables retries. Otherwise, a 429
   * does not count: `waitMaxMs` limits these waits.
   *
   * @default 4
   */
  attemptsMax?: number | undefined;
  /**
   * First delay of the exponential backoff, in milliseconds, at least 0.
   *
   * @default 500
   */
  baseDelayMs?: number | undefined;
  /**
   * Maximum backoff delay, in milliseconds, at least 0. Never shortens a received `Retry-After`. After consecutive 429
   * responses, the delay is at least 500 ms. After a 429 that names no time, it is 1 s, then 2 s, 4 s and so on up to a
   * minute.
   *
   * @default 8_000
   */
  capDelayMs?: number | undefined;
  /**
   * Maximum of all waits of a call for the rate limit together, in milliseconds, at least 0. A wait that is known to be
   * longer is not started: the call rejects with a `RateLimitError` at once. If the service has named no time, the call
   * backs off and rejects after this time. It never sends a request without a permit.
   *
   * @default 75_000
   */
  waitMaxMs?: number | undefined;
}

/** Settings of one call. As client options, they are the defaults of all calls. */
export interface CallSettings {
  /**
   * Time limit of one attempt, from connecting to the last byte of the body, in milliseconds, above 0. Also limits each
   * wait for the functions `apiKey` and `headers`, which ends the call with a `TimeoutError`.
   *
   * @default 30_000
   */
  timeoutMs?: number | undefined;
  /**
   * Time limit of the whole call with all attempts and waits, in milliseconds, above 0.
   *
   * @default no limit
   */
  deadlineMs?: number | undefined;
  /** The limits of attempts and waits. Options that are left out keep their defaults. */
  retry?: RetryOptions | undefined;
  /**
   * Maximum size of a decoded response body, in bytes, above 0.
   *
   * @default 16 MiB
   */
  bodyMaxBytes?: number | undefined;
  /**
   * Share of each rate limit that this call leaves to other users of the key, in percent, from 0 to below 100. For bulk
   * work on a key that people also use. Does not delay calls with a smaller reserve.
   *
   * @default 0
   */
  reservePercent?: number | undefined;
  /**
   * - `auto`: delays requests that would exceed the rate limit.
   * - `off`: sends them. After a 429 all calls of the key still wait.
   *
   * @default 'auto'
   */
  pace?: 'auto' | 'off' | undefined;
  /**
   * Headers for every request, such as `traceparent` or `user-agent`. A function is called for each request, retries
   * included, in the asynchronous context of the call. Names ignore case. The headers of a call are added to those of the
   * client, and replace them. `authorization` and the headers of the connection can't be set.
   */
  headers?: RequestHeaders | (() => RequestHeaders | Promise<RequestHeaders>) | undefined;
}

/** Headers as an object of names and values, or as pairs, such as a Web `Headers`. `undefined` leaves one out. */
export type RequestHeaders =
  Readonly<Record<string, string | undefined>> | Iterable<readonly [name: string, value: string]>;

/** Options of one call: the last argument of every method. */
export interface CallOptions extends CallSettings {
  /** Aborts the call at any time. The call rejects with an `AbortedError` whose `cause` is the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Aborts the call while it waits for the rate limit, for a retry or for its API key. A request in flight still
   * completes.
   */
  waitSignal?: AbortSignal | undefined;
  /**
   * Called before each request of the call, after all waits for the rate limit. The request is sent once this resolves.
   * If it rejects, nothing is sent and the call rejects with an `AbortedError` with that `cause`.
   */
  beforeSend?: (() => void | Promise<void>) | undefined;
}

/** Options of `PetStore.request`. */
export interface RequestOptions<T = unknown> extends CallOptions {
  /**
   * Validates the body of a successful response, and types the result. It is a zod schema, any other schema that
   * implements Standard Schema, or an object with `parse`. If it rejects the body, the call rejects with an
   * `InvalidResponseError`; a write with an `UnknownOutcomeError`.
   */
  schema?: ResponseSchema<T> | undefined;
}

/** A validator of response bodies. See https://standardschema.dev for the first form. */
export type ResponseSchema<T> =
  { readonly '~standard': StandardSchemaProps<T> } | { parse(value: unknown): T };

/** The part of Standard Schema, version 1, that the client uses. */
export interface StandardSchemaProps<T> {
  readonly version: 1;
  readonly vendor: string;
  readonly validate: (value: unknown) => StandardSchemaResult<T> | Promise<StandardSchemaResult<T>>;
  readonly types?: { readonly input: unknown; readonly output: T } | undefined;
}

/** The value, or the problems of the input. */
export type StandardSchemaResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | {
      readonly issues: readonly {
        readonly message: string;
        readonly path?: readonly unknown[] | undefined;
      }[];
    };

/**
 * The API key, or a function that returns it. The function is called before every attempt, so a rotated key takes
 * effect. After a 401 it is called once more, and the request is repeated if the key differs. Calls in flight share
 * this second call. A key is one line of printable ASCII without spaces.
 */
export type ApiKey = string | (() => string | Promise<string>);

/** Options of `createPetStore`. */
export interface PetStoreOptions extends CallSettings {
  /**
   * Sent as `Authorization: Bearer <key>`, only to the origin of the base URL (interface specification,
   * "Authentication").
   */
  apiKey: ApiKey;
  /** Base URL of the service with the version prefix, such as `https://…/v1`. There is no default. */
  baseUrl: string | URL;
  /**
   * Allows http to hosts other than loopback. The key is then sent unencrypted.
   *
   * @default false
   */
  allowInsecure?: boolean | undefined;
  /**
   * The storage of the rate budget.
   *
   * - `'memory'`: in this process, shared by all clients with the same key and origin.
   * - `memoryGate()`: in this process, shared only by the clients that it is passed to.
   * - `fileGate({ directory })`: shared with all processes on this machine.
   * - `redisGate({ url })`: also shared with other machines.
   *
   * While a store fails, calls use a budget in memory (Redis: in files first), with a warning. No call fails.
   *
   * @default 'memory'
   */
  gate?: 'memory' | GateStore | undefined;
  /**
   * An undici dispatcher that sends the requests, such as `new EnvHttpProxyAgent()` of undici 8 for a proxy. The proxy agents
   * of undici 7 reconnect for ever to a proxy that closes the connection, until `destroy()`. The caller closes it.
   */
  dispatcher?: DispatcherLike | undefined;
  /** A Web `fetch` function that sends the requests, such as `mock.fetch`. Takes precedence over `dispatcher`. */
  fetch?: Fetch | undefined;
  /**
   * The clock for time-outs and waits. Tests can pass a virtual one.
   *
   * @default the system clock
   */
  clock?: Clock | undefined;
  /**
   * Source of jitter. Returns a number from 0 to below 1.
   *
   * @default Math.random
   */
  random?: (() => number) | undefined;
  /** Receives one line for each event of a call. The line never contains the key. */
  logger?: Logger | undefined;
  /** Receives every event of a call as data. The data never contains the key. */
  onEvent?: ((event: ClientEvent) => void) | undefined;
  /**
   * Receives warnings, such as a deprecation. Each is reported once per client.
   *
   * @default process.emitWarning
   */
  onWarning?: ((warning: Warning) => void) | undefined;
}

/** The log levels that the client uses. `console` implements them. */
export interface Logger {
  debug(message: string): void;
  warn(message: string): void;
}

/** A warning about the service or the rate limit gate. */
export interface Warning {
  /** Stable name of the warning. */
  code:
    | 'deprecated-operation'
    | 'unknown-status'
    | 'gate-degraded'
    | 'gate-restored'
    | 'implausible-wait'
    | 'callback-failed';
  /** One sentence for people. May change. */
  message: string;
}

/** Status and headers of a response. */
export interface ResponseInfo {
  status: number;
  /** Names in lower case. Values of a repeated header are joined with `, `, those of `set-cookie` with a line break. */
  headers: Readonly<Record<string, string>>;
  /** The service's request id (`X-Request-Id` or `Request-Id`), if the response has one. */
  requestId?: string;
  /** The rate limit of this response, if it has the headers. */
  rateLimit?: RateLimit;
}

/** Data and the response it came with. */
export interface WithResponse<T> {
  data: T;
  response: ResponseInfo;
}

/**
 * A call in progress: a promise of its data.
 *
 * @example
 * ```ts
 * const { data, response } = await store.pets.list().withResponse();
 * ```
 */
export interface Call<T> extends Promise<T> {
  /** Resolves with the data and the status, headers and rate limit of its response. */
  withResponse(): Promise<WithResponse<T>>;
}
