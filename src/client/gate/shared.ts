import type { RateLimit } from '../../schema/rate-limit.js';
import type { Clock } from '../time/clock.js';
import { type BudgetState, createBudget, NEVER } from './budget/budget-state.js';
import { parseBudget, writeBudget } from './budget/budget-text.js';
import { earliestAfter, isIdle, levelOf, obstacle } from './budget/budget.js';
import { exchange } from './exchange.js';
import { BUDGET_KEPT_MS, fallbackLedger } from './fallback.js';
import type { Gate, GateReport, GateRequest, KnownBudget, Permit } from './budget/gate.js';
import { knownBudget } from './budget/known-budget.js';
import type { Ledger, Reading } from './ledger.js';
import { CLOCK_TOLERANCE_MS, mergeBudgets, shiftBudget } from './merge.js';
import {
  type Demand,
  disown,
  forgetOthers,
  nextLook,
  queueUp,
  reap,
  release,
  shareOf,
  takeLease,
} from './sharing.js';
import { type Outlook, type Waiter, WaitingLine } from './waiting-line.js';

/** What a shared gate works with besides its ledger. */
export interface SharedGateOptions {
  clock: Clock;
  /** Source of jitter, from 0 up to, not including, 1. */
  random: () => number;
  /** Told when the ledger fails, or holds what is no budget. */
  onFailure: (error: unknown) => void;
}

/** A gate whose budget others share. */
export interface SharedGate extends Gate {
  /** Whether it could be forgotten: nothing is under way, waits, or is to be told. */
  readonly idle: boolean;
  look(): Promise<KnownBudget>;
  flush(): Promise<void>;
}

/**
 * Makes a gate over a ledger. The calls of this process stand in one line, and whatever they want of the ledger is done
 * in one exchange at a time: what has ended is told, who may go is let go, and who must wait has a place kept.
 */
export function createSharedGate(ledger: Ledger, options: SharedGateOptions): SharedGate {
  return new LedgerGate(ledger, options);
}

/** How often it is looked whether another process has brought an answer: at first, growing, and at most. */
const POLL_FIRST_MS = 8;
const POLL_GROWTH = 1.6;
const POLL_MAX_MS = 120;
/** A lease lasts a little longer than the request may, so that no answer comes after it. */
const LEASE_MARGIN_MS = 5_000;
const LEASE_DEFAULT_MS = 30_000;

/** What an exchange would change. */
interface Draft {
  state: BudgetState;
  now: number;
  going: { waiter: Waiter; number: number }[];
  /** How many of the ended are told of. */
  told: number;
  looksAt: number;
}

