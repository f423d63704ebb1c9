import { createStopSignals } from './stop-signal.js';
import { createSemaphore } from './limiter.js';

/** Lets so many pieces of work go on at once; the others wait in line. */
export interface Limiter {
  /** Runs the work when a slot is free. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Runs something within such work that needs no slot, such as a pause, and lends the slot out meanwhile. */
  runReleased<T>(work: () => Promise<T>): Promise<T>;
}

export function createLimiter(count: number): Limiter {
  const turns = createSemaphore(count);
  // Nobody leaves the line: work that is to end early ends as soon as it begins.
  const never = createStopSignals().join([]);
  return {
    async run(work) {
      await turns.acquire(never);
      try {
        return await work();
      } finally {
        turns.release();
      }
    },
    async runReleased(work) {
      turns.release();
      try {
        return await work();
      } finally {
        await turns.acquire(never);
      }
    },
  };
}
