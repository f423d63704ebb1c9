import { type Budget, createBudget } from './budget/budget.js';
import { formatBudget, isCredible, isHolder, parseBudget } from './budget/budget-text.js';
import { dropOthers } from './budget/leases.js';
import {
  CLOCK_TOLERANCE_MS,
  copyBudget,
  isStricter,
  isUnusedCopy,
  mergeBudgets,
  shiftBudget,
} from './budget/merge-budgets.js';
import { compareAndSwap, readStore } from './compare-and-swap.js';
import type { BudgetStore, Reading } from './gate-store.js';
import { DamagedBudgetError, type StoreOptions, FallibleStore } from './fallible-store.js';

/** The text of a budget without limits and requests. */
const NO_BUDGET = formatBudget(createBudget());

/** A store, and another one with the same holder to use while it fails. */
export interface LayeredStore extends BudgetStore {
  readonly fallback?: BudgetStore | undefined;
}

/**
 * Stores a budget in a store that may fail. While it fails, uses its fallback, and without one keeps the last known
 * budget in memory. Retries the store in the background. Merges the budgets at each change.
 */
export class StoreWithFallback {
  readonly holder: string;
  /** The store and its fallback. */
  readonly #levels: readonly FallibleStore[];
  readonly #options: StoreOptions;
  readonly #onRetried: () => void;
  /** The last accepted budget. Stored as text, because callers change the object. */
  #text: string | undefined;
  /** Where it is stored. `undefined`: in memory. */
  #source: FallibleStore | undefined;
  /** The content of the source after the last update. */
  #reading: Reading | undefined;
  /** The store that is being updated, or the last one. */
  #updating: FallibleStore;
  /** Values of the last accepted budget that never decrease, except after a reset. */
  #lastSeen: Pick<Budget, 'resetCount' | 'sentCount' | 'heldUntil'> = createBudget();
  /** The version of the fallback whose budget the store includes. */
  #mergedVersion: string | undefined;
  /** Time of the source minus the clock of this process. */
  #clockOffsetMs = 0;

  /**
   * @param onRetried called after each retry of a failed store. If the retry succeeded, `update` uses the store again.
   * @throws Error if the store has an invalid holder.
   */
  constructor(store: LayeredStore, options: StoreOptions, onRetried: () => void) {
    const { holder, fallback } = store;
    if (!isHolder(holder)) throw new Error('The store has an invalid holder');
    this.holder = holder;
    const below = fallback && new FallibleStore(fallback, undefined, options);
    const first = new FallibleStore(store, below, options);
    this.#levels = below === undefined ? [first] : [first, below];
    this.#updating = first;
    this.#options = options;
    this.#onRetried = onRetried;
  }

  /** Current time by the clock of the source, in milliseconds. */
  get now(): number {
    return this.#options.clock.monotonic() + this.#clockOffsetMs;
  }

  /** Milliseconds until the next retry of a store. Infinite if none is scheduled. */
  get untilRetryMs(): number {
    return Math.min(...this.#levels.map(({ untilRetryMs }) => untilRetryMs));
  }

  /** Checks whether another process is certainly dead. */
  isDead(holder: string): boolean {
    return holder !== this.holder && this.#updating.isDead(holder);
  }

  /** Checks at once whether no process has stored a budget since the last update. False if it is not known. */
  isCurrent(): boolean {
    return this.#reading !== undefined && this.#source?.isCurrent(this.#reading) === true;
  }

  /** Returns the current budget and the time of its store. */
  async read(): Promise<{ state: Budget; now: number }> {
    const { stored, now } = await this.update((state) => ({ state }));
    return { state: stored.state, now };
  }

  /**
   * Replaces the budget by the state that `draft` returns. Never fails because of a store.
   *
   * @param draft may be called several times. `requestedAt` is when the budget was requested, by the monotonic clock of
   *   this process.
   * @returns the stored draft and the time of its store.
   */
  async update<T extends { state: Budget }>(
    draft: (state: Budget, now: number, requestedAt: number) => T,
  ): Promise<{ stored: T; now: number }> {
    const { clock } = this.#options;
    for (const level of this.#levels.filter(({ isUsable }) => isUsable)) {
      try {
        const below = await this.#readBelow(level);
        const { accepted, reading } = await compareAndSwap(
          level.store,
          this.#options,
          (reading, requestedAt) => {
            this.#updating = level;
            const state = this.#stateOf(level, below, reading, requestedAt);
            const { resetCount } = state;
            const drafted = draft(state, reading.now, requestedAt);
            const text = formatBudget(drafted.state);
            // An empty store stays empty.
            const isEmpty = reading.text === undefined && text === NO_BUDGET;
            return { drafted, text: isEmpty ? undefined : text, resetCount };
          },
        );
        level.succeed();
        const { now } = reading;
        this.#reading = reading;
        this.#clockOffsetMs = now - clock.monotonic();
        this.#accept(level, accepted.drafted.state, accepted);
        if (below !== undefined && !isUnusedCopy(below.state)) {
          this.#mergedVersion = below.version;
          await this.copyToFallback();
        }
        this.#retry();
        return { stored: accepted.drafted, now };
      } catch (error) {
        level.fail(error);
      }
    }
    this.#retry();
    const { now } = this;
    const state = this.#localState();
    const { resetCount } = state;
    const stored = draft(state, now, clock.monotonic());
    this.#accept(undefined, stored.state, { text: formatBudget(stored.state), resetCount });
    return { stored, now };
  }

  /**
   * Copies the budget to the fallback if it is stricter, for processes that start while the store fails. Never fails.
   */
  async copyToFallback(): Promise<void> {
    const fallback = this.#source?.fallback;
    if (fallback === undefined) return;
    try {
      const { accepted } = await compareAndSwap(fallback.store, this.#options, (reading, requestedAt) => {
        const { text, now, version } = reading;
        const state = credibleBudget(text, now) ?? createBudget();
        const own = this.#ownFor(fallback, state, now - (requestedAt + this.#clockOffsetMs));
        const isMerged = isUnusedCopy(state) || version === this.#mergedVersion;
        const isReset = fallback.ownResets > 0;
        const isNeeded = isReset || (isMerged && (!isUnusedCopy(state) || isStricter(own, state, now)));
        const copy = isReset ? mergeBudgets(state, own, this.holder, now) : copyBudget(own, state, now);
        return { text: isNeeded ? formatBudget(copy) : undefined, resetCount: copy.resetCount };
      });
      Object.assign(fallback, { resetCount: accepted.resetCount, ownResets: 0 });
    } catch {
      // It is not needed while the store works. If it is needed, its failure is reported.
    }
  }

