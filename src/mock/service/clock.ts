/** A source of the current time. */
export interface MockClock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** The clock of a mock or of one key. Has the shape of the option `clock` of `createPetStore`. */
export interface VirtualClock extends MockClock {
  /** Milliseconds since a fixed time. Never goes back, also not after a reset. */
  monotonic(): number;
  /**
   * Calls `callback` once, after `delayMs` of real or virtual time. Calls it during `advance` if it is then due.
   *
   * @returns a function that cancels the call.
   */
  setTimeout(callback: () => void, delayMs: number): () => void;
  /** How far it is ahead of the base clock, in milliseconds. */
  readonly offsetMs: number;
  readonly isFrozen: boolean;
  /** Stops the time. Only `advance` moves it, and ends delays and waits, until `run` or a reset. */
  freeze(): void;
  /** Lets the time continue from where it was stopped. */
  run(): void;
}

/** A clock with the operations of its owner. */
export interface OwnedClock extends VirtualClock {
  /**
   * Moves it forward, and ends the waits that are due, earliest first.
   *
   * @param slackMs also ends waits that are due within this time after, and moves to the last of them.
   * @throws TypeError if `byMs` is negative or the time would pass the year 9999. The clock is then unchanged.
   */
  advance(byMs: number, slackMs?: number): void;
  /**
   * Sets the offset to 0, lets the time run, and ends all waits. The monotonic time jumps by two days, so that clients
   * with this clock forget the rate limits of the time before.
   */
  reset(): void;
  /** Resolves when the delay has passed in real or virtual time, or when the signal aborts. Never rejects. */
  wait(delayMs: number, signal?: AbortSignal): Promise<void>;
  /** Creates a clock that follows this one and can be moved further. */
  createChild(onPause?: () => void): OwnedClock;
  /** Ends the waits that are due, and removes the clock from the one that it follows. */
  close(): void;
}

/** The end of the year 9999: an HTTP date has four digits for the year (RFC 9110, section 5.6.7). */
const CLOCK_END_AT = 253_402_300_800_000;

/** The longest delay of setTimeout(). A longer one would fire at once. */
const TIMER_MS_MAX = 2_147_483_647;

/** Longer than any window, ban or credible Retry-After. */
const RESET_JUMP_MS = 2 * 86_400_000;

interface Timer {
  /** By the monotonic time. */
  dueAt: number;
  /** Whether it also ends after its delay in real time if the base clock does not move. */
  endsInRealTime: boolean;
  realTimer: NodeJS.Timeout | undefined;
  end(): void;
}

/** @param onPause called after each `freeze` and `run`. */
export function createVirtualClock(base: MockClock, onPause?: () => void): OwnedClock {
  return new SteppedClock(base, onPause);
}

class SteppedClock implements OwnedClock {
  readonly #base: MockClock;
  readonly #onPause: (() => void) | undefined;
  /** The clock that it follows, if that is not a plain base clock. */
  readonly #parent: SteppedClock | undefined;
  readonly #timers = new Set<Timer>();
  readonly #children = new Set<SteppedClock>();
  #offsetMs = 0;
  #frozenAt: number | undefined;
  /** Difference between the monotonic time and the base clock. */
  #monotonicOffsetMs = 0;
  #lastMonotonic = Number.NEGATIVE_INFINITY;

  constructor(base: MockClock, onPause: (() => void) | undefined) {
    this.#base = base;
    this.#onPause = onPause;
    this.#parent = base instanceof SteppedClock ? base : undefined;
  }

  // Arrow functions: clients may pass them on without the object.
  readonly now = (): number => this.#baseNow() + this.#offsetMs;

  readonly monotonic = (): number => {
    this.#lastMonotonic = Math.max(this.#lastMonotonic, this.#baseNow() + this.#monotonicOffsetMs);
    return this.#lastMonotonic;
  };

  readonly setTimeout = (callback: () => void, delayMs: number): (() => void) =>
    this.#addTimer(callback, delayMs, false);

  get offsetMs(): number {
    return this.#offsetMs;
  }

  get isFrozen(): boolean {
    return this.#frozenAt !== undefined || this.#parent?.isFrozen === true;
  }

  freeze(): void {
    this.#frozenAt ??= this.#base.now();
    this.#onPause?.();
  }

