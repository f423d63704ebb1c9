import { ConfigurationError, isPetStoreError, type PetStoreError, TimeoutError } from '../../errors.js';
import { UNPACED } from '../gate/budget/budget.js';
import type { Gate, GateRequest, GateWait, Permit } from '../gate/gate.js';
import { dateAt } from '../../schema/rate-limit.js';
import { isDeadline, startDeadline, startTimeLimit } from '../../time/time-limit.js';
import { followSignal, untilAborted } from '../../time/signals.js';
import { abortError, deadlineMessage, rateLimitError } from './call-errors.js';
import { type CallState, outcomeSoFar } from './call-state.js';
import type { ClientContext } from './client-context.js';

/** The right to send one request. */
export interface Admission {
  gate: Gate;
  permit: Permit;
}

/**
 * Waits until the next attempt may be sent: gets its API key and a permit of the gate, and calls `beforeSend`.
 *
 * @throws AbortedError or TimeoutError if a signal, `beforeSend` or the deadline ends the call.
 * @throws ConfigurationError if the key function fails.
 * @throws RateLimitError if the wait is too long. No request is sent without a permit.
 */
export function admit<T>(call: CallState<T>): Admission | Promise<Admission> {
  throwIfAborted(call);
  const key = call.client.apiKey();
  if (typeof key === 'string') return admitWithKey(call, key);
  return awaitKey(call, key).then((fetched) => admitWithKey(call, fetched));
}

function admitWithKey<T>(call: CallState<T>, key: string): Admission | Promise<Admission> {
  call.apiKey = key;
  const { redactor, gate } = call.client.useKey(key);
  call.redactor = redactor;
  const acquired = acquirePermit(call, gate);
  // The usual case, without a promise.
  if (!(acquired instanceof Promise) && call.beforeSend === undefined && call.waitSignal === undefined)
    return { gate, permit: acquired };
  return awaitAdmission(call, gate, acquired);
}

async function awaitAdmission<T>(
  call: CallState<T>,
  gate: Gate,
  first: Permit | Promise<Permit>,
): Promise<Admission> {
  for (let acquired = first; ; acquired = acquirePermit(call, gate)) {
    const permit = await acquired;
    const countBefore = gate.consecutive429Count;
    try {
      // The call may have been aborted while the key or the permit arrived.
      throwIfAborted(call);
      if (call.beforeSend === undefined) return { gate, permit };
      await runBeforeSend(call, call.beforeSend);
    } catch (error) {
      permit.release({ kind: 'no-response', sent: false });
      throw error;
    }
    // If another call received a 429 during beforeSend, this call has to wait again.
    if (gate.consecutive429Count <= countBefore) return { gate, permit };
    permit.release({ kind: 'no-response', sent: false });
  }
}

function throwIfAborted<T>(call: CallState<T>): void {
  const { waitSignal: signal } = call;
  if (signal?.aborted === true) throw abortError(call, signal.reason, outcomeSoFar(call));
}

async function awaitKey<T>(call: CallState<T>, key: Promise<string>): Promise<string> {
  const { waitSignal: signal } = call;
  try {
    return await untilAborted(key, signal);
  } catch (cause) {
    if (signal?.aborted === true && cause === signal.reason)
      throw abortError(call, cause, outcomeSoFar(call));
    throw keyError(cause);
  }
}

/**
 * Returns the API key outside a call. The client's `deadlineMs` limits the wait for a key function.
 *
 * @throws ConfigurationError if the key function fails.
 * @throws TimeoutError at the deadline.
 */
export async function readKey({ apiKey, clock, settings }: ClientContext): Promise<string> {
  const deadline = startDeadline(clock, settings.deadlineMs, undefined);
  try {
    return await untilAborted(apiKey(), deadline.signal);
  } catch (cause) {
    if (isDeadline(cause))
      throw new TimeoutError(deadlineMessage(settings.deadlineMs), { limit: 'deadline' });
    throw keyError(cause);
  } finally {
    deadline.dispose();
  }
}

function keyError(cause: unknown): PetStoreError {
  if (isPetStoreError(cause)) return cause;
  return new ConfigurationError('Could not fetch the API key', { option: 'apiKey', cause });
}

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
  #controller: AbortController | undefined;
  #unfollow: (() => void) | undefined;
  /** Ends the limit of a wait of unknown length. */
  #cancelLimit: (() => void) | undefined;

  constructor(call: CallState<T>) {
    const { client, settings } = call;
    this.level = client.isPaced ? settings.reservePercent : UNPACED;
    this.leaseMs = settings.timeoutMs;
    this.#call = call;
  }

  /** The first use, because most requests don't wait. */
  get requestedAt(): number {
    return (this.#requestedAt ??= this.#call.client.clock.monotonic());
  }

  /** Follows the signals of the call. Created at the first use: a gate uses it only if the call has to wait. */
  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      this.#unfollow = followSignal(this.#controller, this.#call.waitSignal);
    }
    return this.#controller.signal;
  }

  /** Emits the event of the wait. @throws RateLimitError if it is too long. */
  onWait({ delayMs, retryAfterMs = delayMs, reason, rateLimit }: GateWait): void {
    const { client, deadline, id, attempts, limitWaitedMs, settings } = this.#call;
    const { clock, emit } = client;
    const leftMs = settings.retry.waitMaxMs - limitWaitedMs - (clock.monotonic() - this.requestedAt);
    const event = { type: 'wait', call: id, attempt: attempts.length + 1, reason } as const;
    if (delayMs === undefined || retryAfterMs === undefined) {
      emit?.(event);
      if (leftMs < Number.POSITIVE_INFINITY)
        this.#cancelLimit ??= startTimeLimit(clock, Math.max(0, leftMs), () => this.#endWait(), false);
      return;
    }
    if (delayMs > leftMs || deadline.remainingMs() < delayMs) {
      // If only the backoff is too long, the gate is closed until its end.
      const isBackoffTooLong = retryAfterMs <= leftMs && delayMs > leftMs;
      throw rateLimitError(this.#call, isBackoffTooLong ? delayMs : retryAfterMs, rateLimit);
    }
    emit?.({ ...event, delayMs, until: dateAt(clock.now() + delayMs) });
    // An accepted wait of known length is never cut short.
    this.#stopLimit();
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
  const { clock } = call.client;
  const { waitSignal: signal } = call;
  const { requestedAt } = request;
  try {
    return await acquired;
  } catch (reason) {
    if (signal?.aborted === true && reason === signal.reason) {
      throw abortError(call, reason, outcomeSoFar(call));
    }
    throw reason === WAIT_LIMIT_REACHED ? rateLimitError(call, undefined, gate.rateLimit) : reason;
  } finally {
    request.dispose();
    const waitedMs = clock.monotonic() - requestedAt;
    call.waitedMs += waitedMs;
    call.limitWaitedMs += waitedMs;
  }
}

async function runBeforeSend<T>(call: CallState<T>, beforeSend: () => void | Promise<void>): Promise<void> {
  try {
    await untilAborted(beforeSend(), call.waitSignal);
  } catch (reason) {
    throw abortError(call, reason, outcomeSoFar(call));
  }
  throwIfAborted(call);
}
