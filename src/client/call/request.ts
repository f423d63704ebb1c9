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
} from '../transport/transport.js';
import type { AttemptFailure, AttemptResult } from './attempts.js';
import type { CallState } from './call-state.js';

const USER_AGENT = `petstore/${VERSION}`;

/**
 * Sends the request of a call once and waits for its response. Never rejects.
 *
 * @returns a failure whose cause is a `WithdrawnRequest` if another process received a 429 response before the first
 *   connection of the client was ready.
 */
export function sendRequest(
  call: CallState<unknown>,
  startedAt: Date,
  previous429Count: number,
): Promise<AttemptResult> {
  const { client, operation, settings, deadline } = call.plan;
  const { path, apiKey, headers: ownHeaders } = call.request;
  const { signal } = deadline;
  const { method, body } = operation;
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': ACCEPT_ENCODING,
    authorization: `Bearer ${apiKey}`,
    'user-agent': USER_AGENT,
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  // Never has authorization.
  Object.assign(headers, ownHeaders);
  const { clock, emit } = client;
  if (emit !== undefined) reportRequest(emit, call, headers);
  const sentAt = emit === undefined ? 0 : clock.monotonic();
  if (signal?.aborted === true) {
    const cause: unknown = signal.reason;
    return Promise.resolve({ kind: 'failed', startedAt, reason: 'aborted', sent: false, cause });
  }
  const { bodyMaxBytes } = settings;
  const request: TransportRequest = { method, origin: client.base.origin, path, headers, bodyMaxBytes };
  if (body !== undefined) request.body = body;
  if (!client.lifecycle.hasResponse) request.confirm = createConfirm(call, previous429Count);
  const exchange = client.transport.send(request);
  const result = awaitResponse(call, exchange, startedAt);
  if (emit === undefined) return result;
  return result.then((ended) => {
    reportResult(emit, call, ended, Math.round(clock.monotonic() - sentAt));
    return ended;
  });
}

/**
 * Creates the last check of the gate, for the first requests of a client. Opening their connection may take seconds, and
 * another process may receive a 429 response meanwhile. Later requests usually have a connection.
 */
function createConfirm(call: CallState<unknown>, previous429Count: number): TransportRequest['confirm'] {
  const { gate } = call.plan.client.useKey(call.request.apiKey);
  if (gate.refresh === undefined) return undefined;
  return async () => {
    await gate.refresh?.();
    return gate.consecutive429Count <= previous429Count;
  };
}

/**
 * Waits until the response is complete, the attempt times out or the signal aborts. Leaves no timer and no listener.
 * Rejects only if the clock fails. The time limit includes connecting, headers and body.
 */
function awaitResponse(
  { plan }: CallState<unknown>,
  exchange: Exchange,
  startedAt: Date,
): Promise<AttemptResult> {
  const { client, settings, deadline } = plan;
  const { signal } = deadline;
  return new Promise((resolve) => {
    const finish = (result: AttemptResult): void => {
      cancelTimer();
      unfollow?.();
      resolve(result);
    };
    const giveUp = (reason: 'timeout' | 'aborted', cause: unknown): void => {
      const { sent } = exchange;
      exchange.abort();
      finish({ kind: 'failed', startedAt, reason, sent, cause });
    };
    const cancelTimer = startTimer(exchange, client.clock, settings.timeoutMs, () => {
      giveUp('timeout', undefined);
    });
    let unfollow: (() => void) | undefined;
    if (signal !== undefined) {
      const abort = (): void => {
        giveUp('aborted', signal.reason);
      };
      unfollow = onAbort(signal, abort);
      // The callback is not called if the signal was aborted before.
      if (signal.aborted) abort();
    }
    exchange.response.then(
      (response) => {
        client.lifecycle.hasResponse = true;
        finish({ kind: 'response', startedAt, response, exchange });
      },
      (cause: unknown) => {
        const { sent } = exchange;
        finish({ kind: 'failed', startedAt, reason: reasonOf(cause, sent), sent, cause });
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

function reasonOf(cause: unknown, sent: boolean): AttemptFailure['reason'] {
  // Bytes that arrive before the request is sent are from a proxy.
  if (cause instanceof TransportFailure)
    return sent && cause.malformedResponse !== undefined ? 'invalid-response' : 'connection';
  return isPetStoreError(cause) || isProgrammingError(cause) ? 'configuration' : 'connection';
}

type Emit = (event: ClientEvent) => void;

function reportRequest(emit: Emit, call: CallState<unknown>, headers: Record<string, string>): void {
  const { client, operation, id } = call.plan;
  const { path, redactor } = call.request;
  emit({
    type: 'request',
    call: id,
    attempt: attemptNumber(call),
    method: operation.method,
    url: client.base.origin + redact(path, redactor),
    headers: headersForLog(headers, redactor),
    ...(operation.body === undefined ? {} : { body: redact(operation.body, redactor) }),
  });
}

function reportResult(emit: Emit, call: CallState<unknown>, result: AttemptResult, elapsedMs: number): void {
  const { redactor } = call.request;
  const step = { call: call.plan.id, attempt: attemptNumber(call), elapsedMs };
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
  return attempts.list.length + 1;
}
