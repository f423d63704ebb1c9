/** Where the mock reads the time. */
export interface MockClock {
  /** Milliseconds since the epoch. */
  now(): number;
}

/** A clock that can be moved forward, and the waits that hang on it. */
export interface VirtualClock extends MockClock {
  /** How far it has been moved from the clock underneath, in milliseconds. */
  readonly offsetMs: number;
  /** Moves it forward, and ends the waits that are due by then, earliest first, before it returns. */
  advance(byMs: number): void;
  /** Back to the clock underneath. */
  reset(): void;
  /** Resolves when the time has passed, in reality or by `advance`, or when the signal says so. Never rejects. */
  wait(delayMs: number, signal?: AbortSignal): Promise<void>;
}

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
        const timer = setTimeout(end, delayMs);
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