class LedgerGate implements SharedGate {
  readonly #ledger: Ledger;
  readonly #options: SharedGateOptions;
  readonly #line = new WaitingLine(() => {
    if (this.#line.length === 0) this.#stopTimer();
    this.#work();
  });
  /** The leases of requests under way. */
  readonly #own = new Set<number>();
  /** Those that are over, not yet told. */
  readonly #ended: { number: number; report: GateReport; endedAt: number }[] = [];
  /** The budget as last seen, with what has been learned here since. */
  #mirror = createBudget();
  /** Of the budget as last seen, what never falls. */
  #seen = { spent: 0, heldUntil: NEVER };
  /** What to add to the clock of this process to have the ledger's. */
  #offset = 0;
  #number = 0;
  #pollMs = POLL_FIRST_MS;
  #working: Promise<void> | undefined;
  #isWorkLeft = false;
  #cancelTimer: (() => void) | undefined;

  constructor(ledger: Ledger, options: SharedGateOptions) {
    this.#ledger = fallbackLedger(ledger, options.clock, options.onFailure);
    this.#options = options;
  }

  get strikes(): number {
    return this.#mirror.strikes;
  }

  get rateLimit(): RateLimit | undefined {
    return this.#mirror.rateLimit;
  }

  get idle(): boolean {
    const isBusy = this.#working !== undefined || this.#own.size > 0 || this.#line.length > 0;
    return !isBusy && isIdle(this.#mirror, this.#now);
  }

  enter(request: GateRequest): Promise<Permit> {
    return this.#line.add(request, levelOf(request), () => {
      this.#work();
    });
  }

  async look(): Promise<KnownBudget> {
    await this.flush();
    const askedAt = this.#options.clock.monotonic();
    const reading = await this.#ledger.read();
    const state = this.#stateOf(reading, askedAt);
    reap(state, reading.now, (holder) => this.#isGone(holder));
    return knownBudget(state, reading.now);
  }

  async flush(): Promise<void> {
    if (this.#ended.length > 0) this.#work();
    while (this.#working !== undefined) await this.#working;
  }

  get #now(): number {
    return this.#options.clock.monotonic() + this.#offset;
  }

  /** Does an exchange, and another one after it where more has come up meanwhile. */
  #work(): void {
    this.#isWorkLeft = true;
    this.#working ??= this.#exchangeAll();
  }

  async #exchangeAll(): Promise<void> {
    try {
      while (this.#isWorkLeft) {
        this.#isWorkLeft = false;
        this.#stopTimer();
        await this.#exchange();
      }
    } catch (error) {
      this.#line.rejectAll(error);
    } finally {
      // In the same breath as the last look at `#isWorkLeft`: what comes up in between would be nobody's work.
      this.#working = undefined;
    }
  }

  async #exchange(): Promise<void> {
    const { accepted, now } = await exchange(this.#ledger, this.#options, (reading, askedAt) => {
      const draft = this.#draft(reading, askedAt);
      return { draft, text: writeBudget(draft.state) };
    });
    this.#commit({ ...accepted.draft, now });
  }

  /** @param askedAt when the reading was asked for, on the clock of this process: its time is no earlier than that. */
  #draft(reading: Reading, askedAt: number): Draft {
    const { now } = reading;
    const { holder } = this.#ledger;
    const state = this.#stateOf(reading, askedAt);
    const ended = [...this.#ended];
    reap(state, now, (other) => this.#isGone(other));
    disown(
      state,
      now,
      holder,
      (number) => this.#own.has(number) || ended.some((end) => end.number === number),
    );
    // What ended while the reading was on its way may have ended after its time: a wait that it was told begins there.
    for (const { endedAt, ...end } of ended)
      release(state, now + Math.max(0, endedAt - askedAt), { holder, ...end });
    const going = this.#choose(state, now);
    const draft = { state, now, going, told: ended.length };
    const isAnyLeft = this.#line.length > going.length;
    // Most often nobody waits, here or elsewhere.
    if (!isAnyLeft && state.tickets.length === 0) return { ...draft, looksAt: now };
    const levels = this.#line.demand.map(({ level }) => level);
    const looksAt = nextLook(state, now, levels, { pollMs: this.#pollMs, random: this.#options.random });
    queueUp(state, holder, this.#demands(going), looksAt);
    return { ...draft, looksAt };
  }

  #stateOf({ text, now }: Reading, askedAt: number): BudgetState {
    const state = text === undefined ? undefined : parseBudget(text);
    const apartMs = now - (askedAt + this.#offset);
    if (state !== undefined && !this.#isOlder(state, apartMs)) return state;
    if (text !== undefined && state === undefined)
      this.#options.onFailure(new Error('what the ledger holds is no budget'));
    // What was kept there is lost: what is known here goes on.
    const { holder } = this.#ledger;
    const mirror = shiftBudget(this.#mirror, apartMs);
    forgetOthers(mirror, now, holder);
    return state === undefined ? mirror : mergeBudgets(state, mirror, holder, now);
  }

  /** Whether a text is from before one that was seen already, as a server has it that comes back by its snapshot. */
  #isOlder({ spent, heldUntil }: BudgetState, apartMs: number): boolean {
    const setBackMs = apartMs < -CLOCK_TOLERANCE_MS ? apartMs : 0;
    return spent < this.#seen.spent || heldUntil < this.#seen.heldUntil + setBackMs;
  }

  #isGone(holder: string): boolean {
    return holder !== this.#ledger.holder && this.#ledger.isGone?.(holder) === true;
  }

  #choose(state: BudgetState, now: number): Draft['going'] {
    const { holder } = this.#ledger;
    const shares = new Map<number, number>();
    const numbers: number[] = [];
    const going = this.#line.select(({ level, request: { leaseMs = LEASE_DEFAULT_MS } }) => {
      const share = shares.get(level) ?? shareOf(state, now, holder, level);
      if (share <= 0 || obstacle(state, now, level) !== undefined) return false;
      shares.set(level, share - 1);
      const number = (this.#number += 1);
      // A caller may set no limit to its requests; the budget ends all the same.
      takeLease(state, now, { holder, number, leaseMs: Math.min(leaseMs + LEASE_MARGIN_MS, BUDGET_KEPT_MS) });
      numbers.push(number);
      return true;
    });
    return going.map((waiter, index) => ({ waiter, number: numbers[index] ?? 0 }));
  }

  #demands(going: Draft['going']): Demand[] {
    return this.#line.demand
      .map(({ level, wants }) => {
        const served = going.filter(({ waiter }) => waiter.level === level).length;
        return { level, wants: wants - served, served: served > 0 };
      })
      .filter(({ wants }) => wants > 0);
  }

  #commit({ state, now, going, told, looksAt }: Draft): void {
    const { clock } = this.#options;
    this.#mirror = state;
    this.#seen = { spent: state.spent, heldUntil: state.heldUntil };
    this.#offset = now - clock.monotonic();
    this.#ended.splice(0, told);
    this.#pollMs = going.length > 0 ? POLL_FIRST_MS : Math.min(POLL_MAX_MS, this.#pollMs * POLL_GROWTH);
    for (const { waiter, number } of going) {
      if (this.#line.remove(waiter)) {
        this.#own.add(number);
        waiter.resolve(this.#permit(number));
      } else {
        // It left meanwhile, and nobody has this lease: the next exchange disowns it.
        this.#isWorkLeft = true;
      }
    }
    if (this.#line.length === 0) return;
    this.#line.tell(this.#outlook(now));
    if (this.#line.length === 0 || this.#isWorkLeft) return;
    this.#cancelTimer = clock.setTimeout(
      () => {
        this.#work();
      },
      Math.max(0, looksAt - now),
    );
  }

  #outlook(now: number): Outlook {
    const { holder } = this.#ledger;
    return {
      now,
      obstacle: (level) => obstacle(this.#mirror, now, level),
      earliestAfter: (level, ahead) => {
        const { tickets } = this.#mirror;
        const own = tickets.findIndex((ticket) => ticket.holder === holder && ticket.level === level);
        const before = tickets.slice(0, own === -1 ? 0 : own).filter((ticket) => ticket.level <= level);
        const others = before.reduce((sum, { wants }) => sum + wants, 0);
        return earliestAfter(this.#mirror, now, level, ahead + others);
      },
    };
  }

  #permit(number: number): Permit {
    return {
      leave: (report) => {
        if (!this.#own.delete(number)) return undefined;
        const { holder } = this.#ledger;
        const seen = release(this.#mirror, this.#now, { holder, number, report });
        this.#ended.push({ number, report, endedAt: this.#options.clock.monotonic() });
        this.#work();
        return seen;
      },
    };
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