  /** Reads the fallback before the first use of its store: other processes may have used it during an outage. */
  async #readBelow(level: FallibleStore): Promise<BudgetBelow | undefined> {
    const { fallback } = level;
    if (fallback === undefined || level === this.#source) return undefined;
    const { clock } = this.#options;
    try {
      const { text, now, version } = await readStore(fallback.store, clock);
      const state = credibleBudget(text, now);
      return state && { state, version, clockOffsetMs: now - clock.monotonic() };
    } catch {
      return undefined;
    }
  }

  /** @param given the accepted text, and the number of resets before the update. */
  #accept(
    source: FallibleStore | undefined,
    state: Budget,
    given: { text: string | undefined; resetCount: number },
  ): void {
    const { resetCount, sentCount, heldUntil } = state;
    for (const level of this.#levels) {
      if (level === source) Object.assign(level, { resetCount, ownResets: 0 });
      else level.ownResets += resetCount - given.resetCount;
    }
    this.#source = source;
    this.#text = given.text;
    this.#lastSeen = { resetCount, sentCount, heldUntil };
  }

  #retry(): void {
    for (const level of this.#levels) level.retry(this.#onRetried);
  }

  /** Returns the last accepted budget. Requests of other processes count as lost, because their outcome is unknown. */
  #localState(): Budget {
    const state = parseBudget(this.#text ?? NO_BUDGET) ?? createBudget();
    dropOthers(state, this.now, this.holder);
    return state;
  }

  /** Returns the last accepted budget with the times and the count of resets of a store. */
  #ownFor({ resetCount, ownResets }: FallibleStore, stored: Budget, aheadMs: number): Budget {
    const own = shiftBudget(this.#localState(), aheadMs);
    return { ...own, resetCount: (resetCount ?? stored.resetCount) + ownResets };
  }

  #stateOf(
    level: FallibleStore,
    below: BudgetBelow | undefined,
    { text, now, damage }: Reading,
    requestedAt: number,
  ): Budget {
    const stored = credibleBudget(text, now);
    if (stored === undefined && (text ?? damage) !== undefined) {
      const error = new DamagedBudgetError(damage ?? 'the stored text is not a valid rate budget');
      this.#options.onFailure(error, false);
    }
    let state = stored ?? createBudget();
    // The store read its clock after `requestedAt`. So `aheadMs` may be too large by one response time, but
    // never too small.
    if (below !== undefined) {
      const other = shiftBudget(below.state, now - (requestedAt + below.clockOffsetMs));
      // The end of a wait is converted twice, so a copy may be a little later.
      const isLonger = other.heldUntil > Math.max(now, state.heldUntil + CLOCK_TOLERANCE_MS);
      const isNews = stored === undefined || !isUnusedCopy(other);
      if (isLonger || (isNews && isStricter(other, state, now)))
        state = mergeBudgets(state, copyBudget(other, state, now), this.holder, now);
    }
    const aheadMs = now - (requestedAt + this.#clockOffsetMs);
    const isFirst = this.#text === undefined;
    if (isFirst || (stored !== undefined && level === this.#source && !this.#isOutdated(stored)))
      return state;
    const own = this.#ownFor(level, state, aheadMs);
    return stored === undefined && below === undefined ? own : mergeBudgets(state, own, this.holder, now);
  }

  /** Checks whether a budget is older than the last accepted one: a server may be restored from a snapshot. */
  #isOutdated({ resetCount, sentCount, heldUntil }: Budget): boolean {
    if (resetCount !== this.#lastSeen.resetCount) return resetCount < this.#lastSeen.resetCount;
    return sentCount < this.#lastSeen.sentCount || heldUntil < this.#lastSeen.heldUntil;
  }
}

/** The budget of a fallback, and its clock minus that of this process. */
interface BudgetBelow {
  state: Budget;
  version: string;
  clockOffsetMs: number;
}

function credibleBudget(text: string | undefined, now: number): Budget | undefined {
  const state = parseBudget(text ?? '');
  return state && isCredible(state, now) ? state : undefined;
}
