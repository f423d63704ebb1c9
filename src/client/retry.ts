import {
  type Attempt,
  ConfigurationError,
  isPetStoreError,
  type Outcome,
  type PetStoreError,
} from '../errors.js';
import type { RateLimit } from '../schema/rate-limit.js';
import { judge, type Operation } from './answer.js';
import type { AttemptResult } from './attempt.js';
import { backoffMs, limitedWaitMs } from './backoff.js';
import { type Deadline, isDeadline, startDeadline } from './deadline.js';
import type { Engine } from './engine.js';
import {
  aborted,
  type FailureContext,
  invalidResponse,
  isTransient,
  noAnswer,
  pastDeadline,
  rateLimited,
  refusal,
  refusedRedirect,
  unknownOutcome,
} from './failure.js';
import type { Gate, GateWait, Permit } from './gate/gate.js';
import type { CallOptions, ResponseInfo, WithResponse } from './options.js';
import { scrub } from './redaction.js';
import { performAttempt } from './request.js';
import { readRateLimit, readRequestId, readRetryAfterMs } from './response-headers.js';
import { resolveSettings, type Settings } from './settings.js';
import { sleep } from './sleep.js';
import type { TransportAnswer } from './transport/transport.js';

const REDIRECTS_MAX = 5;
/** Methods without an effect (RFC 9110, section 9.2.1). Everything else is a write, and is never sent again by guess. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** One call under way. */
interface Run<T> {
  engine: Engine;
  operation: Operation<T>;
  settings: Settings;
  deadline: Deadline;
  call: number;
  attempts: Attempt[];
  /** Attempts that count towards `attemptsMax`; a redirect followed does not. */
  tries: number;
  redirects: number;
  /** Present path; a redirect changes it. */
  path: string;
  waitedMs: number;
  /** 429s in a row when the present attempt was let through: those of its own burst don't count. */
  strikes: number;
  secret: string;
  /** The last 429 of this call, for the error that gives up. */
  limitedBy: TransportAnswer | undefined;
}

/** What follows an attempt. Giving up is thrown. */
type Step<T> =
  { kind: 'done'; result: WithResponse<T> } | { kind: 'again' } | { kind: 'wait'; delayMs: number };

