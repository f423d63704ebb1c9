import { isUntrustedCertificate } from '../../security/tls-codes.js';
import { backoffMs } from './backoff.js';
import type { Attempts } from './attempts.js';
import { type CallPlan, isWrite } from './plan.js';

/** How an attempt ended, as far as the policy depends on it. */
export type AttemptEnd =
  /** A success status with a valid body. */
  | { readonly kind: 'success' }
  /** A success status with an invalid body. `isTruncated`: the body ended early. */
  | { readonly kind: 'invalid'; readonly isTruncated: boolean }
  /** 3xx. `isFollowed`: the client may follow it. */
  | { readonly kind: 'redirect'; readonly isFollowed: boolean }
  /** 429. */
  | { readonly kind: 'rate-limited' }
  /** Any other status outside 2xx. `retryAfterMs`: the received `Retry-After`, otherwise 0. */
  | { readonly kind: 'error'; readonly status: number; readonly retryAfterMs: number }
  /** No response. `sent`: the service may have received part of the request. */
  | { readonly kind: 'no-response'; readonly sent: boolean; readonly isRetryable: boolean };

/**
 * What a call does after an attempt. `counts`: whether the attempt counts towards `attemptsMax`.
 *
 * - `done`: it has its result.
 * - `again`: it requests the next permit at once. After a 429, the gate delays it.
 * - `wait`: it requests the next permit after `waitMs`. `forLimitMs` is the part that counts towards `waitMaxMs`.
 * - `fail`: it rejects. `isTooLate`: because the wait would exceed the deadline.
 */
export type Decision =
  | { readonly kind: 'done' | 'again'; readonly counts: boolean }
  | {
      readonly kind: 'wait';
      readonly counts: boolean;
      readonly waitMs: number;
      readonly forLimitMs: number;
    }
  | { readonly kind: 'fail'; readonly counts: boolean; readonly isTooLate?: boolean };

const DONE: Decision = { kind: 'done', counts: true };
/** Only failures count. A redirect and a renewed key are none; waits for the rate limit have a limit of their own. */
const AGAIN: Decision = { kind: 'again', counts: false };
const FAIL: Decision = { kind: 'fail', counts: true };

/** The part of a plan that the policy depends on. */
export interface PolicyPlan {
  readonly operation: Pick<CallPlan<unknown>['operation'], 'method'>;
  readonly settings: Pick<CallPlan<unknown>['settings'], 'retry'>;
  readonly deadline: Pick<CallPlan<unknown>['deadline'], 'remainingMs'>;
  readonly client: Pick<CallPlan<unknown>['client'], 'random'>;
}

/** The part of the earlier attempts that the policy depends on. */
export type PolicyAttempts = Pick<Attempts, 'counted' | 'waitedForLimitMs' | 'count'>;

/**
 * Decides what a call does after an attempt. Changes nothing.
 *
 * @param attempts the earlier ones.
 */
export function decide(plan: PolicyPlan, attempts: PolicyAttempts, end: AttemptEnd): Decision {
  switch (end.kind) {
    case 'success':
      return DONE;
    case 'redirect':
      return end.isFollowed ? AGAIN : FAIL;
    case 'rate-limited':
      // `waitMaxMs` limits the waits, not the number of attempts: a 429 is often a response to the requests of others.
      return plan.settings.retry.attemptsMax > 1 ? AGAIN : FAIL;
    case 'error':
      // With another key, if the option `apiKey` returns one. The service did not carry out the request.
      if (end.status === 401) return attempts.count(401) === 0 ? AGAIN : FAIL;
      return !isWrite(plan) && isTransient(end.status) ? retry(plan, attempts, end.retryAfterMs) : FAIL;
    case 'invalid':
      return !isWrite(plan) && end.isTruncated ? retry(plan, attempts, 0) : FAIL;
    case 'no-response':
      return end.isRetryable && !(isWrite(plan) && end.sent) ? retry(plan, attempts, 0) : FAIL;
  }
}

/** Retries after the backoff, if attempts are left. Never earlier than the received `Retry-After`. */
function retry(
  { settings, deadline, client }: PolicyPlan,
  { counted, waitedForLimitMs }: PolicyAttempts,
  retryAfterMs: number,
): Decision {
  const { attemptsMax, waitMaxMs } = settings.retry;
  if (counted + 1 >= attemptsMax || waitedForLimitMs + retryAfterMs > waitMaxMs) return FAIL;
  const waitMs = Math.max(retryAfterMs, backoffMs(settings.retry, counted + 1, client.random));
  if (deadline.remainingMs() < waitMs) return { kind: 'fail', counts: true, isTooLate: true };
  return { kind: 'wait', counts: true, waitMs, forLimitMs: retryAfterMs };
}

/**
 * Checks whether a status shows that a write was not carried out: 4xx except 408, 307 and 308. These two redirects ask
 * for the same request elsewhere (RFC 9110, sections 15.4.8 and 15.4.9). Others may follow a write that was carried out.
 */
export function isRefusal(status: number): boolean {
  return (status >= 400 && status < 500 && status !== 408) || status === 307 || status === 308;
}

/** Checks whether a read that failed with this status may succeed soon. */
export function isTransient(status: number): boolean {
  return status === 408 || status === 500 || (status >= 502 && status <= 504);
}

/** Refusals of a proxy that a retry does not solve. */
const PROXY_REFUSAL = /^ERR_PROXY_(?!408|5\d\d|DATA)/;

/** Checks whether a connection that failed with this code may succeed soon. */
export function isTransientFailure(code: string | undefined): boolean {
  return code === undefined || !(isUntrustedCertificate(code) || PROXY_REFUSAL.test(code));
}
