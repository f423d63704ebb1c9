import type { Clock } from '../time/clock.js';
import { type BudgetState, createBudget, NEVER } from './budget/budget-state.js';
import { formatBudget, isCredible, isHolder, parseBudget } from './budget/budget-text.js';
import { dropOthers } from './budget/leases.js';
import { CLOCK_TOLERANCE_MS, mergeBudgets, shiftBudget } from './budget/merge-budgets.js';
import { compareAndSwap, readLedger } from './compare-and-swap.js';
import { DamagedBudgetError } from './gate-failure.js';
import type { Ledger, Reading } from './gate-store.js';

/** Options of a guarded ledger. */
export interface GuardedLedgerOptions {
  clock: Clock;
  /** Source of jitter. Returns a number from 0 to below 1. */
  random: () => number;
  /** Called when the ledger fails, or when its text is not a budget. */
  onFailure: (error: unknown) => void;
}

/** Delay before the first retry of a failed ledger. It doubles up to the maximum. */
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 30_000;

interface Outage {
  retryMs: number;
  retryAt: number;
  phase: 'waiting' | 'retrying' | 'over';
}

/**
 * Stores a budget in a ledger that may fail. While the ledger fails, keeps the last known budget in memory and retries
 * the ledger in the background. Merges both budgets when the ledger works again.
 */
export class GuardedLedger {
  readonly holder: string;
  readonly #ledger: Ledger;
  readonly #options: GuardedLedgerOptions;
  readonly #onRetried: () => void;
  /** The last accepted budget. Stored as text, because callers change the object. */
  #text: string | undefined;
  #state = createBudget();
  /** Values of the last accepted budget that never decrease, except after a reset. */
  #lastSeen = { resetCount: 0, sentCount: 0, heldUntil: NEVER };
  /** Time of the ledger minus the clock of this process. */
  #clockOffsetMs = 0;
  #outage: Outage | undefined;

  /**
   * @param onRetried called after each retry of a failed ledger. If the retry succeeded, `update` uses the ledger again.
   * @throws Error if the ledger has an invalid holder.
   */
  constructor(ledger: Ledger, options: GuardedLedgerOptions, onRetried: () => void) {
    if (!isHolder(ledger.holder)) throw new Error('The ledger has an invalid holder');
    this.holder = ledger.holder;
    this.#ledger = ledger;
    this.#options = options;
    this.#onRetried = onRetried;
  }

  /** Current time by the clock of the ledger, in milliseconds. */
  get now(): number {
    return this.#options.clock.monotonic() + this.#clockOffsetMs;
  }

