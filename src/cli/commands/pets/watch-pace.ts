import type { KnownBudget } from '../../../client/index.js';
import { limitsOfPlan } from '../../../schema/rate-limit.js';

/** When to poll next. */
export interface NextPoll {
  delayMs: number;
  /** Whether the rate limit makes the delay longer. */
  isLimited: boolean;
}

/** Decides how often to poll. */
export interface WatchPace {
  /**
   * @param requests the requests of the last poll.
   * @param known the known rate limit after it.
   */
  after(requests: number, known: Pick<KnownBudget, 'windows'>): NextPoll;
}

const INTERVAL_DEFAULT_MS = 10_000;
const DAY_MS = 86_400_000;

/**
 * Creates a pace that uses at most half of each window of the rate limit, and at most half of what is left of it, so
 * that polling does not block other work. If the headers describe only the minute window, the day window of the plan
 * counts too.
 *
 * @param chosenMs the interval of the user. It is used unless not even one poll is left.
 */
export function createWatchPace(chosenMs?: number): WatchPace {
  /** Requests of this watch, by window. */
  let spent = new Map<string, number>();
  const spend = (windows: KnownBudget['windows'], requests: number): void => {
    const before = spent;
    spent = new Map(windows.map((window) => [nameOf(window), (before.get(nameOf(window)) ?? 0) + requests]));
  };
  return {
    after(requests, { windows }) {
      spend(windows, requests);
      const minimumMs =
        chosenMs === undefined
          ? fairMs(windows, spent, requests)
          : longest(
              windows.filter(({ remaining }) => remaining < requests).map(({ resetsInMs }) => resetsInMs),
            );
      const wantedMs = chosenMs ?? INTERVAL_DEFAULT_MS;
      return { delayMs: Math.max(wantedMs, minimumMs), isLimited: minimumMs > wantedMs };
    },
  };
}

function nameOf({ limit, resetAt }: KnownBudget['windows'][number]): string {
  return `${String(limit)} until ${String(resetAt.getTime())}`;
}

function fairMs(
  windows: KnownBudget['windows'],
  spent: ReadonlyMap<string, number>,
  requests: number,
): number {
  const steps = windows.map((window) => {
    const { limit, remaining, resetsInMs } = window;
    return step(resetsInMs, Math.min(limit / 2 - (spent.get(nameOf(window)) ?? 0), remaining / 2), requests);
  });
  const plan = windows.find((window) => window.plan !== undefined)?.plan;
  if (plan === undefined) return longest(steps);
  const { day } = limitsOfPlan(plan);
  return longest(
    windows.some(({ limit }) => limit === day) ? steps : [...steps, step(DAY_MS, day / 2, requests)],
  );
}

/** The interval that spreads polls evenly over a window. If the share is too small for one poll, the whole window. */
function step(windowMs: number, share: number, requests: number): number {
  return Math.ceil(windowMs / Math.max(1, Math.floor(share / requests)));
}

function longest(delaysMs: readonly number[]): number {
  return Math.max(0, ...delaysMs);
}
