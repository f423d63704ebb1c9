import type { RateLimitValues } from '../../schema/rate-limit.js';
import { type Clock, monotonic } from '../../time/clock.js';
import { countReport, countSent } from './budget/budget-counting.js';
import { createBudget, hasLimits, resetState } from './budget/budget-state.js';
import { earliestTurn, findObstacle, isIdle, type KnownBudget, knownBudget } from './budget/budget.js';
import { checkGateOptions, type GateStore, type Ledger, type Reading } from './gate-store.js';
import type { Gate, GateRequest, Permit } from './gate.js';
import { Queue } from './queue.js';

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
  return new MemoryStore();
}

const MEMORY_STORE = Symbol.for('petstore.memory-store');

/** Also of another copy of this package. */
export function isMemoryStore(store: GateStore | undefined): store is MemoryStore {
  return store !== undefined && MEMORY_STORE in store;
}

/** The client recognizes this class and keeps the budget as an object. The ledgers serve other callers of `open`. */
class MemoryStore implements GateStore {
  readonly [MEMORY_STORE] = true;
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

/** A gate for the calls of this process only. */
export class MemoryGate implements Gate {
  readonly #clock: Clock;
  #budget = createBudget();
  readonly #queue = new Queue(() => {
    if (this.#queue.length === 0) this.#stopTimer();
  });
  #cancelTimer: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get consecutive429Count(): number {
    return this.#budget.consecutive429Count;
  }

  get rateLimit(): RateLimitValues | undefined {
    return this.#budget.rateLimit;
  }

  get isIdle(): boolean {
    return this.#queue.length === 0 && isIdle(this.#budget, this.#clock.monotonic());
  }

  acquire(request: GateRequest): Permit | Promise<Permit> {
    const { level } = request;
    if (!this.#queue.blocks(level)) {
      const now = this.#clock.monotonic();
      if (findObstacle(this.#budget, now, level) === undefined)
        return this.#permit(countSent(this.#budget, now));
    }
    return this.#queue.add(request, () => this.#admit());
  }

  readBudget(): KnownBudget {
    return knownBudget(this.#budget, this.#clock.monotonic());
  }

  reset(): boolean {
    const wasKnown = hasLimits(this.#budget);
    this.#budget = resetState(this.#budget);
    this.#admit();
    return wasKnown;
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  #permit(serial: number): Permit {
    let isReleased = false;
    return {
      release: (report) => {
        if (isReleased) return undefined;
        isReleased = true;
        const seen = countReport(this.#budget, serial, report, this.#clock.monotonic());
        this.#admit();
        return seen;
      },
    };
  }

  /** Admits the waiters that may send now, in order. Reports the waits of the others to them. */
  #admit(): void {
    const now = this.#clock.monotonic();
    const admitted = this.#queue.select(({ level }) =>
      findObstacle(this.#budget, now, level) === undefined ? countSent(this.#budget, now) : undefined,
    );
    for (const { waiter, number } of admitted) {
      this.#queue.remove(waiter);
      waiter.resolve(this.#permit(number));
    }
    const recheckAt = this.#queue.reportWaits({
      now,
      findObstacle: (level) => findObstacle(this.#budget, now, level),
      earliestTurn: (level, ahead) => earliestTurn(this.#budget, now, level, ahead),
    });
    // A listener may have started another call, and with it a timer.
    this.#stopTimer();
    if (recheckAt === Number.POSITIVE_INFINITY) return;
    this.#cancelTimer = this.#clock.setTimeout(() => this.#admit(), recheckAt - now);
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
