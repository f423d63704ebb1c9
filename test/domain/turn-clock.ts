import type { Clock } from '../../src/time/clock.js';

/** How long a turn takes on an idle machine, in milliseconds. */
const TURN_MS = 2;

/**
 * Creates the clock of a DNS client whose servers are in the same process. Its time is turns of the event loop, in which
 * client and servers read what has arrived. So a busy machine makes a time-out late, but never a response.
 */
export function createTurnClock(): Pick<Clock, 'monotonic' | 'setTimeout'> {
  const timers = new Map<() => void, number>();
  let turns = 0;
  let interval: NodeJS.Timeout | undefined;
  const turn = (): void => {
    turns += 1;
    for (const [fire, at] of timers) if (at <= turns) fire();
  };
  const remove = (fire: () => void): void => {
    timers.delete(fire);
    if (timers.size > 0) return;
    clearInterval(interval);
    interval = undefined;
  };
  return {
    monotonic: () => turns * TURN_MS,
    setTimeout(callback, delayMs) {
      const fire = (): void => {
        remove(fire);
        callback();
      };
      timers.set(fire, turns + Math.ceil(delayMs / TURN_MS));
      interval ??= setInterval(turn, TURN_MS);
      return () => {
        remove(fire);
      };
    },
  };
}
