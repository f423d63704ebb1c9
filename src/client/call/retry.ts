import type { PetStoreError } from '../../errors.js';
import { dateAt, type RateLimitValues, toRateLimit } from '../../schema/rate-limit.js';
import type { Warning } from '../contract/options.js';
import type { GateReport } from '../gate/budget/budget-counting.js';
import type { Permit } from '../gate/gate.js';
import { type RateLimitHeaders, readWait } from '../response/response-headers.js';
import { sleep } from '../../time/clock.js';
import type { TransportResponse } from '../transport/transport.js';
import { backoffMs, waitAfter429Ms } from './backoff.js';
import { abortError, deadlineError, rateLimitError } from './call-errors.js';
import { type CallResult, type CallState, outcomeSoFar } from './call-state.js';

/**
 * The next step after an attempt: the result, or the backoff delay before the next attempt, in milliseconds. `undefined`
 * requests the next permit at once. After a 429 the gate delays it. A call that gives up throws instead.
 */
export type NextStep<T> = CallResult<T> | number | undefined;

/**
 * Reports a 429 to the gate. The gate then delays all calls of the key, including the retry of this one.
 *
 * @throws RateLimitError if no attempts are left.
 */
export function retryAfter429<T>(
  call: CallState<T>,
  permit: Permit,
  response: TransportResponse,
  limits: RateLimitHeaders | undefined,
): NextStep<T> {
  const { client, settings } = call;
  const { waitMs: receivedMs, isTooLong } = readWait(response.headers, client.clock.now(), limits);
  if (isTooLong) client.warn(IMPLAUSIBLE_WAIT);
  const leftMs = settings.retry.waitMaxMs - call.limitWaitedMs;
  const holdMs = waitAfter429Ms(settings.retry, receivedMs, call.consecutive429s, client.random, leftMs);
  const retryAfterMs = receivedMs ?? holdMs;
  // A reset that is not credible must not outlast a credible Retry-After.
  const counted = isTooLong && retryAfterMs < (limits?.untilResetMs ?? 0) ? {} : limits;
  const rateLimit = releasePermit(call, permit, { kind: 'rate-limited', holdMs, retryAfterMs, ...counted });
  call.last429 = { ...response, rateLimit: limits?.rateLimit };
  // `onWait` rejects a wait that is too long.
  if (call.countedAttempts >= settings.retry.attemptsMax) throw rateLimitError(call, retryAfterMs, rateLimit);
  return undefined;
}

/** Releases the permit of a request with a response, and emits the event of its rate limit. */
export function releasePermit<T>(
  { client, id }: CallState<T>,
  permit: Permit,
  report: GateReport,
): RateLimitValues | undefined {
  const rateLimit = permit.release(report);
  if (rateLimit !== undefined)
    client.emit?.({ type: 'rate-limit', call: id, rateLimit: toRateLimit(rateLimit) });
  return rateLimit;
}

/** The warning about a wait that is capped at 24 hours. */
export const IMPLAUSIBLE_WAIT: Warning = {
  code: 'implausible-wait',
  message:
    'The service requires a wait of more than 24 hours. The client waits until the reset, at most 24 hours. ' +
    'To clear a wrong wait, call resetBudget().',
};

/**
 * Schedules a retry after a failure.
 *
 * @param retryAfterMs the received `Retry-After`, if any.
 * @returns the backoff delay, in milliseconds.
 * @throws the error if no attempts are left, or if `retryAfterMs` is longer than the call allows.
 * @throws TimeoutError if the delay would exceed the deadline.
 */
export function retryOrThrow<T>(call: CallState<T>, error: PetStoreError, retryAfterMs = 0): number {
  const { client, settings, deadline } = call;
  const { attemptsMax, waitMaxMs } = settings.retry;
  if (call.countedAttempts >= attemptsMax || call.limitWaitedMs + retryAfterMs > waitMaxMs) throw error;
  const delayMs = Math.max(retryAfterMs, backoffMs(settings.retry, call.countedAttempts, client.random));
  call.limitWaitedMs += retryAfterMs;
  if (deadline.remainingMs() < delayMs) throw deadlineError(call, error, error.outcome);
  return delayMs;
}

/**
 * Waits for a backoff delay.
 *
 * @throws AbortedError or TimeoutError as soon as a signal or the deadline ends the call.
 */
export async function waitBeforeRetry<T>(call: CallState<T>, delayMs: number): Promise<void> {
  const { clock, emit } = call.client;
  emit?.({
    type: 'wait',
    call: call.id,
    attempt: call.attempts.length + 1,
    reason: 'backoff',
    delayMs: Math.ceil(delayMs),
    until: dateAt(clock.now() + delayMs),
  });
  try {
    await sleep(clock, delayMs, call.waitSignal);
  } catch (reason) {
    throw abortError(call, reason, outcomeSoFar(call));
  }
  call.waitedMs += delayMs;
}
