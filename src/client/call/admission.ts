import { ConfigurationError, isPetStoreError } from '../../errors.js';
import { dateAfter } from '../time/clock.js';
import { followSignal } from '../time/deadline.js';
import type { Gate, GateRequest, GateWait, Permit } from '../gate/gate.js';
import { abortedOrTimedOut, rateLimitError, outcomeSoFar, type CallState } from './call-state.js';

/** What an attempt may be made with. */
export interface Admission {
  /** The key. */
  secret: string;
  gate: Gate;
  permit: Permit;
}

/** What is about to be answered is waited for, also after a told wait that was as long as allowed, or by who allows none. */
const PATIENCE_MIN_MS = 5_000;

/**
 * Gets what an attempt needs: the key of the moment and the gate's permit. Waits for them as long as the call may.
 *
 * @throws what ends the call: its signal, its deadline, a key that can't be had, a wait that is longer than allowed.
 */
export async function admit<T>(run: CallState<T>): Promise<Admission> {
  throwIfEnded(run);
  const key = run.client.apiKey();
  const secret = typeof key === 'string' ? key : await fetchKey(run, key);
  run.apiKey = secret;
  const gate = run.client.gateOf(secret);
  for (;;) {
    const entered = enter(run, gate);
    const permit = entered instanceof Promise ? await entered : entered;
    const { consecutive429Count } = gate;
    try {
      // It may have ended while the key or the permit was already on its way to this call.
      throwIfEnded(run);
      if (run.beforeSend === undefined) return { secret, gate, permit };
      await prepare(run, run.beforeSend);
    } catch (error) {
      permit.release({ kind: 'no-response', sent: false });
      throw error;
    }
    // A 429 to another call that came meanwhile holds this one as well.
    if (gate.consecutive429Count <= consecutive429Count) return { secret, gate, permit };
    permit.release({ kind: 'no-response', sent: false });
  }
}

async function prepare<T>(run: CallState<T>, beforeSend: () => void | Promise<void>): Promise<void> {
  try {
    await beforeSend();
  } catch (reason) {
    throw abortedOrTimedOut(run, reason, outcomeSoFar(run));
  }
  throwIfEnded(run);
}

function throwIfEnded<T>(run: CallState<T>): void {
  const { waitSignal: signal } = run;
  if (signal?.aborted === true) throw abortedOrTimedOut(run, signal.reason, outcomeSoFar(run));
}

/** Waits for a key that is being fetched, but not beyond the call's own end. */
async function fetchKey<T>(run: CallState<T>, key: Promise<string>): Promise<string> {
  const { waitSignal: signal } = run;
  let abort: (() => void) | undefined;
  const end = new Promise<never>((_, reject) => {
    abort = () => {
      reject(abortedOrTimedOut(run, signal?.reason, outcomeSoFar(run)));
    };
    signal?.addEventListener('abort', abort, { once: true });
  });
  try {
    return await Promise.race([key, end]);
  } catch (cause) {
    if (isPetStoreError(cause)) throw cause;
    throw new ConfigurationError('the API key could not be fetched', { option: 'apiKey', cause });
  } finally {
    if (abort !== undefined) signal?.removeEventListener('abort', abort);
  }
}

function enter<T>(run: CallState<T>, gate: Gate): Permit | Promise<Permit> {
  const visit = new AdmissionRequest(run, gate);
  const entered = gate.acquire(visit);
  return entered instanceof Promise ? awaitPermit(run, gate, entered, visit) : entered;
}

/** A call at the gate. A class, because one is made for every attempt, and an object with a getter of its own is slow. */
class AdmissionRequest<T> implements GateRequest {
  readonly pace: boolean;
  readonly reservePercent: number;
  readonly leaseMs: number;
  readonly arrivedAt: number;
  patience: Patience | undefined;
  readonly #run: CallState<T>;
  readonly #gate: Gate;

  constructor(run: CallState<T>, gate: Gate) {
    const { client: engine, settings } = run;
    this.pace = engine.isPaced;
    this.reservePercent = settings.reservePercent;
    this.leaseMs = settings.timeoutMs;
    this.arrivedAt = engine.clock.monotonic();
    this.#run = run;
    this.#gate = gate;
  }

  /** Asked for by a gate that lets the call wait, and by no other. */
  get signal(): AbortSignal {
    this.patience ??= createPatience(this.#run);
    return this.patience.signal;
  }

  onWait(wait: GateWait): void {
    const { client: engine, settings } = this.#run;
    const waitedMs = engine.clock.monotonic() - this.arrivedAt;
    acceptWait(this.#run, this.#gate, wait, waitedMs);
    if (wait.delayMs === undefined) this.patience?.limit(settings.retry.waitMaxMs - waitedMs);
  }
}

/** The end of a call's waiting: its own end, or that of the longest wait which it accepts. */
interface Patience {
  readonly signal: AbortSignal;
  /** Limits a wait whose end nobody knows. One whose end is known is refused or kept whole. */
  limit(waitMs: number): void;
  dispose(): void;
}

const OUT_OF_PATIENCE = Symbol('out of patience');

function createPatience<T>({ client: engine, waitSignal: signal }: CallState<T>): Patience {
  const controller = new AbortController();
  const forget = followSignal(controller, signal);
  let cancel: (() => void) | undefined;
  return {
    signal: controller.signal,
    limit(waitMs) {
      if (waitMs === Number.POSITIVE_INFINITY) return;
      cancel ??= engine.clock.setTimeout(
        () => {
          controller.abort(OUT_OF_PATIENCE);
        },
        Math.max(waitMs, PATIENCE_MIN_MS),
      );
    },
    dispose() {
      cancel?.();
      forget();
    },
  };
}

async function awaitPermit<T>(
  run: CallState<T>,
  gate: Gate,
  entered: Promise<Permit>,
  visit: AdmissionRequest<T>,
): Promise<Permit> {
  const { clock } = run.client;
  const { waitSignal: signal } = run;
  try {
    const permit = await entered;
    run.waitedMs += clock.monotonic() - visit.arrivedAt;
    return permit;
  } catch (reason) {
    if (signal?.aborted === true && reason === signal.reason)
      throw abortedOrTimedOut(run, reason, outcomeSoFar(run));
    if (reason !== OUT_OF_PATIENCE) throw reason;
    const { rateLimit } = gate;
    const untilResetMs = rateLimit === undefined ? 0 : rateLimit.resetAt - clock.now();
    throw rateLimitError(run, Math.max(0, untilResetMs), rateLimit);
  } finally {
    visit.patience?.dispose();
  }
}

/** Lets a wait for the rate limit begin, or refuses it: it is kept whole or not begun. What was waited before counts. */
function acceptWait<T>(run: CallState<T>, gate: Gate, wait: GateWait, waitedMs: number): void {
  const { client: engine, settings, deadline } = run;
  const { delayMs, retryAfterMs, reason } = wait;
  const attempt = run.attempts.length + 1;
  if (delayMs === undefined) {
    engine.emit?.({ type: 'wait', call: run.id, attempt, reason });
    return;
  }
  if (waitedMs + (retryAfterMs ?? delayMs) > settings.retry.waitMaxMs || deadline.remainingMs() < delayMs) {
    throw rateLimitError(run, retryAfterMs ?? delayMs, wait.rateLimit ?? gate.rateLimit);
  }
  const until = dateAfter(engine.clock.now(), delayMs);
  engine.emit?.({ type: 'wait', call: run.id, attempt, reason, delayMs, until });
}
