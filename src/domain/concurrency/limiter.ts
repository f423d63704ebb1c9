import type { StopSignal } from './stop-signal.js';

/** Lets at most so many run at once; the others wait in line. */
export interface Semaphore {
  /** Waits for a turn. False where it was stopped before; then there is nothing to give back. */
  acquire(stop: StopSignal): Promise<boolean>;
  /** Gives a turn back. */
  release(): void;
}

export function createSemaphore(runningMax: number): Semaphore {
  let running = 0;
  const line = new Set<() => void>();
  return {
    acquire(stop) {
      if (stop.isStopped) return Promise.resolve(false);
      if (running < runningMax) {
        running += 1;
        return Promise.resolve(true);
      }
      return new Promise((resolve) => {
        const enter = (): void => {
          forget();
          resolve(true);
        };
        const forget = stop.subscribe(() => {
          line.delete(enter);
          forget();
          resolve(false);
        });
        line.add(enter);
      });
    },
    release() {
      const [next] = line;
      if (next === undefined) {
        running -= 1;
      } else {
        // The turn passes on: it was never free.
        line.delete(next);
        next();
      }
    },
  };
}
