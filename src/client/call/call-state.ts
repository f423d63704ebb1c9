import type { Attempt, Outcome, PetStoreError } from '../../errors.js';
import type { RateLimit } from '../../schema/rate-limit.js';
import type { Operation } from '../response/classify-response.js';
import { type Deadline, isDeadline } from '../time/deadline.js';
import type { ClientContext } from './client-context.js';
import {
  abortedError,
  type ErrorContext,
  deadlineError,
  rateLimitErrorOf,
  unknownOutcomeError,
} from './call-errors.js';
import type { CallOptions } from '../contract/options.js';
import { redact, redactPath } from '../response/redaction.js';
import type { Settings } from './settings.js';
import type { TransportResponse } from '../transport/transport.js';

/** Methods without an effect (RFC 9110, section 9.2.1). Everything else is a write, and is never sent again by guess. */
const SAFE_METHODS = new Set(['GET', 'HEAD', 'OPTIONS']);

/** One call under way. */
export interface CallState<T> {
  client: ClientContext;
  operation: Operation<T>;
  settings: Settings;
  deadline: Deadline;
  /** Ends the call while it waits: its own end, or before that the signal that is for waits alone. */
  waitSignal: AbortSignal | undefined;
  /** To be called with the permit in hand, before each request. */
  beforeSend: CallOptions['beforeSend'];
  id: number;
  attempts: Attempt[];
  /** Attempts that count towards `attemptsMax`; a redirect followed does not. */
  tries: number;
  redirects: number;
  /** Present path; a redirect changes it. */
  path: string;
  waitedMs: number;
  /** 429s in a row when the present attempt was let through: those of its own burst don't count. */
  consecutive429s: number;
  apiKey: string;
  /** The last 429 of this call, for the error that gives up. */
  last429: TransportResponse | undefined;
}

/** The error for a call that its signal or its deadline ended. */
export function abortedOrTimedOut<T>(run: CallState<T>, reason: unknown, outcome: Outcome): PetStoreError {
  const context = errorContext(run);
  if (!isDeadline(reason)) return abortedError(reason, context, outcome);
  const error = deadlineError(run.settings.deadlineMs, undefined, context, outcome);
  return isWrite(run) && outcome === 'unknown' ? unknownOutcomeError(error, context) : error;
}

/** The error for a rate limit that this call does not wait for. */
export function rateLimitError<T>(
  run: CallState<T>,
  retryAfterMs: number,
  rateLimit: RateLimit | undefined,
): PetStoreError {
  const now = run.client.clock.now();
  const facts = { retryAfterMs, now, rateLimit, answer: run.last429, outcome: outcomeSoFar(run) };
  return rateLimitErrorOf(facts, errorContext(run));
}

/** What is known of a call's effect while nothing of it is under way: its attempts so far were refused or not sent. */
export function outcomeSoFar<T>(run: CallState<T>): Outcome {
  if (run.last429 !== undefined) return 'refused';
  return isWrite(run) || run.attempts.length === 0 ? 'not-sent' : 'unknown';
}

/** What the errors of this call say of it. */
export function errorContext<T>(run: CallState<T>): ErrorContext {
  const { client: engine, operation, attempts, apiKey: secret } = run;
  return {
    request: {
      method: operation.method,
      url: engine.base.origin + redactPath(run.path, secret),
      ...(operation.body === undefined ? {} : { body: redact(operation.body, secret) }),
    },
    attempts,
    apiKey: secret,
  };
}

/** Whether the call may have an effect, so that it must not be sent again by guess. */
export function isWrite<T>(run: CallState<T>): boolean {
  return !SAFE_METHODS.has(run.operation.method);
}
