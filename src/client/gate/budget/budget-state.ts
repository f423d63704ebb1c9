import type { RateLimit, RateWindow } from '../../../schema/rate-limit.js';

/**
 * Everything known about the rate budget of one key at one origin. Plain data, so that memory, files and servers can
 * hold it under the same rules. Times are milliseconds on the clock of the ledger.
 */
export interface BudgetState {
  /** Requests admitted so far. The serial number of a request is its position in this count. */
  sentCount: number;
  /** Admitted requests without a report yet. */
  inFlight: number;
  /** One window per limit: the minute limit and the day limit of a plan always differ. */
  windows: CountedWindow[];
  /** Limits whose window length has been observed. */
  learnedWindows: { limit: number; window: RateWindow }[];
  /** Last seen limit. */
  rateLimit: RateLimit | undefined;
  /** No request may be sent before this time, after a 429 response. */
  heldUntil: number;
  /** The part of `heldUntil` that the service required. */
  retryAfterUntil: number;
  /** 429 responses in a row. Those of one burst count once. */
  consecutive429Count: number;
  /** Requests up to this serial number were sent before the last 429 response arrived. */
  last429Serial: number;
  /** Set while the current window is unknown: only a response to a request after this serial number reveals it. */
  unknownSince: number | undefined;
  /** How many probes may be in flight while the window is unknown, how many are, and when the last one was sent. */
  probesMax: number;
  probesInFlight: number;
  probedAt: number;
  /** Requests in flight by sender. Only used if several processes share the budget. */
  leases: Lease[];
  /** Waiting processes, first come, first served. Only used if several processes share the budget. */
  tickets: Ticket[];
}

/** What is known about one window. */
export interface CountedWindow {
  /** Lowest number of requests left in any response, less our requests that it did not include. Never rises. */
  remaining: number;
  /** When the window ends. */
  endsAt: number;
  /** Last seen limit. */
  rateLimit: RateLimit;
  /**
   * Requests that the service may have counted, but no response has confirmed. Each entry is the `sentCount` when the
   * request was lost: a response to a later request includes it.
   */
  unconfirmed: number[];
  /** Requests left at the first response, its time, and how many of our requests have ended since. */
  firstRemaining: number;
  firstAt: number;
  ownCount: number;
  /** Requests that other users of the key have certainly sent since then. */
  foreignCount: number;
}

/** The right of a process to have one request in flight. */
export interface Lease {
  holder: string;
  /** Unique per holder. */
  number: number;
  serial: number;
  /** From then on the request counts as sent and lost. */
  expiresAt: number;
}

/** The position of a process in the queue. */
export interface Ticket {
  holder: string;
  /** Priority level, see `priorityLevel`. */
  level: number;
  /** How many of its requests wait. */
  waitingCount: number;
  /** A process that has not renewed its ticket by then loses its turn. */
  expiresAt: number;
}

/** Maximum length of every list in a shared state. */
export const ENTRIES_MAX = 10_000;

/** Earlier than any time. Finite, so that JSON can hold it. */
export const NEVER = Number.MIN_SAFE_INTEGER;

/** Creates a state in which nothing is known. */
export function createBudget(): BudgetState {
  return {
    sentCount: 0,
    inFlight: 0,
    windows: [],
    learnedWindows: [],
    rateLimit: undefined,
    heldUntil: NEVER,
    retryAfterUntil: NEVER,
    consecutive429Count: 0,
    last429Serial: 0,
    unknownSince: 0,
    probesMax: 1,
    probesInFlight: 0,
    probedAt: NEVER,
    leases: [],
    tickets: [],
  };
}
