/** Where the mock reads the time. */
export interface MockClock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A clock that can be moved forward, and the waits that hang on it. */
export interface VirtualClock extends MockClock {
  /** How far it has been moved from the clock underneath, in milliseconds. */
  readonly offsetMs: number;
  /**
   * Moves it forward, and ends the waits that are due by then, earliest first, before it returns.
   *
   * @throws TypeError where that is back, or beyond the year 9999; nothing is moved then.
   */
  advance(byMs: number): void;
  /** Back to the clock underneath. */
  reset(): void;
  /** Resolves when the time has passed, in reality or by `advance`, or when the signal says so. Never rejects. */
  wait(delayMs: number, signal?: AbortSignal): Promise<void>;
}

/** The end of the year 9999: an HTTP date has four digits for the year, and a `Date` ends some time later. */
const CLOCK_END_AT = 253_402_300_800_000;

/** Longest delay of a timer; a longer one would be over at once. */
const TIMER_MS_MAX = 2_147_483_647;

interface Wait {
  dueAt: number;
  end(): void;
}

/** Puts a movable offset on top of a clock. */
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
        throw new TypeError(`the clock can't be moved by ${String(byMs)} ms: only forward, to the year 9999`);
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
 * Reads `500ms`, `60s`, `5m`, `2h`, `1d`, or a number of milliseconds.
 *
 * @throws TypeError where it is none of these, or negative.
 */
export function durationMs(value: string | number): number {
  if (typeof value === 'number') {
    if (Number.isFinite(value) && value >= 0) return value;
  } else {
    const [, amount, unit] = DURATION.exec(value) ?? [];
    const unitMs = UNIT_MS[unit ?? ''];
    if (unitMs !== undefined) return Number(amount) * unitMs;
  }
  throw new TypeError(`not a length of time: ${String(value)} (such as 500ms, 60s, 5m, or milliseconds)`);
}
