import { foreignFields } from '../../foreign-error.js';
import { excerpt } from '../response/response-text.js';
import type { Clock } from '../../time/clock.js';
import { rewriteStore } from './compare-and-swap.js';
import type { BudgetStore, Reading } from './gate-store.js';

/** Options of a guarded store. */
export interface StoreOptions {
  clock: Clock;
  /** Source of jitter. Returns a number from 0 to below 1. */
  random: () => number;
  /**
   * Called when a store fails, or when its text is not a budget. `hasFallback`: another store replaces it. Returns a
   * function for the end of the outage, so that a caller knows both or neither.
   */
  onFailure: (error: unknown, hasFallback: boolean) => (() => void) | undefined;
}

/**
 * Delay before the first retry of a failed store. It doubles up to the maximum, so that a store that works again is used
 * within 15 seconds.
 */
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 12_000;
/** Share of the delay that is random, so that the processes of a fleet do not return at once. */
const RETRY_JITTER = 0.25;

/** A store or its fallback, with its outage. */
export class FallibleStore {
  /** `resetCount` of the last accepted budget, and the resets of this process since. Each store has its own count. */
  resetCount: number | undefined;
  ownResets = 0;
  /** False from a failure until a retry succeeds. */
  isUsable = true;
  /** Delay before the next retry. 0 if there is no outage. */
  #retryMs = 0;
  /** When to retry. Infinite if no retry is scheduled. */
  #retryAt = Number.POSITIVE_INFINITY;
  /** Reports the end of the outage. */
  #reportEnd: (() => void) | undefined;

  constructor(
    readonly store: BudgetStore,
    readonly fallback: FallibleStore | undefined,
    readonly options: StoreOptions,
  ) {}

  /** Milliseconds until the next retry. Infinite if none is scheduled. */
  get untilRetryMs(): number {
    return Math.max(0, this.#retryAt - this.options.clock.monotonic());
  }

  /** Checks whether a process is certainly dead. False if the store can't check that. */
  isDead(holder: string): boolean {
    try {
      const isDead: unknown = this.store.isDead?.(holder);
      // A caller without TypeScript may return a promise, whose rejection must not end the process.
      Promise.resolve(isDead).catch(() => undefined);
      return isDead === true;
    } catch {
      return false;
    }
  }

  /** Checks whether nothing was stored since a reading. False if the store can't check that. */
  isCurrent(reading: Reading): boolean {
    try {
      return this.store.isCurrent?.(reading) === true;
    } catch {
      // The next update reports the failure.
      return false;
    }
  }

  /** The store failed. It is not used until a retry succeeds. */
  fail(error: unknown): void {
    const { clock, random, onFailure } = this.options;
    if (this.#retryMs === 0) this.#reportEnd = onFailure(error, this.fallback !== undefined);
    this.#retryMs = this.#retryMs === 0 ? RETRY_FIRST_MS : Math.min(RETRY_MAX_MS, 2 * this.#retryMs);
    this.#retryAt = clock.monotonic() + this.#retryMs * (1 - RETRY_JITTER * random());
    this.isUsable = false;
  }

  /** A budget was stored. */
  succeed(): void {
    this.#retryMs = 0;
    this.#reportEnd?.();
    this.#reportEnd = undefined;
  }

  /** Retries a failed store in the background, so that a store that hangs or rejects writes delays no call. */
  retry(onRetried: () => void): void {
    if (this.untilRetryMs > 0) return;
    this.#retryAt = Number.POSITIVE_INFINITY;
    void rewriteStore(this.store, this.options.clock)
      .then(
        () => {
          this.isUsable = true;
        },
        (error: unknown) => {
          this.fail(error);
        },
      )
      .finally(onRetried);
  }
}

/** The stored budget is unreadable. The next write replaces it, so that the gate works again. */
export class DamagedBudgetError extends Error {
  override readonly name = 'DamagedBudgetError';
}

const REASON_LENGTH_MAX = 300;

/** A problem of the gate, for a warning. */
export interface GateProblem {
  /** Problems of one kind are one problem. */
  kind: 'outage' | 'outage of this machine' | 'damage';
  message: string;
}

/** Describes a failure of the gate, also of another copy of this package. */
export function describeGateFailure(error: unknown, hasFallback: boolean): GateProblem {
  const reason = excerpt(messageOf(error), REASON_LENGTH_MAX);
  const details = reason === '' ? '' : ` (${reason})`;
  if (foreignFields(error).name === 'DamagedBudgetError')
    return {
      kind: 'damage',
      message: `The stored rate budget was damaged${details}. A new one replaces it.`,
    };
  const scope = hasFallback ? 'machine' : 'process';
  return {
    kind: hasFallback ? 'outage' : 'outage of this machine',
    message: `The shared rate limit failed${details}. It is now limited to this ${scope}.`,
  };
}

function messageOf(error: unknown): string {
  const { message } = foreignFields(error);
  return typeof message === 'string' ? message : '';
}
