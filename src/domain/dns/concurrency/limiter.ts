import type { StopSignal } from './stop-signal.js';

/** Limits how many pieces of work run at the same time. The others wait in a queue. */
export interface Limiter {
  /** Runs the work as soon as a slot is free. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Releases the slot while `work` only waits, and acquires it again. Call it within the work of `run`. */
  runReleased<T>(work: () => Promise<T>): Promise<T>;
}

export function createLimiter(runningMax: number): Limiter {
  // Queued work is never removed. After an abort, it ends as soon as it starts.
  const semaphore = createSemaphore(runningMax);
  return {
    async run(work) {
      await semaphore.acquire();
      try {
        return await work();
      } finally {
        semaphore.release();
      }
    },
    async runReleased(work) {
      semaphore.release();
      try {
        return await work();
      } finally {
        await semaphore.acquire();
      }
    },
  };
}

/** Counts slots in use. */
export interface Semaphore {
  /** Waits for a free slot. False if it is stopped first; then do not release. */
  acquire(stop?: StopSignal): Promise<boolean>;
  release(): void;
}

/** Creates a semaphore whose queue is first in, first out. */
export function createSemaphore(acquiredMax: number): Semaphore {
  let acquiredCount = 0;
  const queue: (() => void)[] = [];
  return {
    acquire(stop) {
      if (stop?.isStopped === true) return Promise.resolve(false);
      if (acquiredCount < acquiredMax) {
        acquiredCount += 1;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const enter = (): void => {
          unsubscribe?.();
          resolve(true);
        };
        const unsubscribe = stop?.subscribe(() => {
          const index = queue.indexOf(enter);
          if (index !== -1) queue.splice(index, 1);
          unsubscribe?.();
          resolve(false);
        });
        queue.push(enter);
      });
    },
    release() {
      const next = queue.shift();
      if (next === undefined) {
        acquiredCount -= 1;
      } else {
        // The slot passes to the next in the queue, so the count does not change.
        next();
      }
    },
  };
}
