import { type Budget, createBudget, type KnownLimit, NEVER, type OpenWindow, resetState } from './budget.js';
import { dropEndedWindows } from './obstacle.js';
import { dropOthers } from './leases.js';
import { countOf, openWindows } from './passes.js';

/**
 * Merges the shared budget with the budget that one process kept while it could not reach the store. Keeps the
 * stricter values, so no request is sent before a received Retry-After has passed. Afterwards one probe is sent first.
 *
 * @param holder the process that owns `ownBudget`. The leases of all other processes come from `sharedBudget`.
 */
export function mergeBudgets(sharedBudget: Budget, ownBudget: Budget, holder: string, now: number): Budget {
  const resetCount = Math.max(sharedBudget.resetCount, ownBudget.resetCount);
  const afterReset = (state: Budget): Budget =>
    state.resetCount < resetCount ? resetState(state, resetCount) : state;
  const shared = afterReset(sharedBudget);
  const own = afterReset(ownBudget);
  dropEndedWindows(shared, now);
  dropEndedWindows(own, now);
  const sentCount = Math.max(shared.sentCount, own.sentCount);
  const leases = [
    ...shared.leases.filter((lease) => lease.holder !== holder),
    // The serial numbers of the two budgets are unrelated: these requests count as sent before all others.
    ...own.leases.filter((lease) => lease.holder === holder).map((lease) => ({ ...lease, serial: 0 })),
  ];
  const tickets = shared.tickets.filter((ticket) => ticket.holder !== holder);
  return {
    ...resetState({ ...shared, sentCount, inFlight: leases.length, leases, tickets }, resetCount),
    limits: mergeLimits(shared.limits, own.limits, sentCount),
    // Most of them are the same requests.
    passes: countOf(own.passes) > countOf(shared.passes) ? own.passes : shared.passes,
    passedCount: Math.min(shared.passedCount, own.passedCount),
    sentAt: Math.max(shared.sentAt, own.sentAt),
    rateLimit: laterRateLimit(shared.rateLimit, own.rateLimit),
    // The first response of the window can be one to an earlier request, which does not include them.
    unconfirmed: longer(shared.unconfirmed, own.unconfirmed).map(() => sentCount),
    heldUntil: Math.max(shared.heldUntil, own.heldUntil),
    retryAfterUntil: Math.max(shared.retryAfterUntil, own.retryAfterUntil),
    consecutive429Count: Math.max(shared.consecutive429Count, own.consecutive429Count),
  };
}

/**
 * Copies a budget to another store. Requests in flight count as sent. Until a request is sent with the copy, it contains
 * nothing that its source does not, see `isUnusedCopy`.
 *
 * @param replaced the budget that the copy replaces. Its counts continue.
 */
export function copyBudget(source: Budget, replaced: Budget, now: number): Budget {
  const { resetCount, sentCount } = replaced;
  const lost = { ...source, resetCount };
  dropOthers(lost, now, '');
  return mergeBudgets({ ...createBudget(), resetCount, sentCount }, lost, '', now);
}

/** Checks whether no request was sent with a budget since it was copied or merged, or since its windows have ended. */
export function isUnusedCopy({ unknownSince, sentCount }: Budget): boolean {
  return unknownSince === sentCount;
}

/**
 * Checks whether a budget allows less than another one: a later end of a wait, or fewer requests left in a window. Its
 * resets count as those of the other.
 */
export function isStricter(one: Budget, other: Budget, now: number): boolean {
  if (one.heldUntil > Math.max(now, other.heldUntil)) return true;
  const left = ({ remaining, unconfirmed }: OpenWindow, { inFlight }: Budget): number =>
    remaining - unconfirmed.length - inFlight;
  return openWindows(one).some((window) => {
    const { limit, resetAt } = window.rateLimit;
    const known = openWindows(other).find(({ rateLimit }) => rateLimit.limit === limit);
    if (now >= window.endsAt || (known !== undefined && known.rateLimit.resetAt > resetAt)) return false;
    return known?.rateLimit.resetAt !== resetAt || left(window, one) < left(known, other);
  });
}

