/** A plan with fixed limits (interface specification, "Request rate, by plan"). Enterprise has individual limits. */
export type Plan = 'free' | 'pro' | 'business';

/** The windows in which the service counts requests. */
export type RateWindow = 'minute' | 'day';

/** A rate limit, as received in the headers of a response. */
export interface RateLimit {
  /** `X-RateLimit-Limit`: requests allowed in the window. */
  limit: number;
  /** `X-RateLimit-Remaining`: requests left in the window. */
  remaining: number;
  /** `X-RateLimit-Reset`: when the window ends, by the service's clock. */
  resetAt: Date;
  /** The window of these numbers. Inferred; absent if not certain. */
  window?: RateWindow;
  /** The plan with this limit. Inferred; absent if not certain. */
  plan?: Plan;
}

/** A rate limit as plain numbers, for calculations and storage. */
export interface RateLimitValues extends Omit<RateLimit, 'resetAt'> {
  /** Milliseconds since the epoch, by the service's clock. */
  resetAt: number;
}

/** The end of the year 9999: later times have no RFC 3339 form (section 5.6). */
export const DATE_MAX_MS = Date.UTC(10_000, 0) - 1;

/** Returns a point in time as a date, at most the latest possible date: a received time may be later. */
export function dateAt(timeMs: number): Date {
  return new Date(Math.min(timeMs, DATE_MAX_MS));
}

/** Returns a rate limit as callers see it. */
export function toRateLimit<T extends RateLimitValues>(
  values: T,
): Omit<T, 'resetAt'> & Pick<RateLimit, 'resetAt'> {
  return { ...values, resetAt: dateAt(values.resetAt) };
}

/** The limits of each plan (interface specification, "Request rate, by plan"). */
const LIMITS: Readonly<Record<Plan, Readonly<Record<RateWindow, number>>>> = {
  free: { minute: 60, day: 1_000 },
  pro: { minute: 300, day: 10_000 },
  business: { minute: 1_000, day: 100_000 },
};
const PLANS = Object.keys(LIMITS) as Plan[];
/** Maximum time until the reset of a minute window: one second more, because headers are rounded to whole seconds. */
export const MINUTE_MAX_MS = 61_000;

/**
 * Infers the window of a limit from the time until its reset. Only a published limit implies a window, and only if the
 * reset does not contradict it: that of a minute is at most a minute away, and that of a day more. The reset of a 429
 * response may be the end of a ban, so it does not contradict a minute. A limit of 1,000 is ambiguous (Business per
 * minute, Free per day) until its reset is more than a minute away.
 *
 * @param limit requests allowed in the window.
 * @param untilResetMs milliseconds from the time of the response to the reset.
 * @param is429 whether the response rejected the request.
 * @returns `undefined` if the window is not certain.
 */
export function inferWindow(limit: number, untilResetMs: number, is429 = false): RateWindow | undefined {
  const isFar = untilResetMs > MINUTE_MAX_MS;
  const isMinuteLimit = inferPlan(limit, 'minute') !== undefined;
  if (inferPlan(limit, 'day') !== undefined) return isFar && !(isMinuteLimit && is429) ? 'day' : undefined;
  return isMinuteLimit && (!isFar || is429) ? 'minute' : undefined;
}

/** Returns the plan that has this limit in this window. `undefined` if no plan has it. */
export function inferPlan(limit: number, window: RateWindow | undefined): Plan | undefined {
  if (window === undefined) return undefined;
  return PLANS.find((plan) => LIMITS[plan][window] === limit);
}

/** Returns the limits of a plan by window. */
export function limitsOfPlan(plan: Plan): Readonly<Record<RateWindow, number>> {
  return LIMITS[plan];
}
