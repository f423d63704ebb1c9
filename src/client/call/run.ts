import type { Attempt, Outcome, PetStoreError } from '../../errors.js';
import type { RateLimit } from '../../schema/rate-limit.js';
import type { Operation } from '../response/answer.js';
import { type Deadline, isDeadline } from '../time/deadline.js';
import type { Engine } from './engine.js';
import { aborted, type FailureContext, pastDeadline, rateLimited, unknownOutcome } from './failure.js';
import type { CallOptions } from '../contract/options.js';
import { scrub, scrubPath } from '../response/redaction.js';
import type { Settings } from './settings.js';
import type { TransportAnswer } from '../transport/transport.js';

/** Methods without an effect (RFC 9110, section 9.2.1). Everything else is a write, and is never sent again by guess. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** One call under way. */
export interface Run<T> {
  engine: Engine;
  operation: Operation<T>;
  settings: Settings;
  deadline: Deadline;
  /** Ends the call while it waits: its own end, or before that the signal that is for waits alone. */
  waitSignal: AbortSignal | undefined;
  /** To be called with the permit in hand, before each request. */
  beforeSend: CallOptions['beforeSend'];
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

/** The error for a call that its signal or its deadline ended. */
export function ended<T>(run: Run<T>, reason: unknown, outcome: Outcome): PetStoreError {
  const context = contextOf(run);
  if (!isDeadline(reason)) return aborted(reason, context, outcome);
  const error = pastDeadline(run.settings.deadlineMs, undefined, context, outcome);
  return isWrite(run) && outcome === 'unknown' ? unknownOutcome(error, context) : error;
}

/** The error for a rate limit that this call does not wait for. */
export function limitError<T>(
  run: Run<T>,
  retryAfterMs: number,
  rateLimit: RateLimit | undefined,
): PetStoreError {
  const now = run.engine.clock.now();
  const facts = { retryAfterMs, now, rateLimit, answer: run.limitedBy, outcome: outcomeSoFar(run) };
  return rateLimited(facts, contextOf(run));
}

/** What is known of a call's effect while nothing of it is under way: its attempts so far were refused or not sent. */
export function outcomeSoFar<T>(run: Run<T>): Outcome {
  if (run.limitedBy !== undefined) return 'refused';
  return isWrite(run) || run.attempts.length === 0 ? 'not-sent' : 'unknown';
}

/** What the errors of this call say of it. */
export function contextOf<T>(run: Run<T>): FailureContext {
  const { engine, operation, attempts, secret } = run;
  return {
    request: {
      method: operation.method,
      url: engine.base.origin + scrubPath(run.path, secret),
      ...(operation.body === undefined ? {} : { body: scrub(operation.body, secret) }),
    },
    attempts,
    secret,
  };
}

/** Whether the call may have an effect, so that it must not be sent again by guess. */
export function isWrite<T>(run: Run<T>): boolean {
  return !SAFE_METHODS.has(run.operation.method);
}
