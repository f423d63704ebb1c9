import type { RateLimit } from '../../schema/rate-limit.js';
import { settle, spend } from './budget/budget-counting.js';
import { type BudgetState, ENTRIES_MAX, type Ticket } from './budget/budget-state.js';
import { obstacle, spareRequests } from './budget/budget.js';
import type { GateReport } from './budget/gate.js';

/**
 * The rules among processes: whose a request under way is, who is next, and what becomes of a process that dies. Pure, as
 * `budget.ts` is.
 */

/** Counts a request as sent by a holder, until `release` or until its time is over. */
export function takeLease(
  state: BudgetState,
  now: number,
  lease: { holder: string; number: number; leaseMs: number },
): void {
  const { holder, number, leaseMs } = lease;
  state.leases.push({ holder, number, serial: spend(state, now), expiresAt: now + leaseMs });
}

/** Counts a request as over. One whose lease is gone was given up as lost; what its answer tells is true all the same. */
export function release(
  state: BudgetState,
  now: number,
  { holder, number, report }: { holder: string; number: number; report: GateReport },
): RateLimit | undefined {
  const index = state.leases.findIndex((lease) => lease.holder === holder && lease.number === number);
  const [lease] = index === -1 ? [] : state.leases.splice(index, 1);
  if (lease === undefined) {
    if (report.kind === 'none') return undefined;
    state.underWay += 1;
  }
  return settle(state, lease?.serial ?? 0, report, now);
}

/**
 * Frees what nobody answers for any more: requests whose time is over, and all that belongs to the dead. The requests may
 * have been sent, and count as lost.
 */
export function reap(state: BudgetState, now: number, isGone: (holder: string) => boolean): void {
  if (state.leases.length === 0 && state.tickets.length === 0) return;
  const gone = new Map<string, boolean>();
  const isDead = (holder: string): boolean => {
    const known = gone.get(holder) ?? isGone(holder);
    gone.set(holder, known);
    return known;
  };
  giveUpLeases(state, now, ({ holder, expiresAt }) => now >= expiresAt || isDead(holder));
  if (state.tickets.length > 0) {
    state.tickets = state.tickets.filter(({ holder, dueAt }) => now <= dueAt && !isDead(holder));
  }
}

/** Drops everything of the others, as if they were dead: for a process that has lost sight of them. */
export function forgetOthers(state: BudgetState, now: number, holder: string): void {
  giveUpLeases(state, now, (lease) => lease.holder !== holder);
  state.tickets = [];
}

/** Drops the leases of a holder that it does not know itself: those of a swap that came to nothing as far as it could see. */
export function disown(
  state: BudgetState,
  now: number,
  holder: string,
  isOwn: (number: number) => boolean,
): void {
  for (const { number } of state.leases.filter((lease) => lease.holder === holder && !isOwn(lease.number)))
    release(state, now, { holder, number, report: { kind: 'none', sent: false } });
}

/**
 * How many requests a holder may send now. What those before it wait for is left to them, and where anybody else waits
 * nobody takes more than an equal share at a time: the next turn brings the next share.
 */
export function shareOf(state: BudgetState, now: number, holder: string, level: number): number {
  const spare = Math.min(spareRequests(state, now, level), ENTRIES_MAX - state.leases.length);
  if (spare <= 0) return 0;
  const own = state.tickets.findIndex((ticket) => isTicketOf(ticket, holder, level));
  let claimed = 0;
  let others = 0;
  for (const [place, ticket] of state.tickets.entries()) {
    if (ticket.holder === holder) continue;
    others += 1;
    if (own === -1 || place < own) claimed += Math.min(ticket.wants, spareRequests(state, now, ticket.level));
  }
  const free = spare - claimed;
  if (free <= 0 || others === 0) return Math.max(0, free);
  return Math.max(1, Math.floor(free / (others + 1)));
}

/** What a holder waits for at one level. */
export interface Demand {
  level: number;
  wants: number;
  /** Whether it has just been served: then it stands behind those who have not. */
  served: boolean;
}

/**
 * Brings the places of a holder up to date.
 *
 * @param looksAt when it looks again. Its places are kept for it a little longer, and lost after that.
 */
export function queueUp(
  state: BudgetState,
  holder: string,
  demands: readonly Demand[],
  looksAt: number,
): void {
  const known = state.tickets;
  const tickets: Ticket[] = [];
  const behind: Ticket[] = [];
  for (const ticket of known) {
    if (ticket.holder !== holder) tickets.push(ticket);
    const demand = demands.find(({ level, served }) => isTicketOf(ticket, holder, level) && !served);
    if (demand !== undefined) tickets.push(renewed(ticket, demand.wants, looksAt));
  }
  for (const { level, wants, served } of demands) {
    const stands = !served && known.some((ticket) => isTicketOf(ticket, holder, level));
    if (!stands) behind.push({ holder, level, wants, dueAt: looksAt + TICKET_KEPT_MS });
  }
  if (tickets.length > 0 || behind.length > 0 || known.length > 0) state.tickets = [...tickets, ...behind];
}

/**
 * When who waits at these levels looks again: at the end of what stands in the way, or soon where that is another's
 * answer.
 */
export function nextLook(
  state: BudgetState,
  now: number,
  levels: readonly number[],
  { pollMs, random }: { pollMs: number; random: () => number },
): number {
  let looksAt = Number.POSITIVE_INFINITY;
  for (const level of levels) {
    const { until, lapsesAt = looksAt } = obstacle(state, now, level) ?? {};
    const poll = Math.min(lapsesAt, now + pollMs * (0.5 + random()));
    looksAt = Math.min(looksAt, until === undefined ? poll : until + SPREAD_MS * random());
  }
  return looksAt;
}

/** Processes that wait for one moment come within this time after it, not all at once. */
const SPREAD_MS = 20;
/** So long a place is kept for a process that does not look when it said it would. */
const TICKET_KEPT_MS = 2_000;

/** A ticket is written anew only where it would lapse before its holder looks, or be kept long after its holder has died. */
function renewed(ticket: Ticket, wants: number, looksAt: number): Ticket {
  const keptMs = ticket.dueAt - looksAt;
  const dueAt =
    keptMs >= TICKET_KEPT_MS / 2 && keptMs <= TICKET_KEPT_MS ? ticket.dueAt : looksAt + TICKET_KEPT_MS;
  return dueAt === ticket.dueAt && wants === ticket.wants ? ticket : { ...ticket, wants, dueAt };
}

function isTicketOf(ticket: Ticket, holder: string, level: number): boolean {
  return ticket.holder === holder && ticket.level === level;
}

function giveUpLeases(
  state: BudgetState,
  now: number,
  isLost: (lease: BudgetState['leases'][number]) => boolean,
): void {
  for (const { holder, number } of state.leases.filter(isLost))
    release(state, now, { holder, number, report: { kind: 'none', sent: true } });
}
