/** The time, as the client sees it. A test hands in a virtual one. */
export interface Clock {
  /** Wall time in milliseconds since the epoch. May jump. */
  now(): number;
  /** Milliseconds since some fixed moment. Never jumps back. Waits are counted on it. */
  monotonic(): number;
  /** Calls once after at least `delayMs`. Returns what cancels it. Takes any delay, also above 2^31 − 1 ms. */
  setTimeout(callback: () => void, delayMs: number): () => void;
}

/** Node's timers fire at once for anything larger. */
const TIMER_MAX_MS = 2 ** 31 - 1;

/** The machine's own clock. Timers keep the process alive. */
export const systemClock: Clock = {
  now: () => Date.now(),
  monotonic,
  setTimeout(callback, delayMs) {
    // A timer may fire a millisecond early against that clock: look again until the time has really come.
    const dueAt = monotonic() + delayMs;
    let timer = setTimeout(
      function fire() {
        const leftMs = dueAt - monotonic();
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

/** As `performance.now()`, without the half millisecond that it takes Node to load that. */
function monotonic(): number {
  return Number(process.hrtime.bigint()) / 1e6;
}

/** The last moment that a `Date` can hold, in milliseconds since the epoch. */
const DATE_MAX_MS = 8.64e15;

/** The date so many milliseconds after a moment, or the last one there is: a told wait may reach past it. */
export function dateAfter(now: number, delayMs: number): Date {
  return new Date(Math.min(now + delayMs, DATE_MAX_MS));
}
