import { createStopSignals, type StopSignal } from './stop-signal.js';

/** Limits how many pieces of work run at the same time. The others wait in a queue. */
export interface Limiter {
  /** Runs the work as soon as a slot is free. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Called within such work: releases the slot while `work` runs. For work that only waits. */
  runReleased<T>(work: () => Promise<T>): Promise<T>;
}

export function createLimiter(runningMax: number): Limiter {
  const semaphore = createSemaphore(runningMax);
  // Work leaves the queue only to run: after an abort it ends as soon as it starts.
  const never = createStopSignals().join([]);
  return {
    async run(work) {
      await semaphore.acquire(never);
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
        await semaphore.acquire(never);
      }
    },
  };
}

export interface Semaphore {
  /** Waits for a free slot. False if it is stopped first; then nothing must be released. */
  acquire(stop: StopSignal): Promise<boolean>;
  release(): void;
}

/** Creates a semaphore whose queue is first in, first out. */
export function createSemaphore(acquiredMax: number): Semaphore {
  let acquiredCount = 0;
  const queue = new Set<() => void>();
  return {
    acquire(stop) {
      if (stop.isStopped) return Promise.resolve(false);
      if (acquiredCount < acquiredMax) {
        acquiredCount += 1;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const enter = (): void => {
          unsubscribe();
          resolve(true);
        };
        const unsubscribe = stop.subscribe(() => {
          queue.delete(enter);
          unsubscribe();
          resolve(false);
        });
        queue.add(enter);
      });
    },
    release() {
      const [next] = queue;
      if (next === undefined) {
        acquiredCount -= 1;
      } else {
        // The slot passes to the next in the queue, so the count stays.
        queue.delete(next);
        next();
      }
    },
  };
}
