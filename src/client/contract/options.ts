import type { Dispatcher } from 'undici';
import type { RateLimit } from '../../schema/rate-limit.js';
import type { Clock } from '../time/clock.js';
import type { GateStore } from '../gate/gate-store.js';

/** How a call is tried again. */
export interface RetryOptions {
  /** Attempts in all, the first included. Default 4; 1 means no retry. */
  attemptsMax?: number | undefined;
  /** First step of the exponential backoff, in milliseconds. Default 500. */
  baseDelayMs?: number | undefined;
  /** Largest wait that the client chooses by itself, in milliseconds. Default 8,000. Does not cut a told wait short. */
  capDelayMs?: number | undefined;
  /**
   * Longest wait for the rate limit that is accepted, in milliseconds. Default 60,000. A longer one throws a
   * `RateLimitError` at once: a told wait is kept whole or not begun.
   */
  waitMaxMs?: number | undefined;
}

/** What a call takes besides its input, and what a client takes as the default of all its calls. */
export interface CallSettings {
  /** Limit of one attempt, from sending to the last byte of the body, in milliseconds. Default 30,000. */
  timeoutMs?: number | undefined;
  /** Limit of the whole call, every attempt and wait included, in milliseconds. Default none. */
  deadlineMs?: number | undefined;
  retry?: RetryOptions | undefined;
  /** Cap on the decoded body of an answer, in bytes. Default 16 MiB. */
  bodyMaxBytes?: number | undefined;
  /**
   * The share of each window's limit that this caller leaves unspent, in percent: at least 0, below 100. Default 0. For
   * bulk work on a key that people use as well; who asks for less is not held up by who asks for more.
   */
  reservePercent?: number | undefined;
}

/** The last argument of every call. */
export interface CallOptions extends CallSettings {
  /** Ends the call at any point; it then rejects with an `AbortedError` whose cause is the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Ends the call where no request of it is under way: while it waits for the rate limit, for another try or for its key.
   * An answer that is on its way is waited for.
   */
  waitSignal?: AbortSignal | undefined;
  /**
   * Called whenever a request of the call is about to leave, after every wait for the rate limit; it leaves once this has
   * resolved. Where it rejects nothing is sent, and the call rejects with an `AbortedError` of which that is the cause.
   */
  beforeSend?: (() => void | Promise<void>) | undefined;
}

/** The API key, or what fetches it. A function is asked before every attempt, so that a rotated key is picked up. */
export type ApiKey = string | (() => string | Promise<string>);

/** What `createPetStore` takes. */
export interface PetStoreOptions extends CallSettings {
  /** Sent as `Authorization: Bearer <key>`, to the base URL's origin only. */
  apiKey: ApiKey;
  /** Address of the service, the version prefix included (`https://…/v1`). There is no default. */
  baseUrl: string | URL;
  /** Allows plain http to a host that is not loopback. The key then crosses the network readable. Default false. */
  allowInsecure?: boolean | undefined;
  /** `auto` (default) sends nothing that is known to exceed the rate limit; `off` sends and takes the 429. */
  pace?: 'auto' | 'off' | undefined;
  /**
   * Where the rate budget lives. Default `'memory'`: in this process, shared by all clients of the same key and origin.
   * `fileGate({ directory })` shares it with all processes on the machine, `redisGate({ url })` with those of other
   * machines too. One that fails is replaced by memory until it is back, with one warning, and never makes a call fail.
   */
  gate?: 'memory' | GateStore | undefined;
  /** An undici dispatcher, such as a `ProxyAgent`, to send with. */
  dispatcher?: Dispatcher | undefined;
  /** A Web `fetch` to send with, such as `mock.fetch`. Wins over `dispatcher`. */
  fetch?: typeof globalThis.fetch | undefined;
  /** Default: the machine's clock. */
  clock?: Clock | undefined;
  /** Source of jitter: a number from 0 up to, not including, 1. Default `Math.random`. */
  random?: (() => number) | undefined;
  /** Takes a line for each request, answer and wait. Default none. The key is never in it. */
  logger?: Logger | undefined;
  /** Takes every step of a call as data. Default none. The key is never in it. */
  onEvent?: ((event: ClientEvent) => void) | undefined;
  /** Takes notices for people, such as a deprecation. Default `process.emitWarning`. Each is given once a client. */
  onWarning?: ((warning: Warning) => void) | undefined;
}

/** The two levels that the client writes to. `console` is one. */
export interface Logger {
  debug(message: string): void;
  warn(message: string): void;
}

/** A notice for people. */
export interface Warning {
  /** Stable name. */
  code: 'deprecated-operation' | 'unknown-status' | 'gate-degraded';
  message: string;
}

/** Why a call waits. */
export type WaitReason =
  /** The service answered 429. */
  | 'rate-limited'
  /** The budget is used up, or another call is under way to learn it. */
  | 'paced'
  /** A failure is about to be tried again. */
  | 'backoff';

/** A step of a call. `call` ties the steps of one call together. Headers are redacted by an allow-list. */
export type ClientEvent =
  | {
      type: 'request';
      call: number;
      attempt: number;
      method: string;
      url: string;
      headers: Readonly<Record<string, string>>;
      body?: string;
    }
  | {
      type: 'response';
      call: number;
      attempt: number;
      status: number;
      headers: Readonly<Record<string, string>>;
      bytes: number;
      elapsedMs: number;
    }
  | { type: 'failure'; call: number; attempt: number; message: string; elapsedMs: number }
  /** A wait begins. `delayMs` is absent where its end depends on another call. */
  | { type: 'wait'; call: number; attempt: number; reason: WaitReason; delayMs?: number; until?: Date }
  | { type: 'rate-limit'; call: number; rateLimit: RateLimit };

/** What an answer carried besides its data. */
export interface ResponseInfo {
  status: number;
  /** Names in lower case. */
  headers: Readonly<Record<string, string>>;
  /** The service's identifier of this request, where it gave one. */
  requestId?: string;
  /** The rate limit as this answer told it. */
  rateLimit?: RateLimit;
}

/** Data and the answer that brought it. */
export interface WithResponse<T> {
  data: T;
  response: ResponseInfo;
}

/** A call under way: a promise of its data, which can also be asked for the answer. */
export interface Call<T> extends Promise<T> {
  /** Resolves with the data and the status, headers and rate limit of the answer that brought it. */
  withResponse(): Promise<WithResponse<T>>;
}
