import { DATE_MAX_MS, inferPlan, type RateLimitValues, type RateWindow } from '../../../schema/rate-limit.js';
import {
  BUDGET_LIFETIME_MS,
  type Budget,
  createBudget,
  ENTRIES_MAX,
  type KnownLimit,
  type Lease,
  type OpenWindow,
  type Pass,
  type Ticket,
  type WindowSource,
} from './budget.js';
import { openWindows } from './passes.js';

/** Version of the stored format. Change it if a field of `Budget` gets another name or meaning. */
const FORMAT = 5;

/** Formats a budget as JSON. Infinite times become large numbers, because JSON would turn them into `null`. */
export function formatBudget(state: Budget): string {
  // The leases are the requests in flight.
  const stored = { format: FORMAT, ...state, inFlight: undefined, passes: packPasses(state.passes) };
  const text = JSON.stringify(stored);
  // Only infinite times become null. Using the replacer always would take several times as long.
  return text.includes('null') ? JSON.stringify(stored, replaceInfinite) : text;
}

function replaceInfinite(_: string, value: unknown): unknown {
  return typeof value === 'number' && !Number.isFinite(value) ? Number.MAX_SAFE_INTEGER : value;
}

/** Parses a stored budget. Returns `undefined` if the text is not a budget. */
export function parseBudget(text: string): Budget | undefined {
  try {
    const data: unknown = JSON.parse(text);
    const { format, heldUntil } = record(data);
    // Of a budget of another version only the wait is known.
    if (format !== FORMAT)
      return { ...createBudget(), heldUntil: time(heldUntil), retryAfterUntil: time(heldUntil) };
    const state = storedState(data);
    // A stored budget has one lease for each request in flight.
    return { ...state, inFlight: state.leases.length };
  } catch {
    return undefined;
  }
}

/**
 * Checks that no time is further ahead than a budget is stored. A wait until such a time would never end.
 *
 * @param now current time by the clock of the store.
 */
export function isCredible(state: Budget, now: number): boolean {
  const times = [
    state.heldUntil,
    state.retryAfterUntil,
    state.sentAt,
    // In order of time.
    ...state.passes.slice(-1).map(({ until }) => until),
    ...state.limits.flatMap(({ since, learnedAt }) => [since, learnedAt]),
    ...openWindows(state).map(({ endsAt }) => endsAt),
    ...[...state.leases, ...state.tickets].map(({ expiresAt }) => expiresAt),
  ];
  return times.every((time) => time - now <= AHEAD_MAX_MS);
}

/** Leases last at most as long as a stored budget. The hour is for requests that ended after the store read its clock. */
const AHEAD_MAX_MS = BUDGET_LIFETIME_MS + 3_600_000;

/** Checks whether a text can identify a process. */
export function isHolder(data: unknown): data is string {
  return typeof data === 'string' && /^[\w.:-]{1,200}$/.test(data);
}

/** Returns the value of a field, or throws if it is not valid. */
type Parse<T> = (data: unknown) => T;

/** Each record has a field that no other value has. */
const record: Parse<Readonly<Record<string, unknown>>> = (data) => data as Readonly<Record<string, unknown>>;

const time: Parse<number> = (data) => {
  check(Number.isFinite(data));
  return data as number;
};

const resetTime: Parse<number> = (data) => {
  check(time(data) <= DATE_MAX_MS);
  return data as number;
};

const count: Parse<number> = (data) => {
  check(Number.isSafeInteger(data) && time(data) >= 0);
  return data as number;
};

const level: Parse<number> = (data) => {
  check(time(data) < 100);
  return data as number;
};

const holder: Parse<string> = (data) => {
  check(isHolder(data));
  return data;
};

const flag: Parse<boolean> = (data) => {
  check(typeof data === 'boolean');
  return data;
};

const windowSource: Parse<WindowSource> = (data) => {
  check(data === 'response' || data === 'plan' || data === 'learned');
  return data;
};

const windowName: Parse<RateWindow> = (data) => {
  check(data === 'minute' || data === 'day');
  return data;
};

function optional<T>(parse: Parse<T>): Parse<T | undefined> {
  return (data) => (data === undefined ? undefined : parse(data));
}

function listOf<T>(parse: Parse<T>): Parse<T[]> {
  return (data) => {
    check(Array.isArray(data) && data.length <= ENTRIES_MAX);
    return data.map((entry) => parse(entry));
  };
}

function objectOf<T extends object>(fields: { readonly [K in keyof T]-?: Parse<T[K]> }): Parse<T> {
  const entries = Object.entries<Parse<unknown>>(fields);
  return (data) => {
    const values = record(data);
    const parsed: Record<string, unknown> = {};
    for (const [name, parse] of entries) parsed[name] = parse(values[name]);
    // Safe: each field was parsed to its type.
    return parsed as T;
  };
}

function check(isValid: boolean): asserts isValid {
  if (!isValid) throw new Error('The text is not a budget');
}

/**
 * Packs passes as one list of differences: from the end of the one before, its duration, its count. Each update of a
 * shared budget reads and writes all of them.
 */
function packPasses(passes: readonly Pass[]): number[] {
  let before = 0;
  return passes.flatMap(({ from, until, count: requests }) => {
    const packed = [from - before, until - from, requests];
    before = until;
    return packed;
  });
}

function unpackPasses(data: unknown): Pass[] {
  const packed = listOf(time)(data);
  check(packed.length % 3 === 0);
  const passes: Pass[] = [];
  let before = 0;
  for (let index = 0; index < packed.length; index += 3) {
    const [sinceBefore = 0, durationMs = 0, requests] = packed.slice(index, index + 3);
    check((index === 0 || sinceBefore >= 0) && durationMs >= 0);
    const from = before + sinceBefore;
    before = from + durationMs;
    passes.push({ from, until: before, count: count(requests) });
  }
  return passes;
}

const limit = objectOf({ limit: count, remaining: count, resetAt: resetTime, window: optional(windowName) });

/** Infers the plan again instead of trusting the text. */
const rateLimit: Parse<RateLimitValues> = (data) => {
  const { window, ...values } = limit(data);
  const plan = inferPlan(values.limit, window);
  return { ...values, ...(window && { window }), ...(plan && { plan }) };
};

const storedState = objectOf<Omit<Budget, 'inFlight'>>({
  resetCount: count,
  sentCount: count,
  limits: listOf(
    objectOf<KnownLimit>({
      limit: count,
      open: optional(
        objectOf<OpenWindow>({
          remaining: count,
          rejectedCount: count,
          endsAt: time,
          rateLimit,
          unconfirmed: listOf(count),
          firstRemaining: count,
          firstAt: time,
          ownCount: count,
          foreignCount: count,
        }),
      ),
      source: windowSource,
      isHidden: flag,
      window: optional(windowName),
      isCustom: flag,
      lengthMs: time,
      spacingMs: time,
      resetAt: optional(resetTime),
      lateMs: time,
      since: time,
      learnedAt: time,
    }),
  ),
  passes: unpackPasses,
  passedCount: count,
  sentAt: time,
  aloneSerial: optional(count),
  rejectedAt: optional(time),
  rateLimit: optional(rateLimit),
  heldUntil: time,
  retryAfterUntil: time,
  consecutive429Count: count,
  last429Serial: count,
  unknownSince: optional(count),
  probesMax: (data) => Math.max(1, count(data)),
  probesInFlight: count,
  unconfirmed: listOf(count),
  leases: listOf(objectOf<Lease>({ holder, number: count, serial: count, expiresAt: time })),
  tickets: listOf(objectOf<Ticket>({ holder, level, waitingCount: count, expiresAt: time })),
});
