import { VERSION } from '../../version.js';
import type { Operation } from '../response/classify-response.js';
import { type AttemptResult, awaitAttempt } from './attempt.js';
import type { ClientContext } from './client-context.js';
import type { ClientEvent } from '../contract/options.js';
import { redact, redactPath, headersForLog } from '../response/redaction.js';
import type { Settings } from './settings.js';
import { ACCEPT_ENCODING } from '../transport/body.js';

/** What one attempt needs to know of its call. */
export interface RequestInput {
  operation: Operation<unknown>;
  /** Path and query to send to; differs from the operation's after a redirect. */
  path: string;
  settings: Settings;
  signal: AbortSignal | undefined;
  call: number;
  attempt: number;
  secret: string;
}

const USER_AGENT = `petstore/${VERSION}`;

/** Sends a request once and waits for its answer. Never rejects. */
export function sendRequest(engine: ClientContext, input: RequestInput): Promise<AttemptResult> {
  const { method, body } = input.operation;
  const headers: Record<string, string> = {
    accept: 'application/json',
    'accept-encoding': ACCEPT_ENCODING,
    authorization: `Bearer ${input.secret}`,
    'user-agent': USER_AGENT,
  };
  if (body !== undefined) headers['content-type'] = 'application/json';
  const { emit } = engine;
  if (emit !== undefined) announce(engine, emit, input, headers);
  const startedAt = emit === undefined ? 0 : engine.clock.monotonic();
  if (input.signal?.aborted === true) {
    const cause: unknown = input.signal.reason;
    return Promise.resolve({ kind: 'failed', reason: 'aborted', sent: false, cause });
  }
  const exchange = engine.transport.send({
    method,
    origin: engine.base.origin,
    path: input.path,
    headers,
    bodyMaxBytes: input.settings.bodyMaxBytes,
    ...(body === undefined ? {} : { body }),
  });
  const attempt = awaitAttempt(exchange, engine.clock, input.settings.timeoutMs, input.signal);
  if (emit === undefined) return attempt;
  return attempt.then((result) => {
    report(emit, input, result, engine.clock.monotonic() - startedAt);
    return result;
  });
}

type Emit = (event: ClientEvent) => void;

function announce(
  engine: ClientContext,
  emit: Emit,
  input: RequestInput,
  headers: Record<string, string>,
): void {
  const { call, attempt, operation, secret } = input;
  emit({
    type: 'request',
    call,
    attempt,
    method: operation.method,
    url: engine.base.origin + redactPath(input.path, secret),
    headers: headersForLog(headers, secret),
    ...(operation.body === undefined ? {} : { body: redact(operation.body, secret) }),
  });
}

function report(emit: Emit, input: RequestInput, result: AttemptResult, elapsedMs: number): void {
  const { call, attempt, secret } = input;
  if (result.kind === 'response') {
    const { status, headers, body } = result.response;
    const bytes = body.byteLength;
    emit({
      type: 'response',
      call,
      attempt,
      status,
      headers: headersForLog(headers, secret),
      bytes,
      elapsedMs,
    });
    return;
  }
  const { cause, reason } = result;
  const said = cause instanceof Error ? `${reason}: ${cause.message}` : reason;
  emit({ type: 'failure', call, attempt, message: redact(said, secret), elapsedMs });
}
