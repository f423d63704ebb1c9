/** The time, as the checks see it. A test hands in a virtual one. */
export interface DomainClock {
  /** Wall time in milliseconds since the epoch. May jump. */
  now(): number;
  /** Milliseconds since some fixed moment. Never jumps: waits are counted on it. */
  monotonic(): number;
  /** Calls once after at least `delayMs`, which may be above 2^31 − 1 ms. Returns what cancels it. */
  setTimeout(callback: () => void, delayMs: number): () => void;
}

/** Node's timers fire at once for anything larger. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** The machine's own clock. */
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

/** Waits, or returns early when the signal is aborted. Leaves neither timer nor listener behind. */
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
