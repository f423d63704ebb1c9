import type { RateLimitValues } from '../../schema/rate-limit.js';
import type { GateReport } from './budget/budget-counting.js';
import { BUDGET_LIFETIME_MS, type Budget, createBudget, hasLimits, resetState } from './budget/budget.js';
import { earliestTurn, findObstacle, isIdle } from './budget/obstacle.js';
import { type KnownBudget, knownBudget } from './budget/known-budget.js';
import {
  type Demand,
  dropExpired,
  dropUnknownLeases,
  nextPollAt,
  releaseLease,
  shareFor,
  addLease,
  updateTickets,
} from './budget/leases.js';
import type { Gate, GateRequest, Permit } from './gate.js';
import { StoreWithFallback, type LayeredStore } from './store-with-fallback.js';
import type { StoreOptions } from './fallible-store.js';
import { type Admitted, type BudgetView, Queue } from './queue.js';
import { atEndOfTurn, EMPTY_LOT, SpareLeases, type SpareLot } from './spare-leases.js';

/** First interval between polls for the responses of other processes. It grows up to the maximum. */
const POLL_FIRST_MS = 8;
const POLL_GROWTH = 1.6;
const POLL_MAX_MS = 120;
/** A lease outlives the time limit of its request, so that no response arrives after it. */
const LEASE_MARGIN_MS = 5_000;
const LEASE_DEFAULT_MS = 30_000;
/** With spare leases, ended requests are reported after this time. Until then they count as in flight. */
const REPORT_DELAY_MS = 50;

/** A planned change of the budget. */
interface Draft {
  state: Budget;
  admitted: Admitted[];
  spares: SpareLot;
  /** The reset that it includes. */
  reset: Reset | undefined;
  /** Number of ended requests that it reports. */
  reportedCount: number;
  /** When this process polls again. */
  pollsAt: number;
}

/** A requested reset: whether a limit or a wait was known. */
type Reset = Record<'wasKnown', boolean>;

/**
 * A gate whose budget several processes share. It updates the store once at a time. Each update reports the ended
 * requests, admits waiting ones, and renews the tickets of the others. One update serves all calls of a turn of the
 * event loop. Spare leases serve later calls, but only while no other process has stored anything: it may have received a
 * 429 response.
 */
