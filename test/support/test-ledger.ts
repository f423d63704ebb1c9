import type { Ledger, Reading, Swap } from '../../src/client/gate/gate-store.js';
import type { VirtualClock } from './virtual-clock.js';

/** Storage that the ledgers of a test share. Its clock is independent of the processes' clocks. */
export interface TestPlace {
  text: string | undefined;
  /** Number of swaps that succeeded. */
  swaps: number;
  /** Number of swaps that another process won. */
  conflicts: number;
  /** Called on every operation. */
  mode: 'works' | 'fails' | 'hangs';
  /** How long an operation takes in milliseconds; 0 returns at once, as a file does. */
  latencyMs: () => number;
  /** Holders whose processes are known to have ended. */
  readonly gone: Set<string>;
  /** Opens a ledger for one more process. */
  open(holder: string): Ledger;
}

/** Creates empty storage. */
export function createTestPlace(clock: VirtualClock, startsAt = 5_000_000): TestPlace {
  let version = 0;
  const now = (): number => startsAt + clock.monotonic();
  const reading = (): Reading => ({ text: place.text, version: String(version), now: now() });
  const operate = <T>(work: () => T): T | Promise<T> => {
    if (place.mode === 'hangs') return new Promise<T>(() => undefined);
    const latencyMs = place.latencyMs();
    if (latencyMs === 0) {
      if (place.mode === 'fails') throw new Error('the place fails');
      return work();
    }
    return new Promise<T>((resolve, reject) => {
      clock.setTimeout(() => {
        const result = place.mode === 'fails' ? undefined : work();
        clock.setTimeout(() => {
          if (result === undefined) reject(new Error('the place fails'));
          else resolve(result);
        }, latencyMs);
      }, latencyMs);
    });
  };
  const place: TestPlace = {
    text: undefined,
    swaps: 0,
    conflicts: 0,
    mode: 'works',
    latencyMs: () => 0,
    gone: new Set(),
    open: (holder) => ({
      holder,
      read: () => operate(reading),
      swap: (seen, text) =>
        operate((): Swap => {
          const swapped = seen.version === String(version);
          if (swapped) {
            version += 1;
            place.text = text;
            place.swaps += 1;
          } else {
            place.conflicts += 1;
          }
          return { swapped, reading: reading() };
        }),
      isDead: (other) => place.gone.has(other),
    }),
  };
  return place;
}
