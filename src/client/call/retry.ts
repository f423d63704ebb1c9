import type { PetStoreError } from '../../errors.js';
import type { WithResponse } from '../contract/options.js';
import type { Permit } from '../gate/gate.js';
import { type RateLimitHeaders, readRetryAfterMs } from '../response/response-headers.js';
import { dateAfter, sleep } from '../time/clock.js';
import type { TransportResponse } from '../transport/transport.js';
import { backoffMs, waitAfter429Ms } from './backoff.js';
import { deadlineError } from './call-errors.js';
import {
  type CallState,
  errorContext,
  errorForAbort,
  errorForRateLimit,
  outcomeSoFar,
} from './call-state.js';

/** What follows an attempt. A call that gives up throws instead. */
export type NextStep<T> =
  | { kind: 'done'; result: WithResponse<T> }
  | { kind: 'retry-now' }
  | { kind: 'retry-later'; delayMs: number };

/**
 * Reports a 429 to the gate, which then holds all calls of the key, including this one.
 *
 * @throws RateLimitError if the wait is longer than the call allows.
 */
export function retryAfter429<T>(
  call: CallState<T>,
  permit: Permit,
  response: TransportResponse,
  limits: RateLimitHeaders | undefined,
): NextStep<T> {
  const { client, settings, deadline } = call;
  const receivedMs = readRetryAfterMs(response.headers, client.clock.now()) ?? positive(limits?.untilResetMs);
  const holdMs = waitAfter429Ms(settings.retry, receivedMs, call.consecutive429s, client.random);
  const retryAfterMs = receivedMs ?? holdMs;
  const rateLimit = permit.release({ kind: 'rate-limited', holdMs, retryAfterMs, ...limits });
  if (rateLimit !== undefined) client.emit?.({ type: 'rate-limit', call: call.id, rateLimit });
  call.last429 = response;
  if (!isRetryAllowed(call, retryAfterMs) || deadline.remainingMs() < holdMs) {
    throw errorForRateLimit(call, retryAfterMs, rateLimit);
  }
  return { kind: 'retry-now' };
}

/** A reset in the past says nothing about the wait. */
function positive(untilResetMs = 0): number | undefined {
  return untilResetMs > 0 ? untilResetMs : undefined;
}

/**
 * Schedules a retry after a failure.
 *
 * @throws the error, if the call has no attempts left, or if `retryAfterMs` is longer than the call allows.
 */
export function retryOrThrow<T>(call: CallState<T>, error: PetStoreError, retryAfterMs = 0): NextStep<T> {
  const { client, settings, deadline } = call;
  if (!isRetryAllowed(call, retryAfterMs)) throw error;
  const delayMs = Math.max(retryAfterMs, backoffMs(settings.retry, call.countedAttempts, client.random));
  if (deadline.remainingMs() < delayMs) {
    throw deadlineError(settings.deadlineMs, error, errorContext(call), error.outcome);
  }
  return { kind: 'retry-later', delayMs };
}

function isRetryAllowed<T>({ settings, countedAttempts }: CallState<T>, retryAfterMs: number): boolean {
  return countedAttempts < settings.retry.attemptsMax && retryAfterMs <= settings.retry.waitMaxMs;
}

/** Waits for the backoff delay, unless a signal of the call aborts. */
export async function waitBeforeRetry<T>(call: CallState<T>, delayMs: number): Promise<void> {
  const { clock, emit } = call.client;
  emit?.({
    type: 'wait',
    call: call.id,
    attempt: call.attempts.length + 1,
    reason: 'backoff',
    delayMs,
    until: dateAfter(clock.now(), delayMs),
  });
  try {
    await sleep(clock, delayMs, call.waitSignal);
  } catch (reason) {
    throw errorForAbort(call, reason, outcomeSoFar(call));
  }
  call.waitedMs += delayMs;
}
