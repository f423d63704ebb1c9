import type { Budget } from './budget/budget.js';
import { findObstacle } from './budget/obstacle.js';
import { shareFor } from './budget/leases.js';
import { openWindows } from './budget/passes.js';
import type { GateRequest } from './gate.js';
import type { StoreWithFallback } from './store-with-fallback.js';

/** Maximum number of spare leases. Each makes the stored text longer. */
const SPARES_MAX = 64;
/** The share of the available requests. If several processes take it, most requests stay available. */
const SPARE_SHARE = 1 / 64;
/** Spare leases are used within this time. Less than the time by which a lease outlives its request. */
const LIFETIME_MS = 1_000;

/** Spare leases that an update of the store takes. */
export interface SpareLot {
  /** Numbers of the leases. */
  readonly numbers: number[];
  /** The highest priority level and the longest duration of a request that may use one. */
  readonly level: number;
  readonly leaseMs: number | undefined;
  /** When they can no longer be used, by the clock of the store. */
  readonly until: number;
}

export const EMPTY_LOT: SpareLot = { numbers: [], level: 0, leaseMs: 0, until: 0 };

/** Runs a function at the end of this turn of the event loop. Taken now: fake timers of tests may replace it. */
export const atEndOfTurn: (run: () => void) => unknown =
  (globalThis as { setImmediate?: typeof setImmediate }).setImmediate ?? queueMicrotask;

/** What a process needs spare leases for. */
interface SpareDemand {
  holder: string;
  requests: readonly GateRequest[];
  lease: (leaseMs: number | undefined) => number;
}

/**
 * Leases that no request uses yet. A busy process takes them where the limits are far away, so that not each request needs
 * an update of the store. The other processes count them as in flight, and as sent if the process dies.
 */
export class SpareLeases {
  #lot = EMPTY_LOT;
  /** Number of spare leases used since the last update that admitted a request. */
  #usedCount = 0;
  /** Whether the stored budget was found unchanged in this turn of the event loop. */
  #isCurrent = false;

  get isEmpty(): boolean {
    return this.#lot.numbers.length === 0;
  }

  /** Uses no more of them. The next update drops them from the store. */
  drop(): void {
    this.#lot = EMPTY_LOT;
  }

  /** Replaces them by those of a stored update. */
  replace(lot: SpareLot, admittedCount: number): void {
    this.#lot = lot;
    if (admittedCount > 0) this.#usedCount = 0;
  }

  /**
   * Returns the number of a lease for a request, if it may be sent now. Another process must not have stored anything
   * since: it may have received a 429 response.
   */
  take(
    state: Budget,
    request: GateRequest,
    store: Pick<StoreWithFallback, 'now' | 'isCurrent'>,
  ): number | undefined {
    const { now } = store;
    const { numbers, level, leaseMs = Number.POSITIVE_INFINITY, until } = this.#lot;
    if (numbers.length === 0 || now >= until) return undefined;
    if (request.level > level || (request.leaseMs ?? Number.POSITIVE_INFINITY) > leaseMs) return undefined;
    // After the end of a window, a probe must reveal the next one.
    if (findObstacle(state, now, request.level) !== undefined || state.unknownSince !== undefined)
      return undefined;
    if (!this.#isCurrentInTurn(store)) return undefined;
    this.#usedCount += 1;
    return numbers.pop();
  }

  /** Checks once for all requests of a turn, because reading the folder takes 5 % of an import's time. */
  #isCurrentInTurn(store: Pick<StoreWithFallback, 'isCurrent'>): boolean {
    if (this.#isCurrent || !store.isCurrent()) return this.#isCurrent;
    this.#isCurrent = true;
    atEndOfTurn(() => {
      this.#isCurrent = false;
    });
    return true;
  }

  /**
   * Leases permits for the next requests of a process: twice as many as were used since the last time. None for a process
   * that sends one request at a time, and none unless the limits are known and far away.
   *
   * @param demand `requests`: those that the update admits. `lease` adds a lease for a request of this duration and
   *   returns its number.
   */
  lease(state: Budget, now: number, { holder, requests, lease }: SpareDemand): SpareLot {
    const wanted = Math.min(SPARES_MAX, 2 * this.#usedCount + requests.length - 1);
    const [first] = requests;
    // Without a window, only the number of probes is limited.
    if (first === undefined || wanted === 0 || openWindows(state).length === 0) return EMPTY_LOT;
    const level = Math.max(0, ...requests.map((request) => request.level));
    // Spare leases count as in flight, so the limit of simultaneous requests includes them: they may use all of it.
    const withoutSlowStart = { ...state, passedCount: Number.MAX_SAFE_INTEGER };
    const share = Math.floor(shareFor(withoutSlowStart, now, holder, level) * SPARE_SHARE);
    const length = Math.min(wanted, share, shareFor(state, now, holder, level));
    const numbers = Array.from({ length }, () => lease(first.leaseMs));
    return { numbers, level, leaseMs: first.leaseMs, until: now + LIFETIME_MS };
  }
}
