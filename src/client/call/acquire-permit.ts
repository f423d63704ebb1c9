import type { RateLimitError } from '../../errors.js';
import { dateAt, type RateLimitValues } from '../../schema/rate-limit.js';
import { followSignal } from '../../time/signals.js';
import { startTimeLimit } from '../../time/time-limit.js';
import { UNPACED } from '../gate/budget/budget.js';
import type { Gate, GateRequest, GateWait, Permit } from '../gate/gate.js';
import { abortError, rateLimitError } from './call-errors.js';
import { type CallState, outcomeSoFar } from './call-state.js';

/**
 * Requests a permit of the gate for the next attempt of a call.
 *
 * @throws AbortedError or TimeoutError if a signal or the deadline ends the call.
 * @throws RateLimitError if the wait is too long.
 */
export function acquirePermit<T>(call: CallState<T>, gate: Gate): Permit | Promise<Permit> {
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
    const { client, settings } = call.plan;
    this.level = client.isPaced ? settings.reservePercent : UNPACED;
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
  onWait({ delayMs, retryAfterMs = 0, reason, rateLimit }: GateWait): void {
    const { plan, attempts } = this.#call;
    const { client, deadline, id, settings } = plan;
    const { clock, emit } = client;
    const waitedMs = attempts.waitedForLimitMs + clock.monotonic() - this.requestedAt;
    const leftMs = settings.retry.waitMaxMs - waitedMs;
    if (retryAfterMs > leftMs || retryAfterMs > deadline.remainingMs())
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
