export { systemClock } from '../../time/system-clock.js';

/** The clock of the checks. Tests pass a virtual one. */
export interface DomainClock {
  /** Wall clock in milliseconds since the epoch. May jump. */
  now(): number;
  /** Milliseconds since a fixed time. Never jumps, so all waits are measured on it. */
  monotonic(): number;
  /**
   * Calls back once after at least `delayMs`, which may exceed 2^31 − 1 ms. Returns a function that clears the timer.
   */
  setTimeout(callback: () => void, delayMs: number): () => void;
}

/** Waits. Returns early if the signal is aborted. */
export function pause(clock: DomainClock, delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted === true) {
      resolve();
      return;
    }
    const end = (): void => {
      cancel();
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.setTimeout(end, delayMs);
    signal?.addEventListener('abort', end, { once: true });
  });
}
