/**
 * The rate limits of the mock.
 *
 * From the interface specification ("Request rate, by plan", "Exceeding the limit"): the numbers of the three plans, the
 * three headers, 429 with `Retry-After`, and that repeated requests after a 429 can lead to a temporary ban.
 *
 * The rest is not specified. These are the mock's own rules, and no client should count on them:
 *
 * - Windows are fixed: the minute begins at each whole minute, the day at midnight UTC, by the mock's clock.
 * - The headers describe the window with fewer requests left, on a tie the one that resets later. So
 *   `X-RateLimit-Remaining` requests can be sent before `X-RateLimit-Reset`, whichever window that is.
 * - Every request with a good key counts against both windows, also one that is answered 400, 404, 405, 413 or 415.
 *   A refused one (429) counts against neither.
 * - Hammering is ten more requests after a first 429, all of them refused. The tenth starts a ban of five minutes. A
 *   request that is let through forgives; one during the ban is refused and does not lengthen it.
 * - `Retry-After` is in whole seconds, at least 1, and never early. While the key is banned `Remaining` is 0 and `Reset`
 *   is the end of the ban, or of a used-up window that ends later.
 * - A request without a good key is answered 401 whatever its rate, and uses nobody's budget. Its headers show the
 *   minute of the mock's default plan, untouched.
 * - `unlimited` stands for Enterprise, whose limits are custom: nothing is counted, and the headers show a limit of a
 *   thousand million.
 */

/** The plans of the mock. `unlimited` stands for Enterprise. */
export type MockPlan = 'free' | 'pro' | 'business' | 'unlimited';

/** The names of the plans. */
export const MOCK_PLANS = ['free', 'pro', 'business', 'unlimited'] as const satisfies readonly MockPlan[];

/** What the three rate headers say. */
export interface Budget {
  limit: number;
  remaining: number;
  /** Milliseconds since the epoch. */
  resetAt: number;
}

/** Whether a request goes through, and what its answer's headers say. */
export type Admission =
  | { admitted: true; budget: Budget }
  | { admitted: false; budget: Budget; banned: boolean; retryAfterSeconds: number };

/** What is kept of one key. */
export interface Ledger {
  minute: Count;
  day: Count;
  /** Requests refused in a row. */
  consecutive429Count: number;
  /** Nothing goes through before this, in milliseconds since the epoch. */
  blockedUntil: number;
  /** Whether the hold is a ban. */
  banned: boolean;
}

interface Count {
  /** Number of the window since the epoch. */
  window: number;
  used: number;
}

/** An empty ledger. */
export function createLedger(): Ledger {
  return {
    minute: { window: 0, used: 0 },
    day: { window: 0, used: 0 },
    consecutive429Count: 0,
    blockedUntil: 0,
    banned: false,
  };
}

/** Counts one request, or refuses it. */
export function admit(ledger: Ledger, plan: MockPlan, now: number): Admission {
  const held = ledger.blockedUntil > now;
  if (!held) ledger.banned = false;
  if (!held && budgetOf(ledger, plan, now).remaining > 0) {
    ledger.consecutive429Count = 0;
    if (plan !== 'unlimited') {
      countRequest(ledger.minute, now, MINUTE_MS);
      countRequest(ledger.day, now, DAY_MS);
    }
    return { admitted: true, budget: budgetOf(ledger, plan, now) };
  }
  if (!ledger.banned) {
    ledger.consecutive429Count += 1;
    if (ledger.consecutive429Count > REPEATS_BEFORE_BAN) {
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

/** What the headers say now, without counting anything. */
export function budgetOf(ledger: Ledger, plan: MockPlan, now: number): Budget {
  const minute = windowBudget(ledger.minute, LIMITS[plan].minute, MINUTE_MS, now);
  const day = windowBudget(ledger.day, LIMITS[plan].day, DAY_MS, now);
  // The day never resets before the minute, so on a tie it is the one that counts.
  const tighter = minute.remaining < day.remaining ? minute : day;
  const described = plan === 'unlimited' ? minute : tighter;
  if (ledger.blockedUntil <= now) return described;
  const windowEnd = described.remaining === 0 ? described.resetAt : 0;
  return { limit: described.limit, remaining: 0, resetAt: Math.max(ledger.blockedUntil, windowEnd) };
}

/** What the headers of a request without a good key say. */
export function fullBudget(plan: MockPlan, now: number): Budget {
  return windowBudget({ window: 0, used: 0 }, LIMITS[plan].minute, MINUTE_MS, now);
}

/** Refuses everything until then, as if the budget had been used up by someone else. */
export function blockUntil(ledger: Ledger, until: number): void {
  ledger.blockedUntil = Math.max(ledger.blockedUntil, until);
}

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const REPEATS_BEFORE_BAN = 10;
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
