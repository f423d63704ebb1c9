import type { Clock } from '../../src/client/time/clock.js';

interface Timer {
  at: number;
  delayMs: number;
  callback: () => void;
}

/** A clock that stands still until a test moves it. */
export interface VirtualClock extends Clock {
  /** Timers that have neither fired nor been cancelled. */
  readonly pending: number;
  /** Delays of the pending timers, the next to fire first. */
  readonly pendingDelays: readonly number[];
  /** Every delay that was ever asked for, in order. */
  readonly delays: readonly number[];
  /** Moves the time, firing what falls due in order. Between two timers everything that can run without time runs. */
  advance(byMs: number): Promise<void>;
  /** Moves to the next timer and fires it. */
  next(): Promise<void>;
  /** Moves the wall time alone, as somebody who sets the clock does. */
  setWall(now: number): void;
}

/** 1 March 2026, 12:00:00 UTC: a whole minute, so that windows are easy to place. */
export const NOON = Date.UTC(2026, 2, 1, 12);

/** Makes a clock that shows `now`; its monotonic time starts at 0. */
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

/** Lets every promise that is ready run to its end: an immediate comes after all of them, however long their chain. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Looks at a condition once a turn of the event loop until it holds. Waits for real sockets without moving any clock. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await settle();
}
