import type { PetStoreError } from '../../errors.js';
import { dateAt, type RateLimitValues, toRateLimit } from '../../schema/rate-limit.js';
import type { Warning } from '../contract/options.js';
import type { GateReport } from '../gate/budget/budget-counting.js';
import type { Permit } from '../gate/gate.js';
import { type RateLimitHeaders, readWait } from '../response/response-headers.js';
import { sleep } from '../../time/clock.js';
import type { TransportResponse } from '../transport/transport.js';
import type { Admission } from './admission.js';
import { waitAfter429Ms } from './backoff.js';
import { abortError, deadlineError, rateLimitError } from './call-errors.js';
import { type CallResult, type CallState, outcomeSoFar } from './call-state.js';
import type { Decision } from './retry-policy.js';

/**
 * The next step after an attempt: the result, or the backoff delay before the next attempt, in milliseconds. `undefined`
 * requests the next permit at once. After a 429 the gate delays it. A call that gives up throws instead.
 */
export type NextStep<T> = CallResult<T> | number | undefined;

/**
 * Reports a 429 to the gate. The gate then delays all calls of the key, including the retry of this one.
 *
 * @throws RateLimitError if the call gives up.
 */
export function retryAfter429<T>(
  call: CallState<T>,
  { permit, previous429Count }: Admission,
  response: TransportResponse,
  limits: RateLimitHeaders | undefined,
  { kind }: Decision,
): NextStep<T> {
  const { client, settings } = call.plan;
  const { waitMs: receivedMs, isTooLong } = readWait(response.headers, client.clock.now(), limits);
  if (isTooLong) client.warn(IMPLAUSIBLE_WAIT);
  const leftMs = settings.retry.waitMaxMs - call.attempts.waitedForLimitMs;
  const holdMs = waitAfter429Ms(settings.retry, receivedMs, previous429Count, client.random, leftMs);
  // A reset that is not credible must not outlast a credible Retry-After.
  const counted = isTooLong && (receivedMs ?? holdMs) < (limits?.untilResetMs ?? 0) ? {} : limits;
  const report = { kind: 'rate-limited', holdMs, retryAfterMs: receivedMs } as const;
  const rateLimit = releasePermit(call, permit, { ...report, ...counted });
  // `onWait` rejects a wait that is too long.
  if (kind === 'fail')
    throw rateLimitError(call, { retryAfterMs: receivedMs, reason: 'rate-limited', rateLimit });
  return undefined;
}

/** Releases the permit of a request with a response, and emits the event of its rate limit. */
export function releasePermit<T>(
  { plan: { client, id } }: CallState<T>,
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
 * Returns the backoff delay before a retry, in milliseconds.
 *
 * @throws the error if the call gives up. TimeoutError if the delay would exceed the deadline.
 */
export function waitOrThrow<T>(call: CallState<T>, decision: Decision, error: PetStoreError): number {
  if (decision.kind === 'wait') {
    call.attempts.addWait(0, decision.forLimitMs);
    return decision.waitMs;
  }
  const isTooLate = decision.kind === 'fail' && decision.isTooLate === true;
  throw isTooLate ? deadlineError(call, error, error.outcome) : error;
}

/**
 * Waits for a backoff delay.
 *
 * @throws AbortedError or TimeoutError as soon as a signal or the deadline ends the call.
 */
export async function waitBeforeRetry<T>(call: CallState<T>, delayMs: number): Promise<void> {
  const { client, id, waitSignal } = call.plan;
  client.emit?.({
    type: 'wait',
    call: id,
    attempt: call.attempts.list.length + 1,
    reason: 'backoff',
    delayMs: Math.ceil(delayMs),
    until: dateAt(client.clock.now() + delayMs),
  });
  try {
    await sleep(client.clock, delayMs, waitSignal);
  } catch (reason) {
    throw abortError(call, reason, outcomeSoFar(call));
  }
  call.attempts.addWait(delayMs, 0);
}
