import type { Clock } from '../time/clock.js';
import { withTimeLimit } from './compare-and-swap.js';
import type { GateStore } from './gate-store.js';

/** Closes a store. A store that fails or hangs does not prevent the client from closing. */
export async function closeStore(store: GateStore, clock: Clock): Promise<void> {
  try {
    await withTimeLimit(store.close(), clock);
  } catch {
    // The budget is stored by now, so nothing is lost.
  }
}
