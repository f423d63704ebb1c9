/** Lets so many pieces of work go on at once; the others wait in line. */
export interface Slots {
  /** Runs the work when a slot is free. */
  inside<T>(work: () => Promise<T>): Promise<T>;
  /** Runs something within such work that needs no slot, such as a pause, and lends the slot out meanwhile. */
  outside<T>(work: () => Promise<T>): Promise<T>;
}

export function createSlots(count: number): Slots {
  let free = count;
  const line: (() => void)[] = [];
  const take = (): Promise<void> => {
    if (free > 0) {
      free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => line.push(resolve));
  };
  const giveBack = (): void => {
    const next = line.shift();
    if (next === undefined) free += 1;
    else next();
  };
  return {
    async inside(work) {
      await take();
      try {
        return await work();
      } finally {
        giveBack();
      }
    },
    async outside(work) {
      giveBack();
      try {
        return await work();
      } finally {
        await take();
      }
    },
  };
}