export class SharedGate implements Gate {
  readonly #store: StoreWithFallback;
  readonly #options: StoreOptions;
  readonly #queue = new Queue(() => {
    this.#work();
  });
  /** Lease numbers of requests in flight. */
  readonly #inFlight = new Set<number>();
  /** Ended requests that are not reported yet. */
  readonly #ended: { number: number; report: GateReport; endedAt: number }[] = [];
  /** The last stored budget, updated with the reports of this process since. */
  #mirror = createBudget();
  #leaseNumber = 0;
  readonly #spares = new SpareLeases();
  #reset: Reset | undefined;
  #pollMs = POLL_FIRST_MS;
  #working: Promise<void> | undefined;
  #isWorkLeft = false;
  /** Whether an update starts at the end of this turn. */
  #isWorkPlanned = false;
  #cancelTimer: (() => void) | undefined;

  /** @throws Error if the store has an invalid holder. */
  constructor(store: LayeredStore, options: StoreOptions) {
    this.#options = options;
    this.#store = new StoreWithFallback(store, options, () => {
      this.#work();
    });
  }

  get consecutive429Count(): number {
    return this.#mirror.consecutive429Count;
  }

  get rateLimit(): RateLimitValues | undefined {
    return this.#mirror.rateLimit;
  }

  get isIdle(): boolean {
    const pendingCount = this.#inFlight.size + this.#ended.length + this.#queue.length;
    return pendingCount === 0 && isIdle(this.#mirror, this.#store.now);
  }

  acquire(request: GateRequest): Permit | Promise<Permit> {
    const spare = this.#spares.take(this.#mirror, request, this.#store);
    if (spare !== undefined) return this.#admitAs(spare);
    return this.#queue.add(request, () => {
      // A call on its own does not wait for others.
      if (this.#inFlight.size === 0 && this.#working === undefined) this.#work();
      else this.#planWork();
    });
  }

  refresh(): void | Promise<void> {
    return this.#store.isCurrent() ? undefined : this.#refresh();
  }

  async readBudget(): Promise<KnownBudget> {
    await this.flush();
    const { state, now } = await this.#store.read();
    return knownBudget(state, now);
  }

  async reset(): Promise<boolean> {
    const reset = (this.#reset ??= { wasKnown: false });
    this.#work();
    await this.flush();
    return reset.wasKnown;
  }

  async flush(): Promise<void> {
    if (this.#ended.length > 0 || !this.#spares.isEmpty) this.#work();
    while (this.#working !== undefined) await this.#working;
    await this.#store.copyToFallback();
  }

  async #refresh(): Promise<void> {
    this.#work();
    await this.#working;
  }

  #planWork(): void {
    if (this.#isWorkPlanned) return;
    this.#isWorkPlanned = true;
    atEndOfTurn(() => {
      // An update that had already started may have served these calls.
      if (this.#isWorkPlanned && this.#queue.length + this.#ended.length > 0) this.#work();
      this.#isWorkPlanned = false;
    });
  }

  /** Starts an update of the store, or schedules another one after the current one. */
  #work(): void {
    this.#isWorkPlanned = false;
    this.#isWorkLeft = true;
    this.#working ??= this.#updateStore();
  }

  async #updateStore(): Promise<void> {
    try {
      while (this.#isWorkLeft) {
        this.#isWorkLeft = false;
        this.#stopTimer();
        this.#spares.drop();
        const { stored, now } = await this.#store.update((state, ...times) => this.#draft(state, ...times));
        this.#commit(stored, now);
      }
    } catch (error) {
      this.#queue.rejectAll(error);
    } finally {
      // Set synchronously after the last check of `#isWorkLeft`. Otherwise work that arrives in between is never done.
      this.#working = undefined;
    }
  }

  #draft(current: Budget, now: number, requestedAt: number): Draft {
    const { holder } = this.#store;
    const reset = this.#reset;
    let state = current;
    const ended = [...this.#ended];
    dropExpired(state, now, (other) => this.#store.isDead(other));
    dropUnknownLeases(
      state,
      now,
      holder,
      (number) => this.#inFlight.has(number) || ended.some((end) => end.number === number),
    );
    // A request may have ended after the store read `now`. Its Retry-After starts when it ended.
    for (const { endedAt, ...end } of ended)
      releaseLease(state, now + Math.max(0, endedAt - requestedAt), { holder, ...end });
    if (reset !== undefined) {
      reset.wasKnown = hasLimits(state);
      state = resetState(state);
    }
    const admitted = this.#admit(state, now);
    const draft = { state, admitted, spares: EMPTY_LOT, reset, reportedCount: ended.length };
    // No process waits.
    if (this.#queue.length === admitted.length && state.tickets.length === 0)
      return { ...draft, spares: this.#leaseSpares(state, now, admitted), pollsAt: now };
    const levels = this.#queue.demand.map(({ level }) => level);
    const pollsAt = nextPollAt(state, now, levels, { pollMs: this.#pollMs, random: this.#options.random });
    updateTickets(state, holder, this.#demands(admitted), pollsAt);
    return { ...draft, pollsAt };
  }

  #admit(state: Budget, now: number): Admitted[] {
    const { holder } = this.#store;
    const shares = new Map<number, number>();
    return this.#queue.select(({ level, request: { leaseMs } }) => {
      const share = shares.get(level) ?? shareFor(state, now, holder, level);
      if (share <= 0 || findObstacle(state, now, level) !== undefined) return undefined;
      shares.set(level, share - 1);
      return this.#addLease(state, now, leaseMs);
    });
  }

  #leaseSpares(state: Budget, now: number, admitted: readonly Admitted[]): SpareLot {
    const requests = admitted.map(({ waiter }) => waiter.request);
    const lease = (leaseMs?: number): number => this.#addLease(state, now, leaseMs);
    return this.#spares.lease(state, now, { holder: this.#store.holder, requests, lease });
  }

  #addLease(state: Budget, now: number, leaseMs = LEASE_DEFAULT_MS): number {
    const number = (this.#leaseNumber += 1);
    // A request without a time limit must not outlive the stored budget.
    const lastsMs = Math.min(leaseMs + LEASE_MARGIN_MS, BUDGET_LIFETIME_MS);
    addLease(state, now, { holder: this.#store.holder, number, leaseMs: lastsMs });
    return number;
  }

  #demands(admitted: Admitted[]): Demand[] {
    return this.#queue.demand
      .map(({ level, waitingCount }) => {
        const served = admitted.filter(({ waiter }) => waiter.level === level).length;
        return { level, waitingCount: waitingCount - served, wasServed: served > 0 };
      })
      .filter(({ waitingCount }) => waitingCount > 0);
  }

  #commit({ state, admitted, spares, reset, reportedCount, pollsAt }: Draft, now: number): void {
    this.#mirror = state;
    this.#spares.replace(spares, admitted.length);
    if (this.#reset === reset) this.#reset = undefined;
    this.#ended.splice(0, reportedCount);
    this.#pollMs = admitted.length > 0 ? POLL_FIRST_MS : Math.min(POLL_MAX_MS, this.#pollMs * POLL_GROWTH);
    // A 429 response arrived during the update.
    const isHeld = this.#ended.some(({ report }) => report.kind === 'rate-limited');
    for (const { waiter, number } of admitted) {
      // The waiter may have left during the update. The next update drops the leases that are not used.
      if (!isHeld && this.#queue.remove(waiter)) waiter.resolve(this.#admitAs(number));
      else this.#isWorkLeft = true;
    }
    // The next update may serve the calls that arrived during this one: they don't wait.
    if (isHeld || this.#isWorkLeft || this.#isWorkPlanned) return;
    this.#queue.reportWaits(this.#viewBudget(now));
    if (this.#queue.isEmpty || this.#isWorkLeft) return;
    this.#cancelTimer = this.#options.clock.setTimeout(
      () => {
        this.#work();
      },
      Math.max(0, Math.min(pollsAt - now, this.#store.untilRetryMs)),
    );
  }

  #viewBudget(now: number): BudgetView {
    const { holder } = this.#store;
    return {
      now,
      findObstacle: (level) => findObstacle(this.#mirror, now, level),
      earliestTurn: (level, ahead) => {
        const { tickets } = this.#mirror;
        const own = tickets.findIndex((ticket) => ticket.holder === holder && ticket.level === level);
        const before = tickets.slice(0, own === -1 ? 0 : own).filter((ticket) => ticket.level <= level);
        const others = before.reduce((sum, { waitingCount }) => sum + waitingCount, 0);
        return earliestTurn(this.#mirror, now, level, ahead + others);
      },
    };
  }

  #admitAs(number: number): Permit {
    this.#inFlight.add(number);
    return {
      release: (report) => {
        if (!this.#inFlight.delete(number)) return undefined;
        const { holder } = this.#store;
        const seen = releaseLease(this.#mirror, this.#store.now, { holder, number, report });
        this.#ended.push({ number, report, endedAt: this.#options.clock.monotonic() });
        // At once if the other processes must stop, or if nothing else is in progress: this process may end now.
        const isLast = this.#inFlight.size === 0 && this.#queue.isEmpty;
        if (report.kind === 'rate-limited' || isLast) this.#work();
        else if (this.#spares.isEmpty) this.#planWork();
        else this.#cancelTimer ??= this.#options.clock.setTimeout(() => this.#work(), REPORT_DELAY_MS);
        return seen;
      },
    };
  }

  #stopTimer(): void {
    this.#cancelTimer?.();
    this.#cancelTimer = undefined;
  }
}
