import type { Clock } from '../../src/client/time/clock.js';

interface Timer {
  at: number;
  delayMs: number;
  callback: () => void;
}

/** A clock that only moves when a test advances it. */
export interface VirtualClock extends Clock {
  /** Number of pending timers. */
  readonly pending: number;
  /** Remaining delays of the pending timers, the next to fire first. */
  readonly pendingDelays: readonly number[];
  /** The delays of all timers so far, in order. */
  readonly delays: readonly number[];
  /** Advances the time and fires due timers in order. Between two timers, all ready promises run. */
  advance(byMs: number): Promise<void>;
  /** Advances to the next timer and fires it. */
  next(): Promise<void>;
  /** Sets the wall time only, as a user who sets the clock does. */
  setWall(now: number): void;
}

/** 1 March 2026, 12:00:00 UTC: the start of a minute window. */
export const NOON = Date.UTC(2026, 2, 1, 12);

/** Creates a clock that shows `now`. Its monotonic time starts at 0. */
export function createVirtualClock(now = NOON): VirtualClock {
  const timers = new Set<Timer>();
  const delays: number[] = [];
  let elapsedMs = 0;
  let wallOffset = now;

  const due = (limit: number): Timer | undefined => {
    let first: Timer | undefined;
    for (const timer of timers)
      if (timer.at <= limit && (first === undefined || timer.at < first.at)) first = timer;
    return first;
  };
  const fire = (timer: Timer): void => {
    timers.delete(timer);
    elapsedMs = Math.max(elapsedMs, timer.at);
    timer.callback();
  };

  return {
    now: () => wallOffset + elapsedMs,
    monotonic: () => elapsedMs,
    setTimeout(callback, delayMs) {
      const timer = { at: elapsedMs + delayMs, delayMs, callback };
      delays.push(delayMs);
      timers.add(timer);
      return () => {
        timers.delete(timer);
      };
    },
    get pending() {
      return timers.size;
    },
    get pendingDelays() {
      return [...timers].sort((a, b) => a.at - b.at).map(({ delayMs }) => delayMs);
    },
    delays,
    async advance(byMs) {
      const target = elapsedMs + byMs;
      await settle();
      for (let timer = due(target); timer !== undefined; timer = due(target)) {
        fire(timer);
        await settle();
      }
      elapsedMs = target;
    },
    async next() {
      await settle();
      const timer = due(Number.POSITIVE_INFINITY);
      if (timer === undefined) throw new Error('no timer is pending');
      fire(timer);
      await settle();
    },
    setWall(wall) {
      wallOffset = wall - elapsedMs;
    },
  };
}

/** Runs all ready promises: an immediate comes after them, however long their chain is. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Checks a condition on every turn of the event loop until it is true. Waits for real sockets without moving a clock. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await settle();
}
