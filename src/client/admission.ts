import { ConfigurationError, isPetStoreError } from '../errors.js';
import { dateAfter } from './clock.js';
import type { Gate, GateWait, Permit } from './gate/gate.js';
import { ended, limitError, outcomeSoFar, type Run } from './run.js';

/** What an attempt may be made with. */
export interface Admission {
  /** The key. */
  secret: string;
  gate: Gate;
  permit: Permit;
}

/**
 * Gets what an attempt needs: the key of the moment and the gate's permit. Waits for them as long as the call may.
 *
 * @throws what ends the call: its signal, its deadline, a key that can't be had, a wait that is longer than allowed.
 */
export async function admit<T>(run: Run<T>): Promise<Admission> {
  throwIfEnded(run);
  const key = run.engine.key();
  const secret = typeof key === 'string' ? key : await fetchKey(run, key);
  run.secret = secret;
  const gate = run.engine.gate(secret);
  const entered = enter(run, gate);
  const permit = entered instanceof Promise ? await entered : entered;
  try {
    // It may have ended while the key or the permit was already on its way to this call.
    throwIfEnded(run);
  } catch (error) {
    permit.leave({ kind: 'none', sent: false });
    throw error;
  }
  return { secret, gate, permit };
}

function throwIfEnded<T>(run: Run<T>): void {
  const { signal } = run.deadline;
  if (signal?.aborted === true) throw ended(run, signal.reason, outcomeSoFar(run));
}

/** Waits for a key that is being fetched, but not beyond the call's own end. */
async function fetchKey<T>(run: Run<T>, key: Promise<string>): Promise<string> {
  const { signal } = run.deadline;
  let abort: (() => void) | undefined;
  const end = new Promise<never>((_, reject) => {
    abort = () => {
      reject(ended(run, signal?.reason, outcomeSoFar(run)));
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

function enter<T>(run: Run<T>, gate: Gate): Permit | Promise<Permit> {
  const { engine } = run;
  const { signal } = run.deadline;
  const arrivedAt = engine.clock.monotonic();
  const entered = gate.enter({
    pace: engine.pace,
    signal,
    onWait: (wait) => {
      acceptWait(run, gate, wait);
    },
  });
  return entered instanceof Promise ? awaitPermit(run, entered, arrivedAt) : entered;
}

async function awaitPermit<T>(run: Run<T>, entered: Promise<Permit>, arrivedAt: number): Promise<Permit> {
  const { clock } = run.engine;
  const { signal } = run.deadline;
  try {
    const permit = await entered;
    run.waitedMs += clock.monotonic() - arrivedAt;
    return permit;
  } catch (reason) {
    if (signal?.aborted === true && reason === signal.reason) throw ended(run, reason, outcomeSoFar(run));
    throw reason;
  }
}

/** Lets a wait for the rate limit begin, or refuses it: it is kept whole or not begun. */
function acceptWait<T>(run: Run<T>, gate: Gate, wait: GateWait): void {
  const { engine, settings, deadline } = run;
  const { delayMs, toldMs, reason } = wait;
  const attempt = run.attempts.length + 1;
  if (delayMs === undefined) {
    engine.emit?.({ type: 'wait', call: run.call, attempt, reason });
    return;
  }
  if ((toldMs ?? delayMs) > settings.retry.waitMaxMs || deadline.leftMs() < delayMs) {
    throw limitError(run, toldMs ?? delayMs, wait.rateLimit ?? gate.rateLimit);
  }
  const until = dateAfter(engine.clock.now(), delayMs);
  engine.emit?.({ type: 'wait', call: run.call, attempt, reason, delayMs, until });
}