  /** Milliseconds until the next retry of the ledger. Infinite if none is scheduled. */
  get untilRetryMs(): number {
    if (this.#outage?.phase !== 'waiting') return Number.POSITIVE_INFINITY;
    return Math.max(0, this.#outage.retryAt - this.#options.clock.monotonic());
  }

  /** Checks whether another process is certainly dead. */
  isDead(holder: string): boolean {
    try {
      return holder !== this.holder && this.#ledger.isDead?.(holder) === true;
    } catch (error) {
      this.#options.onFailure(error);
      return false;
    }
  }

  /** Returns the current budget and the time of the ledger. */
  async read(): Promise<{ state: BudgetState; now: number }> {
    const requestedAt = this.#options.clock.monotonic();
    if (this.#isUsable) {
      try {
        const reading = await readLedger(this.#ledger, this.#options.clock);
        return { state: this.#stateOf(reading, requestedAt), now: reading.now };
      } catch (error) {
        this.#startOutage(error);
      }
    }
    this.#retry();
    return { state: this.#localState(), now: this.now };
  }

  /**
   * Replaces the budget by the state that `draft` returns. Never fails because of the ledger.
   *
   * @param draft may be called several times. `requestedAt` is when the budget was requested, by the monotonic clock of
   *   this process.
   * @returns the stored draft and the time of the ledger.
   */
  async update<T extends { state: BudgetState }>(
    draft: (state: BudgetState, now: number, requestedAt: number) => T,
  ): Promise<{ stored: T; now: number }> {
    const { clock } = this.#options;
    if (this.#isUsable) {
      try {
        const { accepted, now } = await compareAndSwap(
          this.#ledger,
          this.#options,
          (reading, requestedAt) => {
            const drafted = draft(this.#stateOf(reading, requestedAt), reading.now, requestedAt);
            return { drafted, text: formatBudget(drafted.state) };
          },
        );
        this.#outage = undefined;
        this.#clockOffsetMs = now - clock.monotonic();
        this.#accept(accepted.drafted.state, accepted.text);
        return { stored: accepted.drafted, now };
      } catch (error) {
        this.#startOutage(error);
      }
    }
    this.#retry();
    const { now } = this;
    const stored = draft(this.#localState(), now, clock.monotonic());
    this.#accept(stored.state, formatBudget(stored.state));
    return { stored, now };
  }

  get #isUsable(): boolean {
    return this.#outage === undefined || this.#outage.phase === 'over';
  }

  #accept(state: BudgetState, text: string): void {
    this.#state = state;
    this.#text = text;
    const { resetCount, sentCount, heldUntil } = state;
    this.#lastSeen = { resetCount, sentCount, heldUntil };
  }

  #startOutage(error: unknown): void {
    if (this.#outage === undefined) this.#options.onFailure(error);
    const retryMs = Math.min(RETRY_MAX_MS, 2 * (this.#outage?.retryMs ?? RETRY_FIRST_MS / 2));
    this.#outage = { retryMs, retryAt: this.#options.clock.monotonic() + retryMs, phase: 'waiting' };
  }

  /** Retries in the background, so that a ledger that hangs delays no call. */
  #retry(): void {
    const outage = this.#outage;
    if (outage === undefined || this.untilRetryMs > 0) return;
    outage.phase = 'retrying';
    void readLedger(this.#ledger, this.#options.clock)
      .then(
        () => {
          outage.phase = 'over';
        },
        (error: unknown) => {
          this.#startOutage(error);
        },
      )
      .finally(this.#onRetried);
  }

  /** Returns the last accepted budget. Requests of other processes count as lost, because their outcome is unknown. */
  #localState(): BudgetState {
    const state = (this.#text === undefined ? undefined : parseBudget(this.#text)) ?? this.#state;
    dropOthers(state, this.now, this.holder);
    return state;
  }

  #stateOf({ text, now, damage }: Reading, requestedAt: number): BudgetState {
    const parsed = text === undefined ? undefined : parseBudget(text);
    const state = parsed !== undefined && isCredible(parsed, now) ? parsed : undefined;
    // The ledger read its clock after `requestedAt`. So `aheadMs` may be too large by one response time, but
    // never too small.
    const aheadMs = now - (requestedAt + this.#clockOffsetMs);
    if (state !== undefined && this.#outage === undefined && !this.#isOutdated(state, aheadMs)) return state;
    if (state === undefined && (text !== undefined || damage !== undefined))
      this.#options.onFailure(new DamagedBudgetError(damage ?? 'the stored text is not a valid rate budget'));
    const own = shiftBudget(this.#localState(), aheadMs);
    return state === undefined ? own : mergeBudgets(state, own, this.holder, now);
  }

  /** Checks whether a budget is older than the last accepted one: a server may be restored from a snapshot. */
  #isOutdated({ resetCount, sentCount, heldUntil }: BudgetState, aheadMs: number): boolean {
    if (resetCount !== this.#lastSeen.resetCount) return resetCount < this.#lastSeen.resetCount;
    const setBackMs = aheadMs < -CLOCK_TOLERANCE_MS ? aheadMs : 0;
    return sentCount < this.#lastSeen.sentCount || heldUntil < this.#lastSeen.heldUntil + setBackMs;
  }
}
