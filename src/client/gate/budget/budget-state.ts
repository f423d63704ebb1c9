import type { RateLimit, RateWindow } from '../../../schema/rate-limit.js';

/**
 * All that is known of the budget of one key at one origin: plain data, so that it can be kept in this process, in a
 * file or on a server, under the same rules (`budget.ts`). Times are milliseconds on the one clock of its place.
 */
export interface BudgetState {
  /** Requests let through, ever: each is known by its number in this row. */
  spent: number;
  /** Of those, the ones whose end has not been told. */
  underWay: number;
  /** One window a limit: the minute's and the day's limits of a plan differ, and that is how they are told apart. */
  windows: CountedWindow[];
  /** What windows limits describe, once their length has been seen. */
  learned: { limit: number; window: RateWindow }[];
  /** The limit last seen. */
  rateLimit: RateLimit | undefined;
  /** Nobody sends before this, after a 429. */
  heldUntil: number;
  /** The part of it that the service told ends here. */
  toldUntil: number;
  /** 429s in a row, those of one burst counted once. */
  strikes: number;
  /** Requests up to this number were sent before the last 429 came in: they say nothing of what came after. */
  lastStrikeSerial: number;
  /** Nothing is known of the present window until a request after this number is answered. */
  unknownSince: number | undefined;
  /** How many may be under way at once to learn it, how many are, and when the last of them was sent. */
  probesMax: number;
  probesOut: number;
  probedAt: number;
  /** The requests under way by who sent them. Only where several processes share the budget. */
  leases: Lease[];
  /** The processes that wait, first come first served. Only where several processes share the budget. */
  tickets: Ticket[];
}

/** What is known of one window. */
export interface CountedWindow {
  /** The fewest requests left that an answer told, less those of ours that its headers left out. Never rises. */
  remaining: number;
  /** When the window ends. */
  endsAt: number;
  /** As it was told last. */
  rateLimit: RateLimit;
  /**
   * Of the requests that may have been counted, and of which no answer told: how many had been sent by when that was known.
   * An answer to a later request tells.
   */
  doubts: number[];
  /** What was left at the first answer, when that was, and how many of ours have ended since: the rest is others'. */
  firstRemaining: number;
  firstAt: number;
  ours: number;
  /** Requests that others have certainly sent since then. */
  foreign: number;
}

/** The right of a process to one request. */
export interface Lease {
  holder: string;
  /** Numbers the leases of a holder. */
  number: number;
  serial: number;
  /** When its answer must have come. Later, it counts as sent and lost. */
  expiresAt: number;
}

/** A place in the queue of the processes. */
export interface Ticket {
  holder: string;
  level: number;
  /** How many requests wait there. */
  wants: number;
  /** When it looks again at the latest. A process that does not has lost its place. */
  dueAt: number;
}

/** No list of a state that others read is longer. */
export const ENTRIES_MAX = 10_000;

/** Earlier than any time. A finite number, so that it can be written as JSON. */
export const NEVER = Number.MIN_SAFE_INTEGER;

/** Makes the state of which nothing is known. */
export function createBudget(): BudgetState {
  return {
    spent: 0,
    underWay: 0,
    windows: [],
    learned: [],
    rateLimit: undefined,
    heldUntil: NEVER,
    toldUntil: NEVER,
    strikes: 0,
    lastStrikeSerial: 0,
    unknownSince: 0,
    probesMax: 1,
    probesOut: 0,
    probedAt: NEVER,
    leases: [],
    tickets: [],
  };
}
