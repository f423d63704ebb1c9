import { isPetStoreError } from '../../errors.js';
import { foreignMessage } from '../../foreign-error.js';
import { startTimeLimit } from '../../time/time-limit.js';
import { VERSION } from '../../version.js';
import type { ClientEvent } from '../contract/events.js';
import { headersForLog, redact } from '../response/redaction.js';
import type { Clock } from '../../time/clock.js';
import { onAbort } from '../../time/signals.js';
import { ACCEPT_ENCODING } from '../transport/body.js';
import {
  type Exchange,
  isProgrammingError,
  TransportFailure,
  type TransportRequest,
  type TransportResponse,
} from '../transport/transport.js';
import type { CallState } from './call-state.js';

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

/** The result of one attempt. */
export type AttemptResult = { kind: 'response'; response: TransportResponse } | AttemptFailure;

const USER_AGENT = `petstore/${VERSION}`;

/** Sends the request of a call once and waits for its response. Never rejects. */
export function sendRequest(call: CallState<unknown>): Promise<AttemptResult> {
  const { client, operation, path, settings, apiKey } = call;
  const { signal } = call.deadline;
  const { method, body } = operation;
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': ACCEPT_ENCODING,
    authorization: `Bearer ${apiKey}`,
    'user-agent': USER_AGENT,
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  // Never has authorization.
  Object.assign(headers, call.headers);
  const { clock, emit } = client;
  if (emit !== undefined) reportRequest(emit, call, headers);
  const startedAt = emit === undefined ? 0 : clock.monotonic();
  if (signal?.aborted === true) {
    const cause: unknown = signal.reason;
    return Promise.resolve({ kind: 'failed', reason: 'aborted', sent: false, cause });
  }
  const { bodyMaxBytes } = settings;
  const request: TransportRequest = { method, origin: client.base.origin, path, headers, bodyMaxBytes };
  if (body !== undefined) request.body = body;
  const exchange = client.transport.send(request);
  call.exchange = exchange;
  const result = awaitResponse(exchange, clock, settings.timeoutMs, signal);
  if (emit === undefined) return result;
  return result.then((ended) => {
    reportResult(emit, call, ended, Math.round(clock.monotonic() - startedAt));
    return ended;
  });
}

/**
 * Waits until the response is complete, the attempt times out or the signal aborts. Leaves no timer and no listener.
 * Rejects only if the clock fails.
 *
 * @param timeoutMs includes connecting, headers and body.
 */
function awaitResponse(
  exchange: Exchange,
  clock: Clock,
  timeoutMs: number,
  signal: AbortSignal | undefined,
): Promise<AttemptResult> {
  return new Promise((resolve) => {
    const finish = (result: AttemptResult): void => {
      cancelTimer();
      unfollow?.();
      resolve(result);
    };
    const cancelTimer = startTimer(exchange, clock, timeoutMs, () => {
      finish(giveUp(exchange, 'timeout', undefined));
    });
    let unfollow: (() => void) | undefined;
    if (signal !== undefined) {
      const abort = (): void => {
        finish(giveUp(exchange, 'aborted', signal.reason));
      };
      unfollow = onAbort(signal, abort);
      // The callback is not called if the signal was aborted before.
      if (signal.aborted) abort();
    }
    exchange.response.then(
      (response) => {
        finish({ kind: 'response', response });
      },
      (cause: unknown) => {
        finish({ kind: 'failed', reason: reasonOf(cause, exchange.sent), sent: exchange.sent, cause });
      },
    );
  });
}

function startTimer(exchange: Exchange, clock: Clock, timeoutMs: number, callback: () => void): () => void {
  try {
    return startTimeLimit(clock, timeoutMs, callback);
  } catch (error) {
    // A clock of the caller failed. Nothing waits for the response.
    exchange.abort();
    exchange.response.catch(() => undefined);
    throw error;
  }
}

function giveUp(exchange: Exchange, reason: 'timeout' | 'aborted', cause: unknown): AttemptFailure {
  const { sent } = exchange;
  exchange.abort();
  return { kind: 'failed', reason, sent, cause };
}

function reasonOf(cause: unknown, sent: boolean): AttemptFailure['reason'] {
  // Bytes that arrive before the request is sent are from a proxy.
  if (cause instanceof TransportFailure)
    return sent && cause.malformedResponse !== undefined ? 'invalid-response' : 'connection';
  return isPetStoreError(cause) || isProgrammingError(cause) ? 'configuration' : 'connection';
}

type Emit = (event: ClientEvent) => void;

function reportRequest(emit: Emit, call: CallState<unknown>, headers: Record<string, string>): void {
  const { client, operation, path, redactor } = call;
  emit({
    type: 'request',
    call: call.id,
    attempt: attemptNumber(call),
    method: operation.method,
    url: client.base.origin + redact(path, redactor),
    headers: headersForLog(headers, redactor),
    ...(operation.body === undefined ? {} : { body: redact(operation.body, redactor) }),
  });
}

function reportResult(emit: Emit, call: CallState<unknown>, result: AttemptResult, elapsedMs: number): void {
  const { redactor } = call;
  const step = { call: call.id, attempt: attemptNumber(call), elapsedMs };
  if (result.kind === 'response') {
    const { status, headers, body } = result.response;
    const bytes = body.byteLength;
    emit({ type: 'response', ...step, status, headers: headersForLog(headers, redactor), bytes });
    return;
  }
  const { cause, reason } = result;
  const message = cause instanceof Error ? `${reason}: ${foreignMessage(cause)}` : reason;
  emit({ type: 'failure', ...step, message: redact(message, redactor) });
}

function attemptNumber({ attempts }: CallState<unknown>): number {
  return attempts.length + 1;
}
