import type { KnownBudget } from '../../../../client/index.js';
import { limitsOfPlan } from '../../../../schema/rate-limit.js';

/** When to look again. */
export interface NextPoll {
  delayMs: number;
  /** Whether the quota, and not the wish, decided. */
  isLimited: boolean;
}

/** Decides how often a list is looked at. */
export interface WatchPace {
  /**
   * @param requests what the last look took.
   * @param known what is known of the rate limit after it.
   */
  after(requests: number, known: Pick<KnownBudget, 'windows'>): NextPoll;
}

/** What is wished for where nobody said otherwise. */
const INTERVAL_DEFAULT_MS = 10_000;
const DAY_MS = 86_400_000;

/**
 * Makes a pace that takes at most half of the quota, because a look that nobody waits for must not keep people from
 * their work: half of each window, and never more than half of what is left of it. As long as the answers tell of the
 * minute alone, the day is reckoned with as well where the plan gives it away: a day's quota lasts a day.
 *
 * @param chosenMs the interval that somebody asked for. It is kept, unless not even one look is left.
 */
export function createWatchPace(chosenMs?: number): WatchPace {
  /** What this watch has taken, by the limit and the end of a window. */
  let spent = new Map<string, number>();
  const spend = (windows: KnownBudget['windows'], requests: number): void => {
    const before = spent;
    spent = new Map(windows.map((window) => [nameOf(window), (before.get(nameOf(window)) ?? 0) + requests]));
  };
  return {
    after(requests, { windows }) {
      spend(windows, requests);
      const leastMs =
        chosenMs === undefined
          ? fairMs(windows, spent, requests)
          : longest(
              windows.filter(({ remaining }) => remaining < requests).map(({ resetsInMs }) => resetsInMs),
            );
      const wishedMs = chosenMs ?? INTERVAL_DEFAULT_MS;
      return { delayMs: Math.max(wishedMs, leastMs), isLimited: leastMs > wishedMs };
    },
  };
}

function nameOf({ limit, resetAt }: KnownBudget['windows'][number]): string {
  return `${String(limit)} until ${String(resetAt)}`;
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

/** The interval at which looks use up a share of a window in equal steps; all of it where there is not enough for one. */
function step(windowMs: number, share: number, requests: number): number {
  return Math.ceil(windowMs / Math.max(1, Math.floor(share / requests)));
}

function longest(delaysMs: readonly number[]): number {
  return Math.max(0, ...delaysMs);
}