  run(): void {
    if (this.#frozenAt === undefined) return;
    const stoppedMs = this.#base.now() - this.#frozenAt;
    this.#frozenAt = undefined;
    this.#offsetMs -= stoppedMs;
    this.#monotonicOffsetMs -= stoppedMs;
    this.#startRealTimers();
    this.#onPause?.();
  }

  advance(byMs: number, slackMs = 0): void {
    if (!(byMs >= 0 && this.now() + byMs < CLOCK_END_AT)) {
      throw new TypeError(`The clock can't move by ${String(byMs)} ms: only forward, up to the year 9999`);
    }
    const target = this.monotonic() + byMs;
    this.#fireUntil(target);
    const late = [...this.#timers].filter(({ dueAt }) => dueAt <= target + slackMs);
    this.#fireUntil(Math.max(target, ...late.map(({ dueAt }) => dueAt)));
    for (const child of this.#children) child.#fireDue();
  }

  reset(): void {
    const monotonic = this.monotonic() + RESET_JUMP_MS;
    this.#frozenAt = undefined;
    this.#offsetMs = 0;
    this.#lastMonotonic = monotonic;
    this.#monotonicOffsetMs = monotonic - this.#base.now();
    for (const timer of [...this.#timers]) timer.end();
    for (const child of this.#children) child.reset();
  }

  wait(delayMs: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const end = (): void => {
        cancel();
        signal?.removeEventListener('abort', end);
        resolve();
      };
      const cancel = this.#addTimer(end, delayMs, true);
      if (signal?.aborted === true) end();
      else signal?.addEventListener('abort', end, { once: true });
    });
  }

  createChild(onPause?: () => void): OwnedClock {
    const child = new SteppedClock(this, onPause);
    this.#children.add(child);
    return child;
  }

  close(): void {
    for (const timer of [...this.#timers]) timer.end();
    if (this.#parent !== undefined) this.#parent.#children.delete(this);
  }

  #baseNow(): number {
    return this.#frozenAt ?? this.#base.now();
  }

  #addTimer(callback: () => void, delayMs: number, endsInRealTime: boolean): () => void {
    const remove = (): void => {
      clearTimeout(timer.realTimer);
      this.#timers.delete(timer);
    };
    const timer: Timer = {
      dueAt: this.monotonic() + delayMs,
      endsInRealTime,
      realTimer: undefined,
      end: () => {
        remove();
        callback();
      },
    };
    this.#timers.add(timer);
    this.#startRealTimer(timer);
    return remove;
  }

  #startRealTimers(): void {
    for (const timer of this.#timers) this.#startRealTimer(timer);
    for (const child of this.#children) child.#startRealTimers();
  }

  #startRealTimer(timer: Timer): void {
    if (this.isFrozen) return;
    clearTimeout(timer.realTimer);
    const remainingMs = Math.max(0, Math.ceil(timer.dueAt - this.monotonic()));
    const delayMs = Math.min(remainingMs, TIMER_MS_MAX);
    timer.realTimer = setTimeout(() => {
      if (this.isFrozen) return;
      const isDue = this.monotonic() >= timer.dueAt;
      if (isDue || (timer.endsInRealTime && delayMs === remainingMs)) timer.end();
      else this.#startRealTimer(timer);
    }, delayMs);
  }

  #fireDue(): void {
    this.#fireUntil(this.monotonic());
    for (const child of this.#children) child.#fireDue();
  }

  /** Moves to each due timer and ends it. A timer may start another one. */
  #fireUntil(target: number): void {
    for (let count = 0; ; count += 1) {
      if (count >= FIRED_MAX)
        throw new Error(
          `More than ${String(FIRED_MAX)} timers ended in one step: each may start the next one`,
        );
      let first: Timer | undefined;
      for (const timer of this.#timers)
        if (timer.dueAt <= target && (first === undefined || timer.dueAt < first.dueAt)) first = timer;
      if (first === undefined) break;
      this.#moveTo(first.dueAt);
      first.end();
    }
    this.#moveTo(target);
  }

  #moveTo(monotonic: number): void {
    const byMs = monotonic - this.monotonic();
    if (byMs <= 0) return;
    this.#offsetMs += byMs;
    this.#monotonicOffsetMs += byMs;
  }
}

/** A timer may start the next one without a delay. */
const FIRED_MAX = 100_000;

const DURATION = /^(\d+(?:\.\d+)?)(ms|s|m|h|d)$/;
const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/**
 * Parses a duration such as `500ms`, `60s`, `5m`, `2h` or `1d`, or a number of milliseconds.
 *
 * @returns milliseconds.
 * @throws TypeError if it is not a duration or negative.
 */
export function durationMs(value: string | number): number {
  if (typeof value === 'number') {
    if (Number.isFinite(value) && value >= 0) return value;
  } else {
    const [, amount, unit] = DURATION.exec(value) ?? [];
    const unitMs = UNIT_MS[unit ?? ''];
    if (unitMs !== undefined) return Number(amount) * unitMs;
  }
  // A query and a fault can have only texts.
  const [shown, more] =
    typeof value === 'string'
      ? [JSON.stringify(value), '']
      : [String(value), ', or a number of milliseconds'];
  throw new TypeError(`Invalid duration: ${shown} (valid: "500ms", "60s", "5m"${more})`);
}
