/** Look-ups that are made once and shared, also while they are under way. */
export interface Memo<T> {
  get(key: string, make: () => Promise<T>): Promise<T>;
}

/**
 * Makes a memo. It holds `sizeMax` values at most, and lets go of the one made first: what is checked together is mostly
 * written together.
 */
export function createMemo<T>(sizeMax: number): Memo<T> {
  const values = new Map<string, Promise<T>>();
  return {
    get(key, make) {
      const known = values.get(key);
      if (known !== undefined) return known;
      const value = make();
      values.set(key, value);
      if (values.size > sizeMax) for (const oldest of [...values.keys()].slice(0, 1)) values.delete(oldest);
      return value;
    },
  };
}
