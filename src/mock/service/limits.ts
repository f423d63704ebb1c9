/**
 * The rate limits of the mock.
 *
 * The interface specification has the limits of the three plans, the three rate headers and 429 with `Retry-After`. It also
 * has a temporary ban after repeated requests that follow a 429 ("Request rate, by plan" and "Exceeding the limit").
 *
 * The mock's own rules, since the specification leaves the rest open. Clients must not rely on them:
 *
 * - Windows are fixed: a minute starts at second 0, a day at 00:00 UTC, by the mock's clock.
 * - The headers describe the window with fewer remaining requests; if both have the same number, the day. So a client
 *   can send `X-RateLimit-Remaining` requests before `X-RateLimit-Reset`.
 * - Every request with a valid key counts in both windows, also one with a 4xx response. A request with a 429 response
 *   counts in neither.
 * - Ten more 429 responses after the first one, without another response between them, start a ban of five minutes. A
 *   request during the ban does not extend it.
 * - `Retry-After` is in whole seconds, rounded up, at least 1. During a ban `Remaining` is 0, and `Reset` is the end of
 *   the ban or of a used-up window, whichever is later.
 * - A request without a valid key always gets 401, and counts against no key. Its headers show the full minute limit of
 *   the mock's default plan.
 * - `unlimited` represents Enterprise, whose limits are custom. It counts nothing, and its headers show a limit of 10^9.
 */

/** A plan of the interface specification. `unlimited` represents Enterprise. */
export type MockPlan = 'free' | 'pro' | 'business' | 'unlimited';

/** All plans. */
export const MOCK_PLANS = ['free', 'pro', 'business', 'unlimited'] as const satisfies readonly MockPlan[];

/** The values of the three rate headers. */
export interface Budget {
  /** Requests in the window. */
  limit: number;
  /** Requests left in the window. */
  remaining: number;
  /** End of the window, in milliseconds since the epoch. The header is in seconds. */
  resetAt: number;
}

/** Whether a request is admitted, and its rate headers. */
export type Admission =
  | { admitted: true; budget: Budget }
  | { admitted: false; budget: Budget; banned: boolean; retryAfterSeconds: number };

/** The rate-limit state of one key. */
export interface Ledger {
  minute: Count;
  day: Count;
  consecutive429Count: number;
  /** All requests get 429 before this time, in milliseconds since the epoch. */
  blockedUntil: number;
  /** Whether `blockedUntil` is the end of a ban. */
  banned: boolean;
}

interface Count {
  /** Number of the window since the epoch. */
  window: number;
  used: number;
}

export function createLedger(): Ledger {
  return {
    minute: { window: 0, used: 0 },
    day: { window: 0, used: 0 },
    consecutive429Count: 0,
    blockedUntil: 0,
    banned: false,
  };
}

/** Counts a request, or rejects it. */
export function admit(ledger: Ledger, plan: MockPlan, now: number): Admission {
  const isBlocked = ledger.blockedUntil > now;
  if (!isBlocked) ledger.banned = false;
  if (!isBlocked && budgetOf(ledger, plan, now).remaining > 0) {
    ledger.consecutive429Count = 0;
    if (plan !== 'unlimited') {
      countRequest(ledger.minute, now, MINUTE_MS);
      countRequest(ledger.day, now, DAY_MS);
    }
    return { admitted: true, budget: budgetOf(ledger, plan, now) };
  }
  if (!ledger.banned) {
    ledger.consecutive429Count += 1;
    if (ledger.consecutive429Count > MORE_429_BEFORE_BAN) {
      ledger.consecutive429Count = 0;
      ledger.banned = true;
      ledger.blockedUntil = Math.max(ledger.blockedUntil, now + BAN_MS);
    }
  }
  const budget = budgetOf(ledger, plan, now);
  return {
    admitted: false,
    budget,
    banned: ledger.banned,
    retryAfterSeconds: Math.max(1, Math.ceil((budget.resetAt - now) / 1_000)),
  };
}

/** Returns the rate headers without counting a request. */
export function budgetOf(ledger: Ledger, plan: MockPlan, now: number): Budget {
  const [minute, day] = windowBudgets(ledger, plan, now);
  // If both have the same number left, the day is stricter: it never resets before the minute.
  const tighter = minute.remaining < day.remaining ? minute : day;
  const described = plan === 'unlimited' ? minute : tighter;
  if (ledger.blockedUntil <= now) return described;
  const windowEnd = described.remaining === 0 ? described.resetAt : 0;
  return { limit: described.limit, remaining: 0, resetAt: Math.max(ledger.blockedUntil, windowEnd) };
}

/** Returns the minute window and the day window, without blocks. */
function windowBudgets(
  { minute, day }: Pick<Ledger, 'minute' | 'day'>,
  plan: MockPlan,
  now: number,
): [minute: Budget, day: Budget] {
  const limits = LIMITS[plan];
  return [windowBudget(minute, limits.minute, MINUTE_MS, now), windowBudget(day, limits.day, DAY_MS, now)];
}

/** A window of a key when a request arrived. */
export interface WindowState {
  limit: number;
  used: number;
  resetsAt: Date;
}

/** The rate limits of a key when a request got 429. */
export interface LimitState {
  plan: MockPlan;
  minute: WindowState;
  day: WindowState;
  /** All requests get 429 before this time. Absent if the key is not blocked. */
  blockedUntil?: Date;
  /** Whether `blockedUntil` is the end of a ban. */
  banned: boolean;
  /** Responses of 429 without another response between them. */
  consecutive429Count: number;
}

/** Reads the limits of a key without counting a request. */
export function limitState(ledger: Ledger, plan: MockPlan, now: number): LimitState {
  const [minute, day] = windowBudgets(ledger, plan, now).map(({ limit, remaining, resetAt }) => ({
    limit,
    used: limit - remaining,
    resetsAt: new Date(resetAt),
  })) as [WindowState, WindowState];
  const isBlocked = ledger.blockedUntil > now;
  return {
    plan,
    minute,
    day,
    ...(isBlocked ? { blockedUntil: new Date(ledger.blockedUntil) } : {}),
    banned: ledger.banned && isBlocked,
    consecutive429Count: ledger.consecutive429Count,
  };
}

/** Returns the rate headers of a request without a valid key. */
export function fullBudget(plan: MockPlan, now: number): Budget {
  return windowBudget({ window: 0, used: 0 }, LIMITS[plan].minute, MINUTE_MS, now);
}

/** Rejects all requests until a time, as if another program had used up the limit. */
export function blockUntil(ledger: Ledger, until: number): void {
  ledger.blockedUntil = Math.max(ledger.blockedUntil, until);
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const MORE_429_BEFORE_BAN = 10;
const BAN_MS = 300_000;

const LIMITS: Readonly<Record<MockPlan, { minute: number; day: number }>> = {
  free: { minute: 60, day: 1_000 },
  pro: { minute: 300, day: 10_000 },
  business: { minute: 1_000, day: 100_000 },
  unlimited: { minute: 1_000_000_000, day: 1_000_000_000 },
};

function countRequest(count: Count, now: number, lengthMs: number): void {
  const window = Math.floor(now / lengthMs);
  if (count.window !== window) {
    count.window = window;
    count.used = 0;
  }
  count.used += 1;
}

function windowBudget(count: Count, limit: number, lengthMs: number, now: number): Budget {
  const window = Math.floor(now / lengthMs);
  const used = count.window === window ? count.used : 0;
  return { limit, remaining: Math.max(0, limit - used), resetAt: (window + 1) * lengthMs };
}
