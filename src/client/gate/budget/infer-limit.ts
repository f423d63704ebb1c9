import {
  inferPlan,
  limitsOfPlan,
  MINUTE_MAX_MS,
  type Plan,
  type RateLimitValues,
  type RateWindow,
} from '../../../schema/rate-limit.js';
import type { Budget, KnownLimit, ShownWindow } from './budget.js';
import { createLimit } from './learn-limits.js';
import { findNamedLimit } from './passes.js';
import { lengthOfNamed } from './window-length.js';

const LENGTHS_MS: Readonly<Record<RateWindow, number>> = { minute: 60_000, day: 86_400_000 };
/** Resets of one window differ by less: they are rounded, and computed from a rounded `Date`. */
const SAME_RESET_MS = 2_000;

/** A limit that no response shows for so many of its windows, and for this time, no longer exists, or is far away. */
const HIDDEN_WINDOWS = 10;
const HIDDEN_MIN_MS = 600_000;
/** Maximum number of limits. A service may send another one in each response. */
const LIMITS_MAX = 8;

/** How a rate limit was received. */
interface Reception {
  now: number;
  isRejected: boolean;
  /** All limits that the response shows. */
  limits: readonly RateLimitValues[];
}

/** Returns a received limit with its window and plan. If the plan is certain, its other limit is then known as well. */
export function inferPlanOf(
  state: Budget,
  { window }: KnownLimit,
  { rateLimit: received, untilResetMs }: ShownWindow,
  { isRejected, limits }: Reception,
): RateLimitValues {
  // A minute does not end that late: the reset of a rejected request is the end of a ban.
  const isBan = isRejected && received.window === undefined && untilResetMs > MINUTE_MAX_MS;
  const { limit, remaining, resetAt } = received;
  if (window === undefined || isBan) return { limit, remaining, resetAt };
  const plan = inferPlan(limit, window);
  if (plan === undefined || !limits.every((each) => isOfPlan(each, plan)))
    return { limit, remaining, resetAt, window };
  addOtherLimit(state, plan, window);
  return { limit, remaining, resetAt, window, plan };
}

/**
 * Remembers a received limit, and infers its window from all resets so far. A limit of 1,000 is per minute if two of its
 * resets are at most a minute apart, and not per day if they are less than a day apart.
 */
export function rememberLimit(
  state: Budget,
  { rateLimit: { limit, resetAt, window }, untilResetMs, windowMs }: ShownWindow,
  { now, isRejected }: Reception,
): KnownLimit {
  let known = findNamedLimit(state, limit);
  if (known === undefined) {
    known = createLimit(limit, isRejected ? 'learned' : 'response', 0);
    state.limits.push(known);
  }
  known.learnedAt = now;
  if (!isRejected) known.source = 'response';
  dropHidden(state, known, now);
  const betweenMs = known.resetAt === undefined ? 0 : resetAt - known.resetAt;
  const isNextReset = betweenMs > SAME_RESET_MS;
  // The reset of a window that slides is always as far away.
  const isNear = betweenMs <= LENGTHS_MS.minute && untilResetMs <= MINUTE_MAX_MS;
  const isPublished = inferPlan(limit, 'minute') !== undefined;
  const observed = isPublished && isNextReset && isNear ? 'minute' : undefined;
  const inferred = known.window ?? window ?? observed;
  const isContradicted =
    (inferred === 'minute' && !isRejected && untilResetMs > MINUTE_MAX_MS) ||
    (inferred === 'day' && isNextReset && betweenMs < LENGTHS_MS.day - SAME_RESET_MS);
  if (isContradicted && !isRejected) forgetWindow(state, known, observed);
  else if (!known.isCustom) known.window = inferred;
  if (known.window !== undefined) known.lengthMs = LENGTHS_MS[known.window];
  else if (windowMs !== undefined) known.lengthMs = windowMs;
  else if (!isRejected && untilResetMs > known.lengthMs)
    known.lengthMs = Math.max(known.lengthMs, lengthOfNamed(untilResetMs));
  if (!isRejected && (known.resetAt === undefined || isNextReset)) known.resetAt = resetAt;
  return known;
}

/** Drops limits that the service has changed. Others show themselves again before they are used up. */
function dropHidden(state: Budget, shown: KnownLimit, now: number): void {
  // Usually it is the only one.
  if (state.limits.length === 1) return;
  const limits = state.limits.filter(
    (each) =>
      each.isHidden ||
      (each.open !== undefined && now < each.open.endsAt) ||
      each.source !== 'response' ||
      now - each.learnedAt < Math.max(HIDDEN_MIN_MS, HIDDEN_WINDOWS * each.lengthMs),
  );
  const others = limits.filter((each) => each !== shown && !each.isHidden);
  others.sort((one, other) => shownLeft(other) - shownLeft(one));
  const dropped = others.slice(0, Math.max(0, limits.length - LIMITS_MAX));
  state.limits = limits.filter((each) => !dropped.includes(each));
}

/** Requests left in the window that a response shows. Most of all without one: such a limit is the first to be dropped. */
function shownLeft({ open }: KnownLimit): number {
  return open?.remaining ?? Number.MAX_SAFE_INTEGER;
}

/** The responses contradict the window, so the limit is none of a plan, and the other limit of the plan is unknown. */
function forgetWindow(state: Budget, known: KnownLimit, observed: RateWindow | undefined): void {
  known.isCustom = observed === undefined;
  known.window = observed;
  known.lengthMs = 0;
  state.limits = state.limits.filter(({ source, open }) => source !== 'plan' || open !== undefined);
}

/** Adds the other limit of a plan. After a change of plan, the limits of the old plan no longer apply. */
function addOtherLimit(state: Budget, plan: Plan, window: RateWindow): void {
  state.limits = state.limits.filter((each) => isOfPlan(each, plan));
  const other = window === 'minute' ? 'day' : 'minute';
  const limit = limitsOfPlan(plan)[other];
  if (state.limits.some((each) => each.limit === limit)) return;
  state.limits.push({ ...createLimit(limit, 'plan', LENGTHS_MS[other]), window: other });
}

function isOfPlan({ limit }: { limit: number }, plan: Plan): boolean {
  const { minute, day } = limitsOfPlan(plan);
  return limit === minute || limit === day;
}
