import { ConfigurationError, isPetStoreError, type PetStoreError, TimeoutError } from '../../errors.js';
import type { Gate, GateRequest, GateWait, Permit } from '../gate/gate.js';
import { dateAt } from '../../schema/rate-limit.js';
import { isDeadline, startDeadline, startTimeLimit } from '../../time/time-limit.js';
import { followSignal, untilAborted } from '../../time/signals.js';
import { deadlineMessage } from './call-errors.js';
import { type CallState, errorForAbort, errorForRateLimit, outcomeSoFar } from './call-state.js';
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
  call.redactor = call.client.redactorOf(key);
  const gate = call.client.gateOf(key);
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
  if (signal?.aborted === true) throw errorForAbort(call, signal.reason, outcomeSoFar(call));
}

async function awaitKey<T>(call: CallState<T>, key: Promise<string>): Promise<string> {
  const { waitSignal: signal } = call;
  try {
    return await untilAborted(key, signal);
  } catch (cause) {
    if (signal?.aborted === true && cause === signal.reason)
      throw errorForAbort(call, cause, outcomeSoFar(call));
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

/** The request of a call for a permit. A class, because object literals with getters are slow to create. */
class PermitRequest<T> implements GateRequest {
  readonly pace: boolean;
  readonly reservePercent: number;
  readonly leaseMs: number;
  waitLimit: WaitLimit | undefined;
  readonly #call: CallState<T>;
  #requestedAt: number | undefined;

  constructor(call: CallState<T>) {
    const { client, settings } = call;
    this.pace = client.isPaced;
    this.reservePercent = settings.reservePercent;
    this.leaseMs = settings.timeoutMs;
    this.#call = call;
  }

  /** The first use, because most requests don't wait. */
  get requestedAt(): number {
    return (this.#requestedAt ??= this.#call.client.clock.monotonic());
  }

  /** Created at the first use: a gate uses it only if the call has to wait. */
  get signal(): AbortSignal {
    this.waitLimit ??= createWaitLimit(this.#call);
    return this.waitLimit.signal;
  }

  onWait(wait: GateWait): void {
    const { client, settings, limitWaitedMs } = this.#call;
    const leftMs = settings.retry.waitMaxMs - limitWaitedMs - (client.clock.monotonic() - this.requestedAt);
    acceptWait(this.#call, wait, leftMs);
    if (wait.delayMs !== undefined) this.waitLimit?.stop();
    else this.waitLimit?.start(leftMs);
  }
}

/** A signal that limits a wait of unknown length. It also follows the signals of the call. */
interface WaitLimit {
  readonly signal: AbortSignal;
  start(limitMs: number): void;
  /** An accepted wait of known length is never cut short. */
  stop(): void;
  dispose(): void;
}

const WAIT_LIMIT_REACHED = Symbol('wait limit reached');

function createWaitLimit<T>({ client, waitSignal }: CallState<T>): WaitLimit {
  const controller = new AbortController();
  const unfollow = followSignal(controller, waitSignal);
  let cancelTimer: (() => void) | undefined;
  const stop = (): void => {
    cancelTimer?.();
    cancelTimer = undefined;
  };
  return {
    signal: controller.signal,
    start(limitMs) {
      if (limitMs === Number.POSITIVE_INFINITY) return;
      const end = (): void => {
        controller.abort(WAIT_LIMIT_REACHED);
      };
      cancelTimer ??= startTimeLimit(client.clock, Math.max(0, limitMs), end, false);
    },
    stop,
    dispose() {
      stop();
      unfollow();
    },
  };
}

/**
 * Emits the event of a wait that is about to start.
 *
 * @param leftMs the time that the call may still wait.
 * @throws RateLimitError if the wait is too long.
 */
function acceptWait<T>(call: CallState<T>, wait: GateWait, leftMs: number): void {
  const { client, deadline } = call;
  const { delayMs, retryAfterMs = delayMs, reason } = wait;
  const event = { type: 'wait', call: call.id, attempt: call.attempts.length + 1, reason } as const;
  if (delayMs === undefined || retryAfterMs === undefined) {
    client.emit?.(event);
    return;
  }
  if (delayMs > leftMs || deadline.remainingMs() < delayMs) {
    // If only the backoff is too long, the gate is closed until its end.
    const isBackoffTooLong = retryAfterMs <= leftMs && delayMs > leftMs;
    throw errorForRateLimit(call, isBackoffTooLong ? delayMs : retryAfterMs, wait.rateLimit);
  }
  client.emit?.({ ...event, delayMs, until: dateAt(client.clock.now() + delayMs) });
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
      throw errorForAbort(call, reason, outcomeSoFar(call));
    }
    throw reason === WAIT_LIMIT_REACHED ? errorForRateLimit(call, undefined, gate.rateLimit) : reason;
  } finally {
    request.waitLimit?.dispose();
    const waitedMs = clock.monotonic() - requestedAt;
    call.waitedMs += waitedMs;
    call.limitWaitedMs += waitedMs;
  }
}

async function runBeforeSend<T>(call: CallState<T>, beforeSend: () => void | Promise<void>): Promise<void> {
  try {
    await untilAborted(beforeSend(), call.waitSignal);
  } catch (reason) {
    throw errorForAbort(call, reason, outcomeSoFar(call));
  }
  throwIfAborted(call);
}