/** A larger negative difference means that the store has another clock. */
export const CLOCK_TOLERANCE_MS = 1_000;

/**
 * Converts the times of a budget to a clock that is `aheadMs` ahead. Ignores small negative values: they come from the
 * response time of the store, and no wait may end earlier.
 */
export function shiftBudget(state: Budget, aheadMs: number): Budget {
  const byMs = aheadMs > 0 || aheadMs < -CLOCK_TOLERANCE_MS ? aheadMs : 0;
  const shift = (time: number): number => (time === NEVER ? NEVER : time + byMs);
  return {
    ...state,
    heldUntil: shift(state.heldUntil),
    retryAfterUntil: shift(state.retryAfterUntil),
    sentAt: shift(state.sentAt),
    limits: state.limits.map((limit) => ({
      ...limit,
      open: limit.open && {
        ...limit.open,
        endsAt: shift(limit.open.endsAt),
        firstAt: shift(limit.open.firstAt),
        unconfirmed: [...limit.open.unconfirmed],
      },
      since: shift(limit.since),
      learnedAt: shift(limit.learnedAt),
    })),
    passes: state.passes.map(({ from, until, count }) => ({
      from: Math.ceil(shift(from)),
      until: Math.ceil(shift(until)),
      count,
    })),
    rejectedAt: state.rejectedAt && shift(state.rejectedAt),
    leases: state.leases.map((lease) => ({ ...lease, expiresAt: shift(lease.expiresAt) })),
    tickets: state.tickets.map((ticket) => ({ ...ticket, expiresAt: shift(ticket.expiresAt) })),
  };
}

function stricterWindow(one: OpenWindow | undefined, other: OpenWindow | undefined): OpenWindow | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  if (one.rateLimit.resetAt !== other.rateLimit.resetAt)
    return one.rateLimit.resetAt > other.rateLimit.resetAt ? one : other;
  const lower = one.remaining <= other.remaining ? one : other;
  return {
    ...lower,
    endsAt: Math.max(one.endsAt, other.endsAt),
    rejectedCount: Math.min(one.rejectedCount, other.rejectedCount),
    unconfirmed: longer(one.unconfirmed, other.unconfirmed),
    // Restarts the count: `ownCount` does not include the requests of other processes.
    firstRemaining: lower.remaining,
    ownCount: 0,
    foreignCount: Math.max(one.foreignCount, other.foreignCount),
  };
}

/** Keeps the stricter one of two limits: fewer requests, over a longer time. */
function mergeLimits(
  shared: readonly KnownLimit[],
  own: readonly KnownLimit[],
  sentCount: number,
): KnownLimit[] {
  const merged = new Map<string, KnownLimit>();
  for (const limit of [...shared, ...own]) {
    const key = limit.isHidden ? `hidden ${String(limit.lengthMs)}` : String(limit.limit);
    const other = merged.get(key);
    if (other === undefined) {
      merged.set(key, limit);
      continue;
    }
    const { lengthMs, spacingMs, since, learnedAt } = other;
    merged.set(key, {
      ...other,
      open: stricterWindow(other.open, limit.open),
      limit: Math.min(other.limit, limit.limit),
      lengthMs: Math.max(lengthMs, limit.lengthMs),
      spacingMs: Math.max(spacingMs, limit.spacingMs),
      since: Math.min(since, limit.since),
      learnedAt: Math.max(learnedAt, limit.learnedAt),
    });
  }
  // A response to any later request confirms the lost requests.
  return [...merged.values()].map((limit) => ({
    ...limit,
    open: limit.open && { ...limit.open, unconfirmed: limit.open.unconfirmed.map(() => sentCount) },
  }));
}

function longer(one: number[], other: number[]): number[] {
  return one.length >= other.length ? one : other;
}

function laterRateLimit(shared: Budget['rateLimit'], own: Budget['rateLimit']): Budget['rateLimit'] {
  if (shared === undefined || own === undefined) return own ?? shared;
  return own.resetAt >= shared.resetAt ? own : shared;
}
