import type { Clock } from '../time/clock.js';
import { type BudgetState, createBudget } from './budget/budget-state.js';
import { parseBudget, writeBudget } from './budget/budget-text.js';
import type { Ledger, Reading, Swap } from './ledger.js';
import { mergeBudgets, shiftBudget } from './merge.js';
import { forgetOthers } from './sharing.js';

/** So long a budget is worth keeping: no window is longer than a day, and no clock a day wrong. */
export const BUDGET_KEPT_MS = 2 * 86_400_000;

/**
 * A ledger that takes longer is treated as one that fails: no call is held up for it. Ledgers across a network have
 * shorter limits of their own, which begin when the process has loaded what it needs; on a busy machine that takes time.
 */
const OPERATION_MAX_MS = 10_000;
/** How long a ledger that failed is left alone, at first and at most. */
const RETRY_FIRST_MS = 1_000;
const RETRY_MAX_MS = 30_000;
const CONFLICTS_MAX = 20;

/**
 * A ledger that never fails: where the given one does, this process goes by what it knows last, and learns on by itself.
 * When the ledger is back, what was learned on both sides is brought together before anybody goes by it.
 *
 * @param onFailure told each time that it begins to do without.
 */
export function fallbackLedger(ledger: Ledger, clock: Clock, onFailure: (error: unknown) => void): Ledger {
  return new FallbackLedger(ledger, clock, onFailure);
}

/** What this process goes by while it is alone. */
interface Alone {
  text: string;
  /** Counts its own swaps. */
  version: number;
  retryAt: number;
  /** A hung ledger is asked in the background; the call that comes after its answer brings both sides together. */
  asked: 'no' | 'waiting' | 'answered';
}

class FallbackLedger implements Ledger {
  readonly holder: string;
  readonly #ledger: Ledger;
  readonly #clock: Clock;
  readonly #onFailure: (error: unknown) => void;
  /** What was seen last, and when on the clock of this process. */
  #last: { text: string | undefined; now: number; at: number } | undefined;
  #alone: Alone | undefined;
  #retryMs = RETRY_FIRST_MS;

  constructor(ledger: Ledger, clock: Clock, onFailure: (error: unknown) => void) {
    this.#ledger = ledger;
    this.#clock = clock;
    this.#onFailure = onFailure;
    this.holder = ledger.holder;
  }

  isGone(holder: string): boolean {
    return this.#ledger.isGone?.(holder) ?? false;
  }

  read(): Reading | Promise<Reading> {
    const alone = this.#alone;
    if (alone === undefined) {
      return this.#guard(
        () => this.#ledger.read(),
        (reading) => this.#note(reading),
        (error) => this.#goAlone(error, this.#last?.text),
      );
    }
    if (alone.asked === 'answered') return this.#comeBack(alone);
    if (alone.asked === 'no' && this.#clock.monotonic() >= alone.retryAt) return this.#askAgain(alone);
    return this.#own(alone);
  }

  swap(seen: Reading, text: string, expiresInMs: number): Swap | Promise<Swap> {
    const alone = this.#alone;
    if (alone !== undefined) {
      alone.text = text;
      alone.version += 1;
      return { swapped: true, reading: this.#own(alone) };
    }
    return this.#guard<Swap, Swap>(
      () => this.#ledger.swap(seen, text, expiresInMs),
      ({ swapped, reading }) => ({ swapped, reading: this.#note(reading) }),
      // Whether it was done is not known; that it goes by it, this process decides.
      (error) => ({ swapped: true, reading: this.#goAlone(error, text) }),
    );
  }

  #note(reading: Reading): Reading {
    this.#last = { text: reading.text, now: reading.now, at: this.#clock.monotonic() };
    return reading;
  }

  /** The ledger's time, as far as this process can tell. */
  get #now(): number {
    const at = this.#clock.monotonic();
    return this.#last === undefined ? at : this.#last.now + (at - this.#last.at);
  }

  #own({ text, version }: Alone): Reading {
    return { text, version: `own ${String(version)}`, now: this.#now };
  }

  #goAlone(error: unknown, text: string | undefined): Reading {
    const state = (text === undefined ? undefined : parseBudget(text)) ?? createBudget();
    forgetOthers(state, this.#now, this.holder);
    const retryAt = this.#clock.monotonic() + this.#retryMs;
    this.#alone = { text: writeBudget(state), version: 0, retryAt, asked: 'no' };
    this.#onFailure(error);
    return this.#own(this.#alone);
  }

  #askAgain(alone: Alone): Reading | Promise<Reading> {
    let asked: Reading | Promise<Reading>;
    try {
      asked = this.#ledger.read();
    } catch {
      this.#putOff(alone);
      return this.#own(alone);
    }
    if (!(asked instanceof Promise)) return this.#comeBack(alone);
    alone.asked = 'waiting';
    void this.#limited(asked).then(
      () => (alone.asked = 'answered'),
      () => {
        this.#putOff(alone);
      },
    );
    return this.#own(alone);
  }

  #putOff(alone: Alone): void {
    this.#retryMs = Math.min(RETRY_MAX_MS, this.#retryMs * 2);
    alone.asked = 'no';
    alone.retryAt = this.#clock.monotonic() + this.#retryMs;
  }

  async #comeBack(alone: Alone): Promise<Reading> {
    try {
      let askedAt = this.#now;
      let reading = await this.#limited(this.#ledger.read());
      for (let conflicts = 0; conflicts < CONFLICTS_MAX; conflicts += 1) {
        const text = writeBudget(this.#together(alone, reading, reading.now - askedAt));
        askedAt = this.#now;
        const swap = await this.#limited(this.#ledger.swap(reading, text, BUDGET_KEPT_MS));
        reading = swap.reading;
        if (!swap.swapped) continue;
        this.#alone = undefined;
        this.#retryMs = RETRY_FIRST_MS;
        return this.#note(reading);
      }
    } catch {
      // Told of already, when it began.
    }
    this.#putOff(alone);
    return this.#own(alone);
  }

  /** @param apartMs how much more the ledger's clock shows than was made out here. */
  #together(alone: Alone, reading: Reading, apartMs: number): BudgetState {
    const own = parseBudget(alone.text) ?? createBudget();
    const shared = (reading.text === undefined ? undefined : parseBudget(reading.text)) ?? createBudget();
    return mergeBudgets(shared, shiftBudget(own, apartMs), this.holder, reading.now);
  }

  #guard<T, R>(
    operate: () => T | Promise<T>,
    succeed: (value: T) => R,
    fail: (error: unknown) => R,
  ): R | Promise<R> {
    try {
      const operating = operate();
      return operating instanceof Promise ? this.#limited(operating).then(succeed, fail) : succeed(operating);
    } catch (error) {
      return fail(error);
    }
  }

  /** The same, but rejected when it takes too long. What becomes of it later is nobody's concern any more. */
  #limited<T>(operating: T | Promise<T>): Promise<T> {
    if (!(operating instanceof Promise)) return Promise.resolve(operating);
    return new Promise((resolve, reject) => {
      const cancel = this.#clock.setTimeout(() => {
        reject(new Error(`the ledger gave no answer within ${String(OPERATION_MAX_MS)} ms`));
      }, OPERATION_MAX_MS);
      operating.then(resolve, reject).finally(cancel);
    });
  }
}
