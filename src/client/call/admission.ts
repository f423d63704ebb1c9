import type { RateLimitError } from '../../errors.js';
import { dateAt, type RateLimitValues } from '../../schema/rate-limit.js';
import { followSignal, untilAborted } from '../../time/signals.js';
import { startTimeLimit } from '../../time/time-limit.js';
import { UNPACED } from '../gate/budget/budget.js';
import type { Gate, GateRequest, GateWait, Permit } from '../gate/gate.js';
import { awaitOption } from './await-option.js';
import { abortError, rateLimitError } from './call-errors.js';
import { type CallState, outcomeSoFar } from './call-state.js';

/** The right to send one request. */
export interface Admission {
  permit: Permit;
  /** Consecutive 429 responses to this key before the request. */
  previous429Count: number;
}

/**
 * Waits until the next attempt may be sent: gets its API key, a permit of the gate and its headers, and calls
 * `beforeSend`.
 *
 * @throws AbortedError or TimeoutError if a signal, `beforeSend` or the deadline ends the call.
 * @throws TimeoutError if one of these functions takes longer than `timeoutMs`.
 * @throws ConfigurationError if the key function or a function for headers fails.
 * @throws RateLimitError if the wait is too long. No request is sent without a permit.
 */
export function admit<T>(call: CallState<T>): Admission | Promise<Admission> {
  throwIfAborted(call);
  const { apiKey } = call.plan.client;
  const { request } = call;
  request.renewalCount = apiKey.renewalCount();
  const key = request.renewedKey ?? apiKey.read();
  request.renewedKey = undefined;
  if (typeof key === 'string') return admitWithKey(call, key);
  return awaitOption(call, 'apiKey', key).then((fetched) => admitWithKey(call, fetched));
}

function admitWithKey<T>(call: CallState<T>, key: string): Admission | Promise<Admission> {
  const { client, beforeSend, waitSignal, settings } = call.plan;
  const { redactor, gate } = client.useKey(key);
  call.request.apiKey = key;
  call.request.redactor = redactor;
  const acquired = acquirePermit(call, gate);
  const isReady =
    beforeSend === undefined && waitSignal === undefined && typeof settings.headers !== 'function';
  // The usual case, without a promise.
  if (!(acquired instanceof Promise) && isReady) return admission(gate, acquired);
  return awaitAdmission(call, gate, acquired);
}

function admission({ consecutive429Count }: Gate, permit: Permit): Admission {
  return { permit, previous429Count: consecutive429Count };
}

async function awaitAdmission<T>(
  call: CallState<T>,
  gate: Gate,
  first: Permit | Promise<Permit>,
): Promise<Admission> {
  const { beforeSend, settings } = call.plan;
  const { headers } = settings;
  for (let acquired = first; ; acquired = acquirePermit(call, gate)) {
    const permit = await acquired;
    const countBefore = gate.consecutive429Count;
    try {
      // The call may have been aborted while the key or the permit arrived.
      throwIfAborted(call);
      if (typeof headers === 'function') call.request.headers = await awaitOption(call, 'headers', headers());
      else if (beforeSend === undefined) return admission(gate, permit);
      if (beforeSend !== undefined) await runBeforeSend(call, beforeSend);
    } catch (error) {
      permit.release({ kind: 'no-response', sent: false });
      throw error;
    }
    // If another call received a 429 meanwhile, this call has to wait again.
    if (gate.consecutive429Count <= countBefore) return admission(gate, permit);
    permit.release({ kind: 'no-response', sent: false });
  }
}

function throwIfAborted<T>(call: CallState<T>): void {
  const { waitSignal: signal } = call.plan;
  if (signal?.aborted === true) throw abortError(call, signal.reason, outcomeSoFar(call));
}

/**
 * Requests a permit of the gate for the next attempt of a call.
 *
 * @throws AbortedError or TimeoutError if a signal or the deadline ends the call.
 * @throws RateLimitError if the wait is too long.
 */
function acquirePermit<T>(call: CallState<T>, gate: Gate): Permit | Promise<Permit> {
  const request = new PermitRequest(call);
  const acquired = gate.acquire(request);
  return acquired instanceof Promise ? awaitPermit(call, gate, acquired, request) : acquired;
}

const WAIT_LIMIT_REACHED = Symbol('wait limit reached');

