import { monotonic } from '../../time/clock.js';
import { checkGateOptions, type GateStore, type BudgetStore, type Reading } from './gate-store.js';

/**
 * Creates a rate budget in memory for the clients that it is passed to. For the option `gate`. Without this option, all
 * clients of a process with the same key and origin share one budget. Use it if two clients must not delay each other, such
 * as in tests. Use it also if several clients with different `fetch` functions must share a budget.
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
  return new MemoryGateStore();
}

const MEMORY_GATE_STORE = Symbol.for('petstore.memory-gate');

/** Also of another copy of this package. */
export function isMemoryGateStore(store: GateStore | undefined): store is MemoryGateStore {
  return store !== undefined && MEMORY_GATE_STORE in store;
}

/** The client recognizes this class and keeps the budget as an object. The stores serve other callers of `open`. */
class MemoryGateStore implements GateStore {
  readonly [MEMORY_GATE_STORE] = true;
  readonly id = `memory:${crypto.randomUUID()}`;
  readonly #texts = new Map<string, { text: string; version: number }>();

  open(budget: string): BudgetStore {
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
