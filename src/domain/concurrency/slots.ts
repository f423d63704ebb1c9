import { createStops } from './stop.js';
import { createTurns } from './turns.js';

/** Lets so many pieces of work go on at once; the others wait in line. */
export interface Slots {
  /** Runs the work when a slot is free. */
  inside<T>(work: () => Promise<T>): Promise<T>;
  /** Runs something within such work that needs no slot, such as a pause, and lends the slot out meanwhile. */
  outside<T>(work: () => Promise<T>): Promise<T>;
}

export function createSlots(count: number): Slots {
  const turns = createTurns(count);
  // Nobody leaves the line: work that is to end early ends as soon as it begins.
  const never = createStops().join([]);
  return {
    async inside(work) {
      await turns.take(never);
      try {
        return await work();
      } finally {
        turns.giveBack();
      }
    },
    async outside(work) {
      turns.giveBack();
      try {
        return await work();
      } finally {
        await turns.take(never);
      }
    },
  };
}
