import { inferPlan, type RateLimit, type RateWindow } from '../../../schema/rate-limit.js';
import {
  type BudgetState,
  type CountedWindow,
  createBudget,
  ENTRIES_MAX,
  type Lease,
  NEVER,
  type Ticket,
} from './budget-state.js';

/**
 * The budget as text, for a ledger. What comes back was perhaps torn, emptied, or written by another program or by
 * another version of this one: it is taken whole, checked, or not at all.
 */

/** Changes where a text of an older version would be misread. */
const FORMAT = 1;

/**
 * Writes a budget, so that it can be read again whatever a caller's settings made of it: in JSON an infinite wait would be
 * `null`, and the budget none for everybody.
 */
export function writeBudget(state: BudgetState): string {
  return JSON.stringify({ format: FORMAT, ...state }, (_, value: unknown) =>
    typeof value === 'number' && !Number.isFinite(value) ? Number.MAX_SAFE_INTEGER : value,
  );
}

/** Reads a budget; `undefined` where the text is none. */
export function parseBudget(text: string): BudgetState | undefined {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return undefined;
  }
  try {
    return readState(data);
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

class Malformed extends Error {}

function readState(data: unknown): BudgetState {
  const fields = record(data);
  if (fields.format !== FORMAT) throw new Malformed();
  const leases = list(fields.leases, readLease);
  return {
    ...createBudget(),
    spent: count(fields.spent),
    // Whoever shares the budget has a lease for each.
    underWay: leases.length,
    windows: list(fields.windows, readWindow),
    learned: list(fields.learned, readLearned),
    rateLimit: fields.rateLimit === undefined ? undefined : readRateLimit(fields.rateLimit),
    heldUntil: moment(fields.heldUntil),
    toldUntil: moment(fields.toldUntil),
    strikes: count(fields.strikes),
    lastStrikeSerial: count(fields.lastStrikeSerial),
    unknownSince: fields.unknownSince === undefined ? undefined : count(fields.unknownSince),
    probesMax: Math.max(1, count(fields.probesMax)),
    probesOut: count(fields.probesOut),
    probedAt: moment(fields.probedAt),
    leases,
    tickets: list(fields.tickets, readTicket),
  };
}

function readWindow(data: unknown): CountedWindow {
  const fields = record(data);
  return {
    remaining: count(fields.remaining),
    endsAt: moment(fields.endsAt),
    rateLimit: readRateLimit(fields.rateLimit),
    doubts: list(fields.doubts, count),
    firstRemaining: count(fields.firstRemaining),
    firstAt: moment(fields.firstAt),
    ours: count(fields.ours),
    foreign: count(fields.foreign),
  };
}

/** The plan is inferred anew: a text can't name one that the limit does not tell. */
function readRateLimit(data: unknown): RateLimit {
  const fields = record(data);
  const limit = count(fields.limit);
  const window = fields.window === undefined ? undefined : readWindowName(fields.window);
  const plan = inferPlan(limit, window);
  return {
    limit,
    remaining: count(fields.remaining),
    resetAt: moment(fields.resetAt),
    ...(window === undefined ? {} : { window }),
    ...(plan === undefined ? {} : { plan }),
  };
}

function readLearned(data: unknown): { limit: number; window: RateWindow } {
  const fields = record(data);
  return { limit: count(fields.limit), window: readWindowName(fields.window) };
}

function readLease(data: unknown): Lease {
  const fields = record(data);
  return {
    holder: holderName(fields.holder),
    number: count(fields.number),
    serial: count(fields.serial),
    expiresAt: moment(fields.expiresAt),
  };
}

function readTicket(data: unknown): Ticket {
  const fields = record(data);
  const { level } = fields;
  if (typeof level !== 'number' || !(level >= -1 && level < 100)) throw new Malformed();
  return {
    holder: holderName(fields.holder),
    level,
    wants: count(fields.wants),
    dueAt: moment(fields.dueAt),
  };
}

function record(data: unknown): Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new Malformed();
  // An object that is no list has fields of any kind; each is checked where it is read.
  return data as Readonly<Record<string, unknown>>;
}

function list<T>(data: unknown, read: (entry: unknown) => T): T[] {
  if (!Array.isArray(data) || data.length > ENTRIES_MAX) throw new Malformed();
  return data.map(read);
}

function count(data: unknown): number {
  if (typeof data !== 'number' || !Number.isSafeInteger(data) || data < 0) throw new Malformed();
  return data;
}

function moment(data: unknown): number {
  if (typeof data !== 'number' || !Number.isFinite(data) || data < NEVER) throw new Malformed();
  return data;
}

function holderName(data: unknown): string {
  if (typeof data !== 'string' || !/^[\w.:-]{1,200}$/.test(data)) throw new Malformed();
  return data;
}

function readWindowName(data: unknown): RateWindow {
  if (data !== 'minute' && data !== 'day') throw new Malformed();
  return data;
}
