import { type BudgetState, type CountedWindow, NEVER } from './budget/budget-state.js';
import { dropEndedWindows } from './budget/budget.js';

/**
 * Brings together two accounts of one budget that were kept apart for a while: what all share, and what one process went
 * by when it could not reach that. Of everything the stricter is kept, so that nobody sends earlier than either was told.
 *
 * @param shared what the others know. Their requests are theirs to tell of.
 * @param own what this process knows. Its requests are its own to tell of, whatever the shared account says of them.
 */
export function mergeBudgets(
  shared: BudgetState,
  own: BudgetState,
  holder: string,
  now: number,
): BudgetState {
  dropEndedWindows(shared, now);
  dropEndedWindows(own, now);
  const isStruck = own.strikes > shared.strikes || own.heldUntil > shared.heldUntil;
  const spent = Math.max(shared.spent, own.spent);
  const leases = [
    ...shared.leases.filter((lease) => lease.holder !== holder),
    // The two accounts count their requests apart, so these can't be placed among the others': they came before all.
    ...own.leases.filter((lease) => lease.holder === holder).map((lease) => ({ ...lease, serial: 0 })),
  ];
  const unknownSince = own.unknownSince === undefined ? undefined : shared.unknownSince;
  return {
    ...shared,
    spent,
    underWay: leases.length,
    windows: mergeWindows(shared.windows, own.windows, spent),
    learned: [
      ...shared.learned,
      ...own.learned.filter(({ limit }) => !shared.learned.some((known) => known.limit === limit)),
    ],
    rateLimit: laterLimit(shared, own),
    heldUntil: Math.max(shared.heldUntil, own.heldUntil),
    toldUntil: Math.max(shared.toldUntil, own.toldUntil),
    strikes: Math.max(shared.strikes, own.strikes),
    lastStrikeSerial: isStruck ? spent : shared.lastStrikeSerial,
    unknownSince,
    probesOut: unknownSince === undefined ? 0 : leases.filter(({ serial }) => serial > unknownSince).length,
    leases,
    tickets: shared.tickets.filter((ticket) => ticket.holder !== holder),
  };
}

/** A difference beyond this is another clock, and not the time that an answer takes. */
export const CLOCK_TOLERANCE_MS = 1_000;

/**
 * The same budget on a clock that shows so much more, as far as can be told. Two looks at one clock differ by the time that
 * an answer takes: what is due later by that is made so, but nothing is made due earlier.
 */
export function shiftBudget(state: BudgetState, apartMs: number): BudgetState {
  const byMs = apartMs > 0 || apartMs < -CLOCK_TOLERANCE_MS ? apartMs : 0;
  const shifted = (moment: number): number => (moment === NEVER ? NEVER : moment + byMs);
  return {
    ...state,
    heldUntil: shifted(state.heldUntil),
    toldUntil: shifted(state.toldUntil),
    probedAt: shifted(state.probedAt),
    windows: state.windows.map((window) => ({
      ...window,
      endsAt: shifted(window.endsAt),
      firstAt: shifted(window.firstAt),
      doubts: [...window.doubts],
    })),
    leases: state.leases.map((lease) => ({ ...lease, expiresAt: shifted(lease.expiresAt) })),
    tickets: state.tickets.map((ticket) => ({ ...ticket, dueAt: shifted(ticket.dueAt) })),
  };
}

function mergeWindows(
  shared: readonly CountedWindow[],
  own: readonly CountedWindow[],
  spent: number,
): CountedWindow[] {
  const merged = new Map(shared.map((window) => [window.rateLimit.limit, window]));
  for (const window of own) {
    const known = merged.get(window.rateLimit.limit);
    merged.set(
      window.rateLimit.limit,
      known?.rateLimit.resetAt === window.rateLimit.resetAt ? stricter(known, window) : later(known, window),
    );
  }
  // Who was lost was lost before any request to come.
  return [...merged.values()].map((window) => ({ ...window, doubts: window.doubts.map(() => spent) }));
}

function stricter(one: CountedWindow, other: CountedWindow): CountedWindow {
  const lower = one.remaining <= other.remaining ? one : other;
  return {
    ...lower,
    endsAt: Math.max(one.endsAt, other.endsAt),
    doubts: one.doubts.length >= other.doubts.length ? one.doubts : other.doubts,
    foreign: Math.max(one.foreign, other.foreign),
    // What is gone since the first answer no longer tells who took it: count anew.
    firstRemaining: lower.remaining,
    ours: 0,
  };
}

function later(one: CountedWindow | undefined, other: CountedWindow): CountedWindow {
  return one !== undefined && one.rateLimit.resetAt > other.rateLimit.resetAt ? one : other;
}

function laterLimit(shared: BudgetState, own: BudgetState): BudgetState['rateLimit'] {
  if (shared.rateLimit === undefined || own.rateLimit === undefined) return own.rateLimit ?? shared.rateLimit;
  return own.rateLimit.resetAt >= shared.rateLimit.resetAt ? own.rateLimit : shared.rateLimit;
}