/**
 * Carries out a call: attempt after attempt, until there is an answer to return or a reason to give up. The only place
 * that decides to send again, and the only one that waits.
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
  const run: Run<T> = {
    engine,
    operation,
    settings,
    deadline,
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
    if (shared === undefined) deadline.dispose();
  }
}

async function attemptOnce<T>(run: Run<T>): Promise<Step<T>> {
  const { engine } = run;
  throwIfEnded(run);
  const key = engine.key();
  const secret = typeof key === 'string' ? key : await fetchKey(run, key);
  run.secret = secret;
  const gate = engine.gate(secret);
  const permit = await enter(run, gate);
  try {
    // It may have ended while the key or the permit was already on its way to this call.
    throwIfEnded(run);
  } catch (error) {
    permit.leave({ kind: 'none', sent: false });
    throw error;
  }
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

function throwIfEnded<T>(run: Run<T>): void {
  const { signal } = run.deadline;
  if (signal?.aborted === true) throw ended(run, signal.reason, outcomeSoFar(run));
}

/** Waits for a key that is being fetched, but not beyond the call's own end. */
async function fetchKey<T>(run: Run<T>, key: Promise<string>): Promise<string> {
  const { signal } = run.deadline;
  let abort: (() => void) | undefined;
  const end = new Promise<never>((_, reject) => {
    abort = () => {
      reject(ended(run, signal?.reason, outcomeSoFar(run)));
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([key, end]);
  } catch (cause) {
    if (isPetStoreError(cause)) throw cause;
    throw new ConfigurationError('the API key could not be fetched', { option: 'apiKey', cause });
  } finally {
    if (abort !== undefined) signal?.removeEventListener('abort', abort);
  }
}

async function enter<T>(run: Run<T>, gate: Gate): Promise<Permit> {
  const { engine } = run;
  const { signal } = run.deadline;
  const arrivedAt = engine.clock.monotonic();
  const entered = gate.enter({
    pace: engine.pace,
    signal,
    onWait: (wait) => {
      acceptWait(run, gate, wait);
    },
  });
  if (!(entered instanceof Promise)) return entered;
  try {
    const permit = await entered;
    run.waitedMs += engine.clock.monotonic() - arrivedAt;
    return permit;
  } catch (reason) {
    if (signal?.aborted === true && reason === signal.reason) throw ended(run, reason, outcomeSoFar(run));
    throw reason;
  }
}

/** Lets a wait for the rate limit begin, or refuses it: it is kept whole or not begun. */
function acceptWait<T>(run: Run<T>, gate: Gate, wait: GateWait): void {
  const { engine, settings, deadline } = run;
  const { delayMs, toldMs, reason } = wait;
  const attempt = run.attempts.length + 1;
  if (delayMs === undefined) {
    engine.emit?.({ type: 'wait', call: run.call, attempt, reason });
    return;
  }
  if ((toldMs ?? delayMs) > settings.retry.waitMaxMs || deadline.leftMs() < delayMs) {
    throw limitError(run, toldMs ?? delayMs, wait.rateLimit ?? gate.rateLimit);
  }
  const until = dateAfter(engine.clock.now(), delayMs);
  engine.emit?.({ type: 'wait', call: run.call, attempt, reason, delayMs, until });
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
    return { kind: 'done', result: { data: verdict.data, response: responseInfo(answer, rateLimit) } };
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
  const follows = target?.origin === base.origin && !isWrite(run) && run.redirects < REDIRECTS_MAX;
  if (target === undefined || !follows) {
    const error = refusedRedirect(answer, location, contextOf(run));
    throw isWrite(run) && error.outcome === 'unknown' ? unknownOutcome(error, contextOf(run)) : error;
  }
  run.redirects += 1;
  run.tries -= 1;
  run.path = target.pathname + target.search;
  return { kind: 'again' };
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
    await sleep(clock, delayMs, run.deadline.signal);
  } catch (reason) {
    throw ended(run, reason, outcomeSoFar(run));
  }
  run.waitedMs += delayMs;
}

function responseInfo(answer: TransportAnswer, rateLimit: RateLimit | undefined): ResponseInfo {
  const requestId = readRequestId(answer.headers);
  return {
    status: answer.status,
    headers: answer.headers,
    ...(requestId === undefined ? {} : { requestId }),
    ...(rateLimit === undefined ? {} : { rateLimit }),
  };
}

/** The error for a call that its signal or its deadline ended. */
function ended<T>(run: Run<T>, reason: unknown, outcome: Outcome): PetStoreError {
  const context = contextOf(run);
  if (!isDeadline(reason)) return aborted(reason, context, outcome);
  const error = pastDeadline(run.settings.deadlineMs, undefined, context, outcome);
  return isWrite(run) && outcome === 'unknown' ? unknownOutcome(error, context) : error;
}

function limitError<T>(run: Run<T>, retryAfterMs: number, rateLimit: RateLimit | undefined): PetStoreError {
  const now = run.engine.clock.now();
  const facts = { retryAfterMs, now, rateLimit, answer: run.limitedBy, outcome: outcomeSoFar(run) };
  return rateLimited(facts, contextOf(run));
}

/** What is known of a call's effect while nothing of it is under way: its attempts so far were refused or not sent. */
function outcomeSoFar<T>(run: Run<T>): Outcome {
  if (run.limitedBy !== undefined) return 'refused';
  return isWrite(run) || run.attempts.length === 0 ? 'not-sent' : 'unknown';
}

function contextOf<T>(run: Run<T>): FailureContext {
  const { engine, operation, attempts, secret } = run;
  return {
    request: {
      method: operation.method,
      url: engine.base.origin + scrub(run.path, secret),
      ...(operation.body === undefined ? {} : { body: scrub(operation.body, secret) }),
    },
    attempts,
    secret,
  };
}

function isWrite<T>(run: Run<T>): boolean {
  return !SAFE_METHODS.has(run.operation.method);
}

function fail(error: Error): never {
  throw error;
}

/** A date, or the last one there is: a told wait may reach past it. */
function dateAfter(now: number, delayMs: number): Date {
  return new Date(Math.min(now + delayMs, 8.64e15));
}
