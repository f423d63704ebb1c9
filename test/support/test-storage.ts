import type { BudgetStore, Reading, Swap } from '../../src/client/gate/gate-store.js';
import type { VirtualClock } from './virtual-clock.js';

/** A storage that the stores of a test share. Its clock differs from that of the processes. */
export interface TestStorage {
  text: string | undefined;
  /** Number of swaps that succeeded. */
  swaps: number;
  /** Swaps that another process was faster than. */
  conflicts: number;
  /** How every operation ends. */
  mode: 'works' | 'fails' | 'hangs';
  /** Latency each way. 0 responds synchronously, as files do. */
  latencyMs: () => number;
  /** Holders that are known to be dead. */
  readonly deadHolders: Set<string>;
  /** Opens a store for one process. */
  open(holder: string): BudgetStore;
}

/** Creates an empty storage. */
export function createTestStorage(clock: VirtualClock, startsAt = 5_000_000): TestStorage {
  let version = 0;
  const now = (): number => startsAt + clock.monotonic();
  const reading = (): Reading => ({ text: storage.text, version: String(version), now: now() });
  const operate = <T>(work: () => T): T | Promise<T> => {
    if (storage.mode === 'hangs') return new Promise<T>(() => undefined);
    const latencyMs = storage.latencyMs();
    if (latencyMs === 0) {
      if (storage.mode === 'fails') throw new Error('The storage failed');
      return work();
    }
    return new Promise<T>((resolve, reject) => {
      clock.setTimeout(() => {
        const result = storage.mode === 'fails' ? undefined : work();
        clock.setTimeout(() => {
          if (result === undefined) reject(new Error('The storage failed'));
          else resolve(result);
        }, latencyMs);
      }, latencyMs);
    });
  };
  const storage: TestStorage = {
    text: undefined,
    swaps: 0,
    conflicts: 0,
    mode: 'works',
    latencyMs: () => 0,
    deadHolders: new Set(),
    open: (holder) => ({
      holder,
      read: () => operate(reading),
      swap: (seen, text) =>
        operate((): Swap => {
          const swapped = seen.version === String(version);
          if (swapped) {
            version += 1;
            storage.text = text;
            storage.swaps += 1;
          } else {
            storage.conflicts += 1;
          }
          return { swapped, reading: reading() };
        }),
      isDead: (other) => storage.deadHolders.has(other),
      // As files do: only a storage without latency can check at once.
      isCurrent: (seen) =>
        storage.mode === 'works' && storage.latencyMs() === 0 && seen.version === String(version),
    }),
  };
  return storage;
}
