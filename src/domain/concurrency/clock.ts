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

/** Node's timers fire immediately for larger delays. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** The clock of the system. */
export const systemClock: DomainClock = {
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout(callback, delayMs) {
    const dueAt = performance.now() + delayMs;
    let timer = setTimeout(
      function fire() {
        const leftMs = dueAt - performance.now();
        if (leftMs <= 0) callback();
        else timer = setTimeout(fire, Math.min(Math.ceil(leftMs), TIMER_MAX_MS));
      },
      Math.min(delayMs, TIMER_MAX_MS),
    );
    return () => {
      clearTimeout(timer);
    };
  },
};

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
