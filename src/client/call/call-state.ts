import type { Attempt, Outcome } from '../../error-fields.js';
import { createRedactor, type Redactor } from '../../security/redact-secret.js';
import type { CallOptions, ResponseInfo, WithResponse } from '../contract/options.js';
import type { Operation } from '../response/classify-response.js';
import type { ReceivedResponse } from '../response/describe-response.js';
import { joinSignals } from '../../time/signals.js';
import { type Deadline, startDeadline } from '../../time/time-limit.js';
import type { Exchange } from '../transport/transport.js';
import type { ClientContext } from './client-context.js';
import { resolveSettings, type Settings } from './settings.js';

/** A method that makes several calls under one deadline. */
export interface CallGroup {
  readonly deadline: Deadline;
  /** Number of the method's own call, for events. `undefined` if its calls are not reported as parts of it. */
  readonly id?: number;
  /** All attempts of these calls, for the event of its end. */
  readonly attempts?: Attempt[];
}

/** A call in progress. */
export interface CallState<T> {
  readonly client: ClientContext;
  readonly operation: Operation<T>;
  readonly settings: Settings;
  readonly group: CallGroup | undefined;
  readonly deadline: Deadline;
  /** Aborts the waits of the call: the signal of the call, its deadline or `waitSignal`. */
  readonly waitSignal: AbortSignal | undefined;
  readonly beforeSend: CallOptions['beforeSend'];
  /** Number of the call, for events. */
  readonly id: number;
  readonly attempts: Attempt[];
  /** Attempts that count towards `attemptsMax`. A followed redirect does not count. */
  countedAttempts: number;
  redirects: number;
  /** Path and query of the next request. Changed by redirects. */
  path: string;
  /** Wait before the current attempt, in milliseconds. */
  waitedMs: number;
  /** All waits of the call for the rate limit, in milliseconds. They count towards `waitMaxMs`. */
  limitWaitedMs: number;
  /** Consecutive 429 responses to this key before the current attempt. */
  consecutive429s: number;
  /** Key of the current attempt. Empty before the first. */
  apiKey: string;
  /** The client's `apiKey.renewalCount()` when that key was read. */
  renewalCount: number;
  /** The key of the next attempt, after a 401. */
  renewedKey: string | undefined;
  /** Whether a 401 has renewed the key of this call, which happens once. */
  isKeyRenewed: boolean;
  /** Headers of the options for the current attempt. Names are in lower case. */
  headers: Readonly<Record<string, string>>;
  /** Redacts that key. */
  redactor: Redactor;
  /** Whether the last request may have been carried out, as far as is known. */
  isSent: boolean;
  /** The last request of this call. */
  exchange: Exchange | undefined;
  /** The last 429 response of this call. */
  last429: ReceivedResponse | undefined;
  /** Removes timers and listeners. */
  dispose(): void;
}

/** The result of a successful call. */
export class CallResult<T> implements WithResponse<T> {
  readonly data: T;
  readonly #readResponse: () => ResponseInfo;

  /** @param readResponse called when a caller reads the response, because redacting its headers takes a tenth of a call. */
  constructor(data: T, readResponse: () => ResponseInfo) {
    this.data = data;
    this.#readResponse = readResponse;
  }

  get response(): ResponseInfo {
    return this.#readResponse();
  }
}

/** Before the first attempt, no key is known. */
const NO_SECRET = createRedactor('');

/**
 * Creates the state of a call and starts its deadline.
 *
 * @param group the method that makes several calls, if any. It disposes of its deadline.
 */
export function createCallState<T>(
  client: ClientContext,
  operation: Operation<T>,
  options: CallOptions | null | undefined,
  group: CallGroup | undefined,
): CallState<T> {
  const settings = resolveSettings(client.settings, options);
  const deadline = group?.deadline ?? startDeadline(client.clock, settings.deadlineMs, options?.signal);
  const waits = joinSignals(deadline.signal, options?.waitSignal);
  return {
    client,
    operation,
    settings,
    group,
    deadline,
    waitSignal: waits.signal,
    beforeSend: options?.beforeSend,
    id: client.nextCallId(),
    attempts: [],
    countedAttempts: 0,
    redirects: 0,
    path: operation.path,
    waitedMs: 0,
    limitWaitedMs: 0,
    consecutive429s: 0,
    apiKey: '',
    renewalCount: 0,
    renewedKey: undefined,
    isKeyRenewed: false,
    headers: typeof settings.headers === 'function' ? {} : settings.headers,
    redactor: NO_SECRET,
    isSent: false,
    exchange: undefined,
    last429: undefined,
    dispose() {
      waits.dispose();
      if (group === undefined) deadline.dispose();
    },
  };
}

/** Safe methods (RFC 9110, section 9.2.1). All others are writes. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Checks whether the call may have an effect on the service. A write is retried only if it certainly had no effect.
 */
export function isWrite({ operation }: Pick<CallState<unknown>, 'operation'>): boolean {
  return !SAFE_METHODS.has(operation.method);
}

/**
 * Returns the outcome of a call without a request in flight. It is never `unknown` for a write, because an attempt with
 * an unknown outcome ends the call.
 */
export function outcomeSoFar(call: CallState<unknown>): Outcome {
  if (call.last429 !== undefined || call.isKeyRenewed) return 'refused';
  return isWrite(call) || call.attempts.length === 0 ? 'not-sent' : 'unknown';
}