/** The request of a call for a permit. A class, because object literals with getters are slow to create. */
class PermitRequest<T> implements GateRequest {
  readonly level: number;
  readonly leaseMs: number;
  readonly #call: CallState<T>;
  #requestedAt: number | undefined;
  /** Why the call waits, as last reported. */
  #reason: GateWait['reason'] = 'paced';
  #controller: AbortController | undefined;
  #unfollow: (() => void) | undefined;
  /** Ends the limit of a wait of unknown length, or of one that the client itself has chosen. */
  #cancelLimit: (() => void) | undefined;

  constructor(call: CallState<T>) {
    const { settings } = call.plan;
    this.level = settings.pace === 'auto' ? settings.reservePercent : UNPACED;
    this.leaseMs = settings.timeoutMs;
    this.#call = call;
  }

  /** The first use, because most requests don't wait. */
  get requestedAt(): number {
    return (this.#requestedAt ??= this.#call.plan.client.clock.monotonic());
  }

  /** Follows the signals of the call. Created at the first use: a gate uses it only if the call has to wait. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      this.#unfollow = followSignal(this.#controller, this.#call.plan.waitSignal);
    }
    return this.#controller.signal;
  }

  /**
   * Emits the event of the wait.
   *
   * @throws RateLimitError if the wait that the service named is too long. A longer wait that the client itself has chosen
   *   lasts until `waitMaxMs` is used.
   */
  onWait({ delayMs, retryAfterMs, reason, rateLimit }: GateWait): void {
    const { plan, attempts } = this.#call;
    const { client, deadline, id, settings } = plan;
    const { clock, emit } = client;
    const waitedMs = attempts.waitedForLimitMs + clock.monotonic() - this.requestedAt;
    const leftMs = settings.retry.waitMaxMs - waitedMs;
    if (retryAfterMs !== undefined && retryAfterMs > Math.min(leftMs, deadline.remainingMs()))
      throw rateLimitError(this.#call, { retryAfterMs, reason, rateLimit });
    this.#reason = reason;
    const event = { type: 'wait', call: id, attempt: attempts.list.length + 1, reason } as const;
    if (delayMs === undefined) emit?.(event);
    else emit?.({ ...event, delayMs: Math.ceil(delayMs), until: dateAt(clock.now() + delayMs) });
    // An accepted wait of known length is never cut short.
    if (delayMs !== undefined && delayMs <= leftMs) this.#stopLimit();
    else if (leftMs < Number.POSITIVE_INFINITY)
      this.#cancelLimit ??= startTimeLimit(clock, Math.max(0, leftMs), () => this.#endWait(), false);
  }

  /** The error of a call that has used up its waits. */
  limitError(rateLimit: RateLimitValues | undefined): RateLimitError {
    return rateLimitError(this.#call, { retryAfterMs: undefined, reason: this.#reason, rateLimit });
  }

  dispose(): void {
    this.#stopLimit();
    this.#unfollow?.();
  }

  #endWait(): void {
    this.#controller?.abort(WAIT_LIMIT_REACHED);
  }

  #stopLimit(): void {
    this.#cancelLimit?.();
    this.#cancelLimit = undefined;
  }
}

async function awaitPermit<T>(
  call: CallState<T>,
  gate: Gate,
  acquired: Promise<Permit>,
  request: PermitRequest<T>,
): Promise<Permit> {
  const { client, waitSignal: signal } = call.plan;
  const { requestedAt } = request;
  try {
    return await acquired;
  } catch (reason) {
    if (signal?.aborted === true && reason === signal.reason) {
      throw abortError(call, reason, outcomeSoFar(call));
    }
    throw reason === WAIT_LIMIT_REACHED ? request.limitError(gate.rateLimit) : reason;
  } finally {
    request.dispose();
    const waitedMs = client.clock.monotonic() - requestedAt;
    call.attempts.addWait(waitedMs, waitedMs);
  }
}

async function runBeforeSend<T>(call: CallState<T>, beforeSend: () => void | Promise<void>): Promise<void> {
  try {
    await untilAborted(beforeSend(), call.plan.waitSignal);
  } catch (reason) {
    throw abortError(call, reason, outcomeSoFar(call));
  }
  throwIfAborted(call);
}
