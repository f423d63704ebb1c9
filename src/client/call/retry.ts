import type { PetStoreError } from '../../errors.js';
import type { RateLimit } from '../../schema/rate-limit.js';
import { admit } from './admission.js';
import { judge, type Operation } from '../response/answer.js';
import type { AttemptResult } from './attempt.js';
import { backoffMs, limitedWaitMs } from './backoff.js';
import { dateAfter } from '../time/clock.js';
import { type Deadline, joinSignals, startDeadline } from '../time/deadline.js';
import type { Engine } from './engine.js';
import {
  invalidResponse,
  isTransient,
  noAnswer,
  pastDeadline,
  type RedirectFault,
  refusal,
  refusedRedirect,
  unknownOutcome,
} from './failure.js';
import type { Permit } from '../gate/budget/gate.js';
import type { CallOptions, ResponseInfo, WithResponse } from '../contract/options.js';
import { scrubHeaders } from '../response/redaction.js';
import { performAttempt } from './request.js';
import { readRateLimit, readRequestId, readRetryAfterMs } from '../response/response-headers.js';
import { contextOf, ended, isWrite, limitError, outcomeSoFar, type Run } from './run.js';
import { resolveSettings } from './settings.js';
import { sleep } from '../time/sleep.js';
import type { TransportAnswer } from '../transport/transport.js';

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
  engine: Engine,
  operation: Operation<T>,
  options: CallOptions | undefined,
  shared?: Deadline,
): Promise<WithResponse<T>> {
  const settings = resolveSettings(engine.settings, options);
  const deadline = shared ?? startDeadline(engine.clock, settings.deadlineMs, options?.signal);
  const waits = joinSignals(deadline.signal, options?.waitSignal);
  const run: Run<T> = {
    engine,
    operation,
    settings,
    deadline,
    waitSignal: waits.signal,
    beforeSend: options?.beforeSend,
    call: engine.nextCall(),
    attempts: [],
    tries: 0,
    redirects: 0,
    path: operation.path,
    waitedMs: 0,
    strikes: 0,
    secret: '',
    limitedBy: undefined,
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

async function attemptOnce<T>(run: Run<T>): Promise<Step<T>> {
  const { engine } = run;
  const { gate, permit, secret } = await admit(run);
  run.strikes = gate.strikes;
  const startedAt = engine.clock.now();
  const result = await performAttempt(engine, {
    operation: run.operation,
    path: run.path,
    settings: run.settings,
    signal: run.deadline.signal,
    call: run.call,
    attempt: run.attempts.length + 1,
    secret,
  });
  run.tries += 1;
  run.attempts.push({
    number: run.attempts.length + 1,
    startedAt,
    waitedMs: Math.round(run.waitedMs),
    ...(result.kind === 'answer' ? { status: result.answer.status } : { failure: result.reason }),
  });
  run.waitedMs = 0;
  if (result.kind === 'answer') return afterAnswer(run, permit, result.answer);
  permit.leave({ kind: 'none', sent: result.sent });
  return afterFailure(run, result);
}

function afterAnswer<T>(run: Run<T>, permit: Permit, answer: TransportAnswer): Step<T> | Promise<Step<T>> {
  const { engine, operation } = run;
  const now = engine.clock.now();
  const reading = readRateLimit(answer.headers, now);
  const verdict = judge(answer, operation);
  if (verdict.kind === 'limited') return afterLimited(run, permit, answer, reading);
  const rateLimit = permit.leave({ kind: 'answer', ...reading });
  if (rateLimit !== undefined) engine.emit?.({ type: 'rate-limit', call: run.call, rateLimit });
  if (verdict.kind === 'done') {
    return { kind: 'done', result: { data: verdict.data, response: responseInfo(run, answer, rateLimit) } };
  }
  if (verdict.kind === 'redirect') return afterRedirect(run, answer, verdict.location);
  if (verdict.kind === 'refused') {
    const error = refusal(answer, contextOf(run));
    if (isWrite(run))
      throw answer.status >= 500 || answer.status === 408 ? unknownOutcome(error, contextOf(run)) : error;
    return isTransient(answer.status)
      ? again(run, error, readRetryAfterMs(answer.headers, now))
      : fail(error);
  }
  return afterInvalid(run, answer, verdict);
}

async function afterInvalid<T>(
  run: Run<T>,
  answer: TransportAnswer,
  verdict: { why: string | (() => Promise<string>); broken: boolean },
): Promise<Step<T>> {
  const why = typeof verdict.why === 'string' ? verdict.why : await verdict.why();
  const error = invalidResponse(answer, why, contextOf(run));
  if (isWrite(run)) throw unknownOutcome(error, contextOf(run));
  return verdict.broken ? again(run, error) : fail(error);
}

function afterLimited<T>(
  run: Run<T>,
  permit: Permit,
  answer: TransportAnswer,
  reading: ReturnType<typeof readRateLimit>,
): Step<T> {
  const { engine, settings, deadline } = run;
  const untilResetMs = reading?.untilResetMs ?? 0;
  // A reset that is past tells nothing.
  const told =
    readRetryAfterMs(answer.headers, engine.clock.now()) ?? (untilResetMs > 0 ? untilResetMs : undefined);
  const holdMs = limitedWaitMs(settings.retry, told, run.strikes, engine.random);
  const toldMs = told ?? holdMs;
  const rateLimit = permit.leave({ kind: 'limited', holdMs, toldMs, ...reading });
  if (rateLimit !== undefined) engine.emit?.({ type: 'rate-limit', call: run.call, rateLimit });
  run.limitedBy = answer;
  const giveUp = run.tries >= settings.retry.attemptsMax || toldMs > settings.retry.waitMaxMs;
  if (giveUp || deadline.leftMs() < holdMs) throw limitError(run, toldMs, rateLimit);
  // No wait here: the gate holds this call together with all others of the key.
  return { kind: 'again' };
}

function afterRedirect<T>(run: Run<T>, answer: TransportAnswer, location: string | undefined): Step<T> {
  const { base } = run.engine;
  const target = location === undefined ? undefined : resolveLocation(location, base.origin + run.path);
  const fault = redirectFault(run, target);
  if (fault !== undefined || target === undefined) {
    const error = refusedRedirect(answer, fault ?? 'no-target', target?.origin, contextOf(run));
    throw isWrite(run) && error.outcome === 'unknown' ? unknownOutcome(error, contextOf(run)) : error;
  }
  run.redirects += 1;
  run.tries -= 1;
  run.path = target.pathname + target.search;
  return { kind: 'again' };
}

function redirectFault<T>(run: Run<T>, target: URL | undefined): RedirectFault | undefined {
  if (target === undefined) return 'no-target';
  if (target.origin !== run.engine.base.origin) return 'elsewhere';
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

function afterFailure<T>(run: Run<T>, result: Extract<AttemptResult, { kind: 'failed' }>): Step<T> {
  const context = contextOf(run);
  if (result.reason === 'aborted')
    throw ended(run, result.cause, result.sent ? 'unknown' : outcomeSoFar(run));
  const error = noAnswer(result, run.settings.timeoutMs, context);
  if (isWrite(run) && result.sent) throw unknownOutcome(error, context);
  return error.retryable ? again(run, error) : fail(error);
}

/** Another try after a failure, if the rules of the call still allow one. */
function again<T>(run: Run<T>, error: PetStoreError, toldMs = 0): Step<T> {
  const { engine, settings, deadline } = run;
  if (run.tries >= settings.retry.attemptsMax || toldMs > settings.retry.waitMaxMs) throw error;
  const delayMs = Math.max(toldMs, backoffMs(settings.retry, run.tries, engine.random));
  if (deadline.leftMs() < delayMs)
    throw pastDeadline(settings.deadlineMs, error, contextOf(run), error.outcome);
  return { kind: 'wait', delayMs };
}

async function pause<T>(run: Run<T>, delayMs: number): Promise<void> {
  const { clock, emit } = run.engine;
  const until = dateAfter(clock.now(), delayMs);
  emit?.({
    type: 'wait',
    call: run.call,
    attempt: run.attempts.length + 1,
    reason: 'backoff',
    delayMs,
    until,
  });
  try {
    await sleep(clock, delayMs, run.waitSignal);
  } catch (reason) {
    throw ended(run, reason, outcomeSoFar(run));
  }
  run.waitedMs += delayMs;
}

function responseInfo<T>(
  { secret }: Run<T>,
  answer: TransportAnswer,
  rateLimit: RateLimit | undefined,
): ResponseInfo {
  const headers = scrubHeaders(answer.headers, secret);
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
