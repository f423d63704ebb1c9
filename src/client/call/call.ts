import type { PetStoreError } from '../../errors.js';
import type { RateLimit } from '../../schema/rate-limit.js';
import { admit } from './admission.js';
import { classifyResponse, type Operation } from '../response/classify-response.js';
import type { AttemptResult } from './attempt.js';
import { backoffMs, waitAfter429Ms } from './backoff.js';
import { dateAfter } from '../time/clock.js';
import { type Deadline, joinSignals, startDeadline } from '../time/deadline.js';
import type { ClientContext } from './client-context.js';
import {
  invalidResponseError,
  isTransient,
  noResponse,
  deadlineError,
  type RedirectProblem,
  statusError,
  redirectError,
  unknownOutcomeError,
} from './call-errors.js';
import type { Permit } from '../gate/gate.js';
import type { CallOptions, ResponseInfo, WithResponse } from '../contract/options.js';
import { redactHeaders } from '../response/redaction.js';
import { sendRequest } from './request.js';
import { readRateLimit, readRequestId, readRetryAfterMs } from '../response/response-headers.js';
import {
  errorContext,
  abortedOrTimedOut,
  isWrite,
  rateLimitError,
  outcomeSoFar,
  type CallState,
} from './call-state.js';
import { resolveSettings } from './settings.js';
import { sleep } from '../time/sleep.js';
import type { TransportResponse } from '../transport/transport.js';

const REDIRECTS_MAX = 5;
/** What follows an attempt. Giving up is thrown. */
type Step<T> =
  { kind: 'done'; result: WithResponse<T> } | { kind: 'again' } | { kind: 'wait'; delayMs: number };

/**
 * Carries out a call: attempt after attempt, until there is an answer to return or a reason to give up. The only place
 * that decides to send again.
 *
 * @param shared the deadline of a call that makes several of these; it is not disposed of here.
 */
export async function performCall<T>(
  engine: ClientContext,
  operation: Operation<T>,
  options: CallOptions | undefined,
  shared?: Deadline,
): Promise<WithResponse<T>> {
  const settings = resolveSettings(engine.settings, options);
  const deadline = shared ?? startDeadline(engine.clock, settings.deadlineMs, options?.signal);
  const waits = joinSignals(deadline.signal, options?.waitSignal);
  const run: CallState<T> = {
    client: engine,
    operation,
    settings,
    deadline,
    waitSignal: waits.signal,
    beforeSend: options?.beforeSend,
    id: engine.nextCallId(),
    attempts: [],
    tries: 0,
    redirects: 0,
    path: operation.path,
    waitedMs: 0,
    consecutive429s: 0,
    apiKey: '',
    last429: undefined,
  };
  try {
    for (;;) {
      const step = await attemptOnce(run);
      if (step.kind === 'done') return step.result;
      if (step.kind === 'wait') await pause(run, step.delayMs);
    }
  } finally {
    waits.dispose();
    if (shared === undefined) deadline.dispose();
  }
}

async function attemptOnce<T>(run: CallState<T>): Promise<Step<T>> {
  const { client: engine } = run;
  const { gate, permit, secret } = await admit(run);
  run.consecutive429s = gate.consecutive429Count;
  const startedAt = engine.clock.now();
  const result = await sendRequest(engine, {
    operation: run.operation,
    path: run.path,
    settings: run.settings,
    signal: run.deadline.signal,
    call: run.id,
    attempt: run.attempts.length + 1,
    secret,
  });
  run.tries += 1;
  run.attempts.push({
    number: run.attempts.length + 1,
    startedAt,
    waitedMs: Math.round(run.waitedMs),
    ...(result.kind === 'response' ? { status: result.response.status } : { failure: result.reason }),
  });
  run.waitedMs = 0;
  if (result.kind === 'response') return afterAnswer(run, permit, result.response);
  permit.release({ kind: 'no-response', sent: result.sent });
  return afterFailure(run, result);
}

function afterAnswer<T>(
  run: CallState<T>,
  permit: Permit,
  answer: TransportResponse,
): Step<T> | Promise<Step<T>> {
  const { client: engine, operation } = run;
  const now = engine.clock.now();
  const reading = readRateLimit(answer.headers, now);
  const verdict = classifyResponse(answer, operation);
  if (verdict.kind === 'limited') return afterLimited(run, permit, answer, reading);
  const rateLimit = permit.release({ kind: 'response', ...reading });
  if (rateLimit !== undefined) engine.emit?.({ type: 'rate-limit', call: run.id, rateLimit });
  if (verdict.kind === 'done') {
    return { kind: 'done', result: { data: verdict.data, response: responseInfo(run, answer, rateLimit) } };
  }
  if (verdict.kind === 'redirect') return afterRedirect(run, answer, verdict.location);
  if (verdict.kind === 'refused') {
    const error = statusError(answer, errorContext(run));
    if (isWrite(run))
      throw answer.status >= 500 || answer.status === 408
        ? unknownOutcomeError(error, errorContext(run))
        : error;
    return isTransient(answer.status)
      ? again(run, error, readRetryAfterMs(answer.headers, now))
      : fail(error);
  }
  return afterInvalid(run, answer, verdict);
}

