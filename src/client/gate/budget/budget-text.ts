import { inferPlan, type RateLimitValues, type RateWindow } from '../../../schema/rate-limit.js';
import {
  BUDGET_LIFETIME_MS,
  type BudgetState,
  type CountedWindow,
  createBudget,
  ENTRIES_MAX,
  type Lease,
  NEVER,
  type Ticket,
} from './budget-state.js';

/** Version of the stored format. Change it if a field of `BudgetState` gets another name or meaning. */
const FORMAT = 2;

/** Formats a budget as JSON. Infinite times become large numbers, because JSON would turn them into `null`. */
export function formatBudget(state: BudgetState): string {
  // The leases are the requests in flight.
  const stored = { format: FORMAT, ...state, inFlight: undefined };
  const text = JSON.stringify(stored);
  // Only infinite times become null. Using the replacer always would take several times as long.
  return text.includes('null') ? JSON.stringify(stored, replaceInfinite) : text;
}

function replaceInfinite(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? Number.MAX_SAFE_INTEGER : value;
}

/** Parses a stored budget. Returns `undefined` if the text is not a budget. */
export function parseBudget(text: string): BudgetState | undefined {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return undefined;
  }
  try {
    return parseState(data);
  } catch (error) {
    if (error instanceof Malformed) return undefined;
    throw error;
  }
}

/**
 * Checks that no time is further ahead than a budget is stored. A wait until such a time would never end.
 *
 * @param now current time by the clock of the ledger.
 */
export function isCredible(state: BudgetState, now: number): boolean {
  const times = [
    state.heldUntil,
    state.retryAfterUntil,
    state.probedAt,
    ...state.windows.map(({ endsAt }) => endsAt),
    ...[...state.leases, ...state.tickets].map(({ expiresAt }) => expiresAt),
  ];
  return times.every((time) => time - now <= AHEAD_MAX_MS);
}

/** Leases last at most as long as a stored budget. The hour is for requests that ended after the ledger read its clock. */
const AHEAD_MAX_MS = BUDGET_LIFETIME_MS + 3_600_000;

/** Checks whether a text can identify a process. */
export function isHolder(data: unknown): data is string {
  return typeof data === 'string' && /^[\w.:-]{1,200}$/.test(data);
}

class Malformed extends Error {}

function parseState(data: unknown): BudgetState {
  const fields = parseObject(data);
  // Of a budget of another version only the wait is known.
  if (fields.format !== FORMAT) return holdUntil(parseTime(fields.heldUntil));
  const leases = parseList(fields.leases, parseLease);
  return {
    resetCount: parseCount(fields.resetCount),
    sentCount: parseCount(fields.sentCount),
    // A stored budget has one lease for each request in flight.
    inFlight: leases.length,
    windows: parseList(fields.windows, parseWindow),
    learnedWindows: parseList(fields.learnedWindows, parseLearned),
    rateLimit: fields.rateLimit === undefined ? undefined : parseRateLimit(fields.rateLimit),
    heldUntil: parseTime(fields.heldUntil),
    retryAfterUntil: parseTime(fields.retryAfterUntil),
    consecutive429Count: parseCount(fields.consecutive429Count),
    last429Serial: parseCount(fields.last429Serial),
    unknownSince: fields.unknownSince === undefined ? undefined : parseCount(fields.unknownSince),
    probesMax: Math.max(1, parseCount(fields.probesMax)),
    probesInFlight: parseCount(fields.probesInFlight),
    probedAt: parseTime(fields.probedAt),
    leases,
    tickets: parseList(fields.tickets, parseTicket),
  };
}

function holdUntil(heldUntil: number): BudgetState {
  return { ...createBudget(), heldUntil, retryAfterUntil: heldUntil };
}

function parseWindow(data: unknown): CountedWindow {
  const fields = parseObject(data);
  return {
    remaining: parseCount(fields.remaining),
    endsAt: parseTime(fields.endsAt),
    rateLimit: parseRateLimit(fields.rateLimit),
    unconfirmed: parseList(fields.unconfirmed, parseCount),
    firstRemaining: parseCount(fields.firstRemaining),
    firstAt: parseTime(fields.firstAt),
    ownCount: parseCount(fields.ownCount),
    foreignCount: parseCount(fields.foreignCount),
  };
}

/** Infers the plan again instead of trusting the text. */
function parseRateLimit(data: unknown): RateLimitValues {
  const fields = parseObject(data);
  const limit = parseCount(fields.limit);
  const window = fields.window === undefined ? undefined : parseWindowName(fields.window);
  const plan = inferPlan(limit, window);
  return {
    limit,
    remaining: parseCount(fields.remaining),
    resetAt: parseTime(fields.resetAt),
    ...(window === undefined ? {} : { window }),
    ...(plan === undefined ? {} : { plan }),
  };
}

function parseLearned(data: unknown): { limit: number; window: RateWindow } {
  const fields = parseObject(data);
  return { limit: parseCount(fields.limit), window: parseWindowName(fields.window) };
}

function parseLease(data: unknown): Lease {
  const fields = parseObject(data);
  return {
    holder: parseHolder(fields.holder),
    number: parseCount(fields.number),
    serial: parseCount(fields.serial),
    expiresAt: parseTime(fields.expiresAt),
  };
}

function parseTicket(data: unknown): Ticket {
  const fields = parseObject(data);
  const { level } = fields;
  if (typeof level !== 'number' || !(level >= -1 && level < 100)) throw new Malformed();
  return {
    holder: parseHolder(fields.holder),
    level,
    waitingCount: parseCount(fields.waitingCount),
    expiresAt: parseTime(fields.expiresAt),
  };
}

function parseObject(data: unknown): Readonly<Record<string, unknown>> {
  if (typeof data !== 'object' || data === null || Array.isArray(data)) throw new Malformed();
  // Safe: each field is checked where it is read.
  return data as Readonly<Record<string, unknown>>;
}

function parseList<T>(data: unknown, parseEntry: (entry: unknown) => T): T[] {
  if (!Array.isArray(data) || data.length > ENTRIES_MAX) throw new Malformed();
  return data.map(parseEntry);
}

function parseCount(data: unknown): number {
  if (typeof data !== 'number' || !Number.isSafeInteger(data) || data < 0) throw new Malformed();
  return data;
}

function parseTime(data: unknown): number {
  if (typeof data !== 'number' || !Number.isFinite(data) || data < NEVER) throw new Malformed();
  return data;
}

function parseHolder(data: unknown): string {
  if (!isHolder(data)) throw new Malformed();
  return data;
}

function parseWindowName(data: unknown): RateWindow {
  if (data !== 'minute' && data !== 'day') throw new Malformed();
  return data;
}
