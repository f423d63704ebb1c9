import type { KnownBudget } from '../../../client/internal.js';
import { limitsOfPlan } from '../../../schema/rate-limit.js';

export type NextPoll = ReturnType<typeof nextPoll>;

const INTERVAL_DEFAULT_MS = 10_000;
const DAY_MS = 86_400_000;

/**
 * Decides how often to poll. Without an interval of the user, leaves half of what is left of each window to other work. If
 * the headers describe only the minute window, the day window of the plan counts too.
 *
 * @param requests the requests of one poll.
 * @param known the known rate limit after the last one.
 * @param chosenMs the interval of the user. It is used unless not even one poll is left.
 * @returns when to poll next, and whether the rate limit makes the delay longer.
 */
export function nextPoll(requests: number, { windows }: Pick<KnownBudget, 'windows'>, chosenMs?: number) {
  const delays = windows.map(({ remaining, resetsInMs }) => {
    if (chosenMs === undefined) return spread(resetsInMs, remaining, requests);
    return remaining < requests ? resetsInMs : 0;
  });
  const plan = windows.find((window) => window.plan !== undefined)?.plan;
  const day = plan === undefined || chosenMs !== undefined ? undefined : limitsOfPlan(plan).day;
  if (day !== undefined && !windows.some(({ limit }) => limit === day))
    delays.push(spread(DAY_MS, day, requests));
  const minimumMs = Math.max(0, ...delays);
  const wantedMs = chosenMs ?? INTERVAL_DEFAULT_MS;
  return { delayMs: Math.max(wantedMs, minimumMs), isLimited: minimumMs > wantedMs };
}

/** Spreads the polls for half of the remaining requests evenly. If these are too few for one poll, waits for the reset. */
function spread(resetsInMs: number, remaining: number, requests: number): number {
  return Math.ceil(resetsInMs / Math.max(1, Math.floor(remaining / 2 / requests)));
}
