import type { RateLimitValues } from '../../../schema/rate-limit.js';
import { countReport, countSent, type GateReport } from './budget-counting.js';
import { type Budget, ENTRIES_MAX, type Lease, type Ticket } from './budget.js';
import { availableRequests, findObstacle } from './obstacle.js';

/**
 * Pure rules for processes that share a budget. A lease shows which process has a request in flight, and a ticket which
 * process is next. Both expire if the process dies.
 */

/** Counts a request as sent by a process, until `releaseLease` or until the lease expires. */
export function addLease(
  state: Budget,
  now: number,
  { holder, number, leaseMs }: { holder: string; number: number; leaseMs: number },
): void {
  state.leases.push({ holder, number, serial: countSent(state, now), expiresAt: now + leaseMs });
}

/** Counts a request as ended. The response to an expired lease still counts. */
export function releaseLease(
  state: Budget,
  now: number,
  { holder, number, report }: { holder: string; number: number; report: GateReport },
): RateLimitValues | undefined {
  const lease = state.leases.find((other) => other.holder === holder && other.number === number);
  state.leases = state.leases.filter((other) => other !== lease);
  if (lease === undefined) {
    if (report.kind === 'no-response') return undefined;
    state.inFlight += 1;
  }
  return countReport(state, lease?.serial ?? 0, report, now);
}

/** Drops the leases and tickets that have expired or whose process is dead. Their requests count as sent and lost. */
export function dropExpired(state: Budget, now: number, isProcessDead: (holder: string) => boolean): void {
  const results = new Map<string, boolean>();
  const isDead = (holder: string): boolean => {
    const result = results.get(holder) ?? isProcessDead(holder);
    results.set(holder, result);
    return result;
  };
  releaseAsLost(state, now, ({ holder, expiresAt }) => now >= expiresAt || isDead(holder));
  state.tickets = state.tickets.filter(({ holder, expiresAt }) => now <= expiresAt && !isDead(holder));
}

/** Drops the leases and tickets of all other processes. For a process that can't reach the store. */
export function dropOthers(state: Budget, now: number, holder: string): void {
  releaseAsLost(state, now, (lease) => lease.holder !== holder);
  state.tickets = [];
}

/** Drops the leases that their own process does not know. They come from a write that seemed to have failed. */
export function dropUnknownLeases(
  state: Budget,
  now: number,
  holder: string,
  isKnown: (number: number) => boolean,
): void {
  for (const { number } of state.leases.filter((lease) => lease.holder === holder && !isKnown(lease.number)))
    releaseLease(state, now, { holder, number, report: { kind: 'no-response', sent: false } });
}

/**
 * Returns how many requests a process may send now. Leaves enough for the processes before it in the queue. If others
 * wait, it gets an equal share.
 */
export function shareFor(state: Budget, now: number, holder: string, level: number): number {
  const available = Math.min(availableRequests(state, now, level), ENTRIES_MAX - state.leases.length);
  const ownIndex = state.tickets.findIndex((ticket) => isTicketOf(ticket, holder, level));
  let claimed = 0;
  let others = 0;
  for (const [index, ticket] of state.tickets.entries()) {
    if (ticket.holder === holder) continue;
    others += 1;
    if (ownIndex === -1 || index < ownIndex)
      claimed += Math.min(ticket.waitingCount, availableRequests(state, now, ticket.level));
  }
  const free = available - claimed;
  if (free <= 0) return 0;
  return Math.max(1, Math.floor(free / (others + 1)));
}

/** The waiting requests of a process at one priority level. */
export interface Demand {
  level: number;
  waitingCount: number;
  /** Whether some of its requests were admitted just now. The process then queues behind the others. */
  wasServed: boolean;
}

/** A process that misses its poll keeps its ticket for this long. */
const TICKET_GRACE_MS = 2_000;

/** Updates the tickets of a process. They expire shortly after `pollsAt`, when the process checks again. */
export function updateTickets(
  state: Budget,
  holder: string,
  demands: readonly Demand[],
  pollsAt: number,
): void {
  const known = state.tickets;
  const tickets: Ticket[] = [];
  const newTickets: Ticket[] = [];
  for (const ticket of known) {
    if (ticket.holder !== holder) tickets.push(ticket);
    const demand = demands.find(({ level, wasServed }) => isTicketOf(ticket, holder, level) && !wasServed);
    if (demand !== undefined) tickets.push(renewTicket(ticket, demand.waitingCount, pollsAt));
  }
  for (const { level, waitingCount, wasServed } of demands) {
    const hasTicket = !wasServed && known.some((ticket) => isTicketOf(ticket, holder, level));
    if (!hasTicket) newTickets.push({ holder, level, waitingCount, expiresAt: pollsAt + TICKET_GRACE_MS });
  }
  state.tickets = [...tickets, ...newTickets];
}

/** Processes that wait for the same time poll at random times within this period after it. */
const SPREAD_MS = 20;

/**
 * Returns when a process with requests at these levels polls again: when the obstacle ends, or soon if that is unknown.
 */
export function nextPollAt(
  state: Budget,
  now: number,
  levels: readonly number[],
  { pollMs, random }: { pollMs: number; random: () => number },
): number {
  let pollsAt = Number.POSITIVE_INFINITY;
  for (const level of levels) {
    const { until, recheckAt = pollsAt } = findObstacle(state, now, level) ?? {};
    const poll = Math.min(recheckAt, now + pollMs * (0.5 + random()));
    pollsAt = Math.min(pollsAt, until === undefined ? poll : until + SPREAD_MS * random());
  }
  return pollsAt;
}

/** Returns the same ticket if it needs no change, which saves a write. */
function renewTicket(ticket: Ticket, waitingCount: number, pollsAt: number): Ticket {
  const graceMs = ticket.expiresAt - pollsAt;
  const isCurrent = graceMs >= TICKET_GRACE_MS / 2 && graceMs <= TICKET_GRACE_MS;
  if (isCurrent && waitingCount === ticket.waitingCount) return ticket;
  return { ...ticket, waitingCount, expiresAt: pollsAt + TICKET_GRACE_MS };
}

function isTicketOf(ticket: Ticket, holder: string, level: number): boolean {
  return ticket.holder === holder && ticket.level === level;
}

function releaseAsLost(state: Budget, now: number, isLost: (lease: Lease) => boolean): void {
  for (const { holder, number } of state.leases.filter(isLost))
    releaseLease(state, now, { holder, number, report: { kind: 'no-response', sent: true } });
}
