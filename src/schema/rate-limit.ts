/** A plan with limits in the interface specification ("Request rate, by plan"). Enterprise limits are agreed individually. */
export type Plan = 'free' | 'pro' | 'business';

/** The two windows over which the service counts requests. */
export type RateWindow = 'minute' | 'day';

/** A rate limit, as received in the headers of a response. */
export interface RateLimit {
  /** `X-RateLimit-Limit`: requests allowed in the window. */
  limit: number;
  /** `X-RateLimit-Remaining`: requests left in the window. */
  remaining: number;
  /** `X-RateLimit-Reset`: when the window ends, in milliseconds since the epoch, by the service's clock. */
  resetAt: number;
  /** The window that the numbers describe. Inferred; absent if not certain. */
  window?: RateWindow;
  /** The plan with this limit. Inferred; absent if not certain. */
  plan?: Plan;
}

const PLAN_BY_MINUTE_LIMIT: Readonly<Record<number, Plan>> = { 60: 'free', 300: 'pro', 1_000: 'business' };
const PLAN_BY_DAY_LIMIT: Readonly<Record<number, Plan>> = {
  1_000: 'free',
  10_000: 'pro',
  100_000: 'business',
};
/** A minute, plus a second because `Date` and the reset are rounded to whole seconds. */
const MINUTE_MAX_MS = 61_000;

/**
 * Infers the window of a limit from the time until its reset.
 *
 * More than a minute is the day. Less may be either: then a limit that only one of the windows has decides, and 1,000
 * (Business per minute, Free per day) stays unknown.
 *
 * @param limit requests allowed in the window.
 * @param untilResetMs milliseconds from the response's own time to the reset.
 */
export function inferWindow(limit: number, untilResetMs: number): RateWindow | undefined {
  if (untilResetMs > MINUTE_MAX_MS) return 'day';
  const isMinuteLimit = limit in PLAN_BY_MINUTE_LIMIT;
  const isDayLimit = limit in PLAN_BY_DAY_LIMIT;
  if (isMinuteLimit === isDayLimit) return undefined;
  return isMinuteLimit ? 'minute' : 'day';
}

/** Returns the plan with this limit over this window. `undefined` if the specification has none. */
export function inferPlan(limit: number, window: RateWindow | undefined): Plan | undefined {
  if (window === undefined) return undefined;
  return (window === 'minute' ? PLAN_BY_MINUTE_LIMIT : PLAN_BY_DAY_LIMIT)[limit];
}

/** Returns the limits of a plan by window. */
export function limitsOfPlan(plan: Plan): Record<RateWindow, number> {
  return { minute: limitOf(PLAN_BY_MINUTE_LIMIT, plan), day: limitOf(PLAN_BY_DAY_LIMIT, plan) };
}

function limitOf(table: Readonly<Record<number, Plan>>, plan: Plan): number {
  return Number(Object.keys(table).find((limit) => table[Number(limit)] === plan));
}
