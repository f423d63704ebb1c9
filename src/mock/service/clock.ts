/** A source of the current time. */
export interface MockClock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A clock that can be moved forward. */
export interface VirtualClock extends MockClock {
  /** How far it is ahead of the base clock, in milliseconds. */
  readonly offsetMs: number;
  /**
   * Moves it forward, and ends the waits that are due, earliest first.
   *
   * @throws TypeError if `byMs` is negative or the time would pass the year 9999. The clock is then unchanged.
   */
  advance(byMs: number): void;
  /** Sets the offset to 0. */
  reset(): void;
  /** Resolves when the delay has passed in real or virtual time, or when the signal aborts. Never rejects. */
  wait(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** The end of the year 9999: an HTTP date has four digits for the year (RFC 9110, section 5.6.7). */
const CLOCK_END_AT = 253_402_300_800_000;

/** The longest delay of setTimeout(). A longer one would fire at once. */
const TIMER_MS_MAX = 2_147_483_647;

interface Wait {
  dueAt: number;
  end(): void;
}

export function createVirtualClock(base: MockClock): VirtualClock {
  let offsetMs = 0;
  const waits = new Set<Wait>();
  const now = (): number => base.now() + offsetMs;

  return {
    now,
    get offsetMs() {
      return offsetMs;
    },
    advance(byMs) {
      if (!(byMs >= 0 && now() + byMs < CLOCK_END_AT)) {
        throw new TypeError(`The clock can't move by ${String(byMs)} ms: only forward, up to the year 9999`);
      }
      offsetMs += byMs;
      const due = [...waits].filter((wait) => wait.dueAt <= now());
      for (const wait of due.sort((one, other) => one.dueAt - other.dueAt)) wait.end();
    },
    reset() {
      offsetMs = 0;
    },
    wait(delayMs, signal) {
      return new Promise((resolve) => {
        const end = (): void => {
          clearTimeout(timer);
          waits.delete(wait);
          signal?.removeEventListener('abort', end);
          resolve();
        };
        const wait: Wait = { dueAt: now() + delayMs, end };
        const timer = setTimeout(end, Math.min(delayMs, TIMER_MS_MAX));
        waits.add(wait);
        if (signal?.aborted === true) end();
        else signal?.addEventListener('abort', end, { once: true });
      });
    },
  };
}

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
  throw new TypeError(`Invalid duration: ${String(value)} (valid: 500ms, 60s, 5m, or milliseconds)`);
}
