import { checkGateOptions } from './gate-options.js';
import { monotonic } from '../time/clock.js';
import type { GateStore, Ledger, Reading } from './gate-store.js';

/**
 * Creates a rate budget in memory for the clients that it is passed to. For the option `gate`. Without this option, all
 * clients of a process with the same key and origin share one budget. Use it if two clients must not delay each other,
 * such as in tests, or if several clients with different `fetch` functions must share a budget.
 *
 * @throws ConfigurationError if it is called with an option.
 *
 * @example
 * ```ts
 * const gate = memoryGate();
 * const one = createPetStore({ apiKey, baseUrl, gate });
 * const other = createPetStore({ apiKey, baseUrl, gate }); // shares the budget of `one` only
 * ```
 */
export function memoryGate(): GateStore;
export function memoryGate(options: unknown = {}): GateStore {
  // Callers without TypeScript may expect options.
  checkGateOptions('memoryGate', options, []);
  return new MemoryStore();
}

/** The client recognizes this class and keeps the budget as an object. The ledgers serve other callers of `open`. */
export class MemoryStore implements GateStore {
  readonly id = `memory:${crypto.randomUUID()}`;
  readonly #texts = new Map<string, { text: string; version: number }>();

  open(budget: string): Ledger {
    const read = (): Reading => {
      const { text, version } = this.#texts.get(budget) ?? { text: undefined, version: 0 };
      return { text, version: String(version), now: monotonic() };
    };
    return {
      holder: crypto.randomUUID(),
      read,
      swap: (seen, text) => {
        const swapped = read().version === seen.version;
        if (swapped) this.#texts.set(budget, { text, version: Number(seen.version) + 1 });
        return { swapped, reading: read() };
      },
    };
  }

  close(): Promise<void> {
    return Promise.resolve();
  }
}
