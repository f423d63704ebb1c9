import { dateAt } from '../../schema/rate-limit.js';
import { onAbort } from './on-abort.js';

export { monotonic, systemClock } from '../../time/system-clock.js';

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

/**
 * Waits. Rejects with the signal's reason as soon as it aborts, and then leaves no timer and no listener.
 */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
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

/** Returns the date `delayMs` after `now`, at most the latest possible date: a received Retry-After may be longer. */
export function dateAfter(now: number, delayMs: number): Date {
  return dateAt(now + delayMs);
}