async function afterInvalid<T>(
  run: CallState<T>,
  answer: TransportResponse,
  verdict: { why: string | (() => Promise<string>); broken: boolean },
): Promise<Step<T>> {
  const why = typeof verdict.why === 'string' ? verdict.why : await verdict.why();
  const error = invalidResponseError(answer, why, errorContext(run));
  if (isWrite(run)) throw unknownOutcomeError(error, errorContext(run));
  return verdict.broken ? again(run, error) : fail(error);
}

function afterLimited<T>(
  run: CallState<T>,
  permit: Permit,
  answer: TransportResponse,
  reading: ReturnType<typeof readRateLimit>,
): Step<T> {
  const { client: engine, settings, deadline } = run;
  const untilResetMs = reading?.untilResetMs ?? 0;
  // A reset that is past tells nothing.
  const told =
    readRetryAfterMs(answer.headers, engine.clock.now()) ?? (untilResetMs > 0 ? untilResetMs : undefined);
  const holdMs = waitAfter429Ms(settings.retry, told, run.consecutive429s, engine.random);
  const toldMs = told ?? holdMs;
  const rateLimit = permit.release({ kind: 'rate-limited', holdMs, retryAfterMs: toldMs, ...reading });
  if (rateLimit !== undefined) engine.emit?.({ type: 'rate-limit', call: run.id, rateLimit });
  run.last429 = answer;
  const giveUp = run.tries >= settings.retry.attemptsMax || toldMs > settings.retry.waitMaxMs;
  if (giveUp || deadline.remainingMs() < holdMs) throw rateLimitError(run, toldMs, rateLimit);
  // No wait here: the gate holds this call together with all others of the key.
  return { kind: 'again' };
}

function afterRedirect<T>(
  run: CallState<T>,
  answer: TransportResponse,
  location: string | undefined,
): Step<T> {
  const { base } = run.client;
  const target = location === undefined ? undefined : resolveLocation(location, base.origin + run.path);
  const fault = redirectFault(run, target);
  if (fault !== undefined || target === undefined) {
    const error = redirectError(answer, fault ?? 'no-target', target?.origin, errorContext(run));
    throw isWrite(run) && error.outcome === 'unknown' ? unknownOutcomeError(error, errorContext(run)) : error;
  }
  run.redirects += 1;
  run.tries -= 1;
  run.path = target.pathname + target.search;
  return { kind: 'again' };
}

function redirectFault<T>(run: CallState<T>, target: URL | undefined): RedirectProblem | undefined {
  if (target === undefined) return 'no-target';
  if (target.origin !== run.client.base.origin) return 'elsewhere';
  if (isWrite(run)) return 'write';
  return run.redirects >= REDIRECTS_MAX ? 'too-many' : undefined;
}

function resolveLocation(location: string, from: string): URL | undefined {
  try {
    return new URL(location, from);
  } catch {
    return undefined;
  }
}

function afterFailure<T>(run: CallState<T>, result: Extract<AttemptResult, { kind: 'failed' }>): Step<T> {
  const context = errorContext(run);
  if (result.reason === 'aborted')
    throw abortedOrTimedOut(run, result.cause, result.sent ? 'unknown' : outcomeSoFar(run));
  const error = noResponse(result, run.settings.timeoutMs, context);
  if (isWrite(run) && result.sent) throw unknownOutcomeError(error, context);
  return error.retryable ? again(run, error) : fail(error);
}

/** Another try after a failure, if the rules of the call still allow one. */
function again<T>(run: CallState<T>, error: PetStoreError, toldMs = 0): Step<T> {
  const { client: engine, settings, deadline } = run;
  if (run.tries >= settings.retry.attemptsMax || toldMs > settings.retry.waitMaxMs) throw error;
  const delayMs = Math.max(toldMs, backoffMs(settings.retry, run.tries, engine.random));
  if (deadline.remainingMs() < delayMs)
    throw deadlineError(settings.deadlineMs, error, errorContext(run), error.outcome);
  return { kind: 'wait', delayMs };
}

async function pause<T>(run: CallState<T>, delayMs: number): Promise<void> {
  const { clock, emit } = run.client;
  const until = dateAfter(clock.now(), delayMs);
  emit?.({
    type: 'wait',
    call: run.id,
    attempt: run.attempts.length + 1,
    reason: 'backoff',
    delayMs,
    until,
  });
  try {
    await sleep(clock, delayMs, run.waitSignal);
  } catch (reason) {
    throw abortedOrTimedOut(run, reason, outcomeSoFar(run));
  }
  run.waitedMs += delayMs;
}

function responseInfo<T>(
  { apiKey: secret }: CallState<T>,
  answer: TransportResponse,
  rateLimit: RateLimit | undefined,
): ResponseInfo {
  const headers = redactHeaders(answer.headers, secret);
  const requestId = readRequestId(headers);
  return {
    status: answer.status,
    headers,
    ...(requestId === undefined ? {} : { requestId }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  };
}

function fail(error: Error): never {
  throw error;
}
