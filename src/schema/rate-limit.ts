/** A plan whose limits the interface specification gives ("Request rate, by plan"). Enterprise limits are agreed singly. */
export type Plan = 'free' | 'pro' | 'business';

/** The two windows over which the service counts requests. */
export type RateWindow = 'minute' | 'day';

/**
 * The rate limit as an answer's headers told it. `window` and `plan` are inferred, never told: they are absent as long
 * as they are not certain.
 */
export interface RateLimit {
  /** `X-RateLimit-Limit`: requests allowed in the window. */
  limit: number;
  /** `X-RateLimit-Remaining`: requests left in the window. */
  remaining: number;
  /** `X-RateLimit-Reset`: when the window ends, in milliseconds since the epoch, by the service's clock. */
  resetAt: number;
  /** Which window the numbers describe, as inferred from its length. */
  window?: RateWindow;
  /** The plan that has this limit over this window, as inferred. */
  plan?: Plan;
}

const PLAN_OF_MINUTE_LIMIT: Readonly<Record<number, Plan>> = { 60: 'free', 300: 'pro', 1_000: 'business' };
const PLAN_OF_DAY_LIMIT: Readonly<Record<number, Plan>> = {
  1_000: 'free',
  10_000: 'pro',
  100_000: 'business',
};
/** A minute, and the second that is lost and won where `Date` and the reset are told in whole seconds. */
const MINUTE_AT_MOST_MS = 61_000;

/**
 * Tells which window a limit describes from how far away its reset is.
 *
 * More than a minute away can only be the day. Less may be either: a limit that only one of the windows has decides,
 * and 1,000 (Business by the minute, Free by the day) stays open.
 *
 * @param limit requests allowed in the window.
 * @param untilResetMs distance from the answer's own time to the reset, in milliseconds.
 */
export function inferWindow(limit: number, untilResetMs: number): RateWindow | undefined {
  if (untilResetMs > MINUTE_AT_MOST_MS) return 'day';
  const byMinute = limit in PLAN_OF_MINUTE_LIMIT;
  const byDay = limit in PLAN_OF_DAY_LIMIT;
  if (byMinute === byDay) return undefined;
  return byMinute ? 'minute' : 'day';
}

/** The plan that has this limit over this window, if the specification names one. */
export function inferPlan(limit: number, window: RateWindow | undefined): Plan | undefined {
  if (window === undefined) return undefined;
  return (window === 'minute' ? PLAN_OF_MINUTE_LIMIT : PLAN_OF_DAY_LIMIT)[limit];
}

/** The limits of a plan, by window. */
export function limitsOfPlan(plan: Plan): Record<RateWindow, number> {
  return { minute: limitOf(PLAN_OF_MINUTE_LIMIT, plan), day: limitOf(PLAN_OF_DAY_LIMIT, plan) };
}

function limitOf(table: Readonly<Record<number, Plan>>, plan: Plan): number {
  return Number(Object.keys(table).find((limit) => table[Number(limit)] === plan));
}
