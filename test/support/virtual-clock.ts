import { setTimeout } from 'node:timers/promises';
import type { Clock } from '../../src/time/clock.js';

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

/**
 * Creates a clock that shows `now`. Its monotonic time starts at 0.
 *
 * @param isBusy whether something outside of the process still happens at the current time.
 */
export function createVirtualClock(now = NOON, isBusy = (): boolean => false): VirtualClock {
  // The next to fire is the last one. Simulations have thousands of timers, so they are kept in order.
  const timers: Timer[] = [];
  const delays: number[] = [];
  let elapsedMs = 0;
  let wallOffset = now;

  /** Returns the index after all timers that fire later. */
  const indexAfter = (at: number): number => {
    let [low, high] = [0, timers.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (timers[middle]!.at > at) low = middle + 1;
      else high = middle;
    }
    return low;
  };
  const remove = (timer: Timer): void => {
    for (let index = indexAfter(timer.at); timers[index]?.at === timer.at; index += 1) {
      if (timers[index] !== timer) continue;
      timers.splice(index, 1);
      return;
    }
  };
  const settled = async (): Promise<void> => {
    do await settle();
    while (isBusy());
  };
  const isDue = (limit: number): boolean => timers.length > 0 && timers.at(-1)!.at <= limit;
  const fireNext = (): void => {
    const timer = timers.pop()!;
    elapsedMs = Math.max(elapsedMs, timer.at);
    timer.callback();
  };

  return {
    now: () => wallOffset + elapsedMs,
    monotonic: () => elapsedMs,
    setTimeout(callback, delayMs) {
      const timer = { at: elapsedMs + delayMs, delayMs, callback };
      delays.push(delayMs);
      timers.splice(indexAfter(timer.at), 0, timer);
      return () => {
        remove(timer);
      };
    },
    get pending() {
      return timers.length;
    },
    get pendingDelays() {
      return timers.map(({ delayMs }) => delayMs).reverse();
    },
    delays,
    async advance(byMs) {
      const target = elapsedMs + byMs;
      await settled();
      while (isDue(target)) {
        fireNext();
        await settled();
      }
      elapsedMs = target;
    },
    async next() {
      await settled();
      if (timers.length === 0) throw new Error('no timer is pending');
      fireNext();
      await settled();
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

/** For so many turns of the event loop, what happens in this process is awaited. */
const OWN_TURNS = 50;

/**
 * Checks a condition on every turn of the event loop until it is true. Waits for real sockets without moving a clock. Later
 * it checks once a millisecond, so that a thread or a process has the core.
 */
export async function until(holds: () => boolean): Promise<void> {
  for (let turns = 0; !holds(); turns += 1) await (turns < OWN_TURNS ? settle() : setTimeout(1));
}
