import type { GateReport } from '../../src/client/gate/budget/budget-counting.js';
import type { Reading, Swap } from '../../src/client/gate/gate-store.js';
import type { Permit } from '../../src/client/gate/gate.js';
import type { SharedGate } from '../../src/client/gate/shared-gate.js';

/** What happens to a process, and when, in milliseconds. */
export type GateInput = { at: number } & (
  | { kind: 'call'; calls: number; isFresh: boolean }
  /** Its operation on the store ends. Without `swapped`, it was a read. */
  | { kind: 'stored'; text: string | undefined; swapped?: boolean; dead: readonly string[] }
  | { kind: 'response'; call: number; report: GateReport }
  /** Another process has stored a text, so that its pending swap will fail. */
  | { kind: 'stale' }
  | { kind: 'wake' }
);

export type GateView = ReturnType<GateProcess['view']>;

/** The time limit of a request. Its lease lasts 5 seconds longer. */
const REQUEST_MS = 8_000;
/** Pauses after rejected swaps are shorter, and waits for other processes longer. They end at once: the clock is too coarse. */
const SHORT_MS = 50;

/**
 * Fields that can't change a later step: copies of the stored text, which never goes back to them; the waits that
 * are reported to calls, which never refuse one; and the order of arrival.
 */
export const IGNORED_FIELDS =
  '$text $reading $updating $source $mirror now dead isFresh reportedWait reportedObstacle order $arrivedCount'.split(
    ' ',
  );

/** A process with a gate. It sends the request of a call as soon as it gets the permit. */
export class GateProcess {
  readonly gate: SharedGate & { $spares?: SharedGate & { isEmpty: boolean }; $mirror?: unknown };
  readonly permits: (Permit | undefined)[] = [];
  turns = 0;
  started = 0;
  ended = 0;
  now = 0;
  isFresh = false;
  dead: readonly string[] = [];
  /** The pending operation on the store: the text to store, or nothing for a read. */
  operation: { at: number; text?: string } | undefined;
  conflicts = 0;
  timers: { dueAt: number; callback: () => void }[] = [];
  failure: string | undefined;
  #resolve: ((result: never) => void) | undefined;

  constructor({ SharedGate: Gate }: { SharedGate: typeof SharedGate }, holder: string) {
    const clock = {
      now: () => this.now,
      monotonic: () => this.now,
      setTimeout: (callback: () => void, delayMs: number) => {
        const timer = { dueAt: this.now + (delayMs < SHORT_MS ? 0 : delayMs), callback };
        this.timers.push(timer);
        return () => (this.timers = this.timers.filter((other) => other !== timer));
      },
    };
    const read = (): Promise<Reading> => this.#ask({ at: this.now });
    const swap = (_: Reading, text: string): Promise<Swap> => this.#ask({ at: this.now, text });
    const isDead = (other: string): boolean => this.dead.includes(other);
    const onFailure = (error: unknown): undefined => void (this.failure = String(error));
    const options = { clock, random: () => 0.5, onFailure };
    this.gate = new Gate({ holder, read, swap, isDead, isCurrent: () => this.isFresh }, options);
  }

  apply(input: GateInput): void {
    this.now = input.at;
    if (input.kind === 'call') {
      this.isFresh = input.isFresh;
      this.turns += 1;
      for (let count = 0; count < input.calls; count += 1) this.#acquire(this.started++);
    } else if (input.kind === 'response') {
      const permit = this.permits[input.call]!;
      this.permits[input.call] = undefined;
      permit.release(input.report);
      // As calls do after a 429 response.
      if (input.report.kind === 'rate-limited') this.#acquire(input.call);
      else this.ended += 1;
    } else if (input.kind === 'stale') {
      // States with different texts that are never stored are one state.
      this.operation = { at: this.operation!.at, text: '' };
    } else if (input.kind === 'wake') {
      const due = this.timers.filter(({ dueAt }) => dueAt <= this.now);
      this.timers = this.timers.filter((timer) => !due.includes(timer));
      for (const { callback } of due) callback();
    } else {
      const { text, swapped, at } = input;
      this.dead = input.dead;
      this.operation = undefined;
      this.conflicts = swapped === false ? this.conflicts + 1 : 0;
      const reading = { text, version: '', now: at };
      this.#resolve?.((swapped === undefined ? reading : { swapped, reading }) as never);
    }
  }

  view() {
    const { operation, turns, started, ended, timers, failure } = this;
    const sent = [...this.permits.keys()].filter((call) => this.permits[call] !== undefined);
    // Of an operation that is pending, the only timer is its time limit.
    const dueAt = timers.length === 0 ? undefined : Math.min(...timers.map((timer) => timer.dueAt));
    return { operation, sent, turns, started, ended, dueAt, failure };
  }

  /** The copy of the budget matters only for spare leases. */
  toJSON(): object {
    return { ...this, mirror: this.gate.$spares?.isEmpty === false && this.gate.$mirror };
  }

  #acquire(call: number): void {
    const permit = this.gate.acquire({ level: 0, leaseMs: REQUEST_MS, onWait: () => undefined });
    void Promise.resolve(permit).then((granted) => (this.permits[call] = granted));
  }

  #ask<Result>(operation: { at: number; text?: string }): Promise<Result> {
    this.operation = operation;
    return new Promise((resolve) => (this.#resolve = resolve));
  }
}
