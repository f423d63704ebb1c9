import { onAbort } from './signals.js';

/** A source of time. Tests can pass a virtual clock. */
export interface Clock {
  /** Returns the wall clock time, in milliseconds since the epoch. May jump. */
  now(): number;
  /** Returns the milliseconds since a fixed time. Never jumps. Used for waits. */
  monotonic(): number;
  /**
   * Calls `callback` once, after at least `delayMs`. Accepts any delay, also above 2^31 − 1 ms.
   *
   * @returns a function that cancels the call.
   */
  setTimeout(callback: () => void, delayMs: number): () => void;
}

/** Maximum delay of Node's timers. A longer delay would fire at once. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** The system clock. Its timers keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic,
  setTimeout(callback, delayMs) {
    // A timer may fire a millisecond early by the monotonic clock, so the remaining time is checked again.
    const dueAt = monotonic() + delayMs;
    let timer = setTimeout(
      function fire() {
        const remainingMs = dueAt - monotonic();
        if (remainingMs <= 0) callback();
        else timer = setTimeout(fire, Math.min(Math.ceil(remainingMs), TIMER_MAX_MS));
      },
      Math.min(delayMs, TIMER_MAX_MS),
    );
    return () => {
      clearTimeout(timer);
    };
  },
};

/** Not all runtimes have it. */
const HAS_HRTIME =
  (globalThis as { process?: Partial<NodeJS.Process> }).process?.hrtime?.bigint !== undefined;

/** Like `performance.now()`, but half a millisecond faster to load in Node. */
export function monotonic(): number {
  return HAS_HRTIME ? Number(process.hrtime.bigint()) / 1e6 : performance.now();
}

/**
 * Waits. Rejects with the signal's reason as soon as it aborts, and then leaves no timer and no listener.
 */
export function sleep(
  clock: Pick<Clock, 'setTimeout'>,
  delayMs: number,
  signal?: AbortSignal,
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) {
      reject(signal.reason as Error);
      return;
    }
    const abort = (): void => {
      cancel();
      reject(signal?.reason as Error);
    };
    const cancel = clock.setTimeout(() => {
      unfollow?.();
      resolve();
    }, delayMs);
    const unfollow = signal && onAbort(signal, abort);
  });
}

/** Waits. Returns early if the signal is aborted. */
export async function pause(
  clock: Pick<Clock, 'setTimeout'>,
  delayMs: number,
  signal?: AbortSignal,
): Promise<void> {
  await sleep(clock, delayMs, signal).catch(() => undefined);
}
