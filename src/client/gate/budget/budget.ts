import type { RateLimitValues, RateWindow } from '../../../schema/rate-limit.js';

/**
 * The rate budget of one key at one origin. Plain data, so that the same rules apply in memory, in files and in Redis.
 * Times are milliseconds by the clock of the store.
 */
export interface Budget {
  /** Number of resets. A budget with more resets replaces one with fewer. */
  resetCount: number;
  /** Requests admitted so far. The serial number of a request is its position in this count. */
  sentCount: number;
  /** Admitted requests that are not reported yet. */
  inFlight: number;
  /** The known limits. At most one of each number of requests, because those of a plan always differ. */
  limits: KnownLimit[];
  /** Our requests that passed, oldest first. They count where no response shows a window. */
  passes: Pass[];
  /** Number of responses other than 429. More of them allow more simultaneous requests. */
  passedCount: number;
  /** When the last request was sent. */
  sentAt: number;
  /** Serial number of the last request, if none was in flight when it was sent. It is alone for as long as this stays. */
  aloneSerial: number | undefined;
  /** When the first 429 response without a time arrived, since the last request that passed. */
  rejectedAt: number | undefined;
  /** The last rate limit received. */
  rateLimit: RateLimitValues | undefined;
  /** No request may be sent before this time. Set by a 429 response. */
  heldUntil: number;
  /** The part of `heldUntil` that the service required. */
  retryAfterUntil: number;
  /** Consecutive 429 responses. Those to simultaneous requests count once. */
  consecutive429Count: number;
  /** Serial number of the last request that was sent before the last 429 response arrived. */
  last429Serial: number;
  /**
   * Set while the current window is unknown. Requests after this serial number are probes: a response to one of them
   * reveals the window.
   */
  unknownSince: number | undefined;
  /** Maximum number of probes in flight. */
  probesMax: number;
  probesInFlight: number;
  /** Requests lost while the window is unknown, as in `OpenWindow`. Its first response may not include them. */
  unconfirmed: number[];
  /** Requests in flight by sender. Only used if several processes share the budget. */
  leases: Lease[];
  /** Waiting processes, in order of their turns. Only used if several processes share the budget. */
  tickets: Ticket[];
}

/**
 * How a window is known. `response`: a response other than 429 has shown it. `plan`: the inferred plan has it.
 * `learned`: a 429 response has revealed it.
 */
export type WindowSource = 'response' | 'plan' | 'learned';

/** A limit. It stays when its window ends: the client then opens the next one itself. */
export interface KnownLimit {
  limit: number;
  /** The current window, if a response has shown it. Without it, the client counts its own requests. */
  open: OpenWindow | undefined;
  source: WindowSource;
  /** Whether no header names it. The client has counted the requests that passed. */
  isHidden: boolean;
  /** The window of the interface specification, if it is certain. */
  window: RateWindow | undefined;
  /** Whether responses have contradicted each window of the specification. */
  isCustom: boolean;
  /** The length of the window. A guess, unless `window` is set. */
  lengthMs: number;
  /** Shortest time between two requests, if the service rejects bursts of a hidden limit. Otherwise 0. */
  spacingMs: number;
  /** The last reset that a response other than 429 has shown, by the service's clock. */
  resetAt: number | undefined;
  /** How much later than its received resets a window ends, because the service rounds them down. */
  lateMs: number;
  /** Passes up to this time belong to a window that has ended. */
  since: number;
  /** When the number of requests was last shown, learned or raised. */
  learnedAt: number;
}

/** Requests that passed, by the times of the first and the last response. */
export interface Pass {
  from: number;
  until: number;
  count: number;
}

/** The window of a limit, as responses have shown it, and the requests counted in it. */
export interface OpenWindow {
  /**
   * Lowest number of requests left that a response reported, minus our requests that it did not include. Rises only by
   * the response to a request that was alone for its whole life.
   */
  remaining: number;
  /** The part of our subtracted requests that the service rejected. It may not have counted them. */
  rejectedCount: number;
  /** When the window ends. */
  endsAt: number;
  /** The last rate limit received for this window. */
  rateLimit: RateLimitValues;
  /**
   * Requests that the service may have counted, but no response has confirmed. Each entry is the `sentCount` when the
   * request was lost. A response to a request with a higher serial number confirms it.
   */
  unconfirmed: number[];
  /** Requests left at the first response. */
  firstRemaining: number;
  /** When the first response arrived. */
  firstAt: number;
  /** Our requests that have ended since the first response. */
  ownCount: number;
  /** Requests that other users of the key have certainly sent since the first response. */
  foreignCount: number;
}

/** A window as a response shows it. */
export interface ShownWindow {
  rateLimit: RateLimitValues;
  /** Milliseconds from the response to the reset. */
  untilResetMs: number;
  /** Length in milliseconds, if the response names it. */
  windowMs?: number | undefined;
}

/** The right of a process to have one request in flight. */
export interface Lease {
  holder: string;
  /** Unique per holder. */
  number: number;
  serial: number;
  /** After this time the request counts as sent and lost. */
  expiresAt: number;
}

/** The position of a process in the queue. */
export interface Ticket {
  holder: string;
  /** Priority level, see `GateRequest`. */
  level: number;
  /** Number of its waiting requests. */
  waitingCount: number;
  /** The process loses its turn if it has not renewed the ticket by this time. */
  expiresAt: number;
}

/** Priority level of a caller without pacing: only a 429 response delays it. */
export const UNPACED = -1;

/** Maximum length of every list in a shared state. */
export const ENTRIES_MAX = 10_000;

/** A stored budget may be deleted after two days: the longest window is a day, plus a day for wrong clocks. */
export const BUDGET_LIFETIME_MS = 2 * 86_400_000;

/** Earlier than any time. Finite, so that JSON can hold it. */
export const NEVER = Number.MIN_SAFE_INTEGER;

/** Creates the state before the first response. */
export function createBudget(): Budget {
  return {
    resetCount: 0,
    sentCount: 0,
    inFlight: 0,
    limits: [],
    passes: [],
    passedCount: 0,
    sentAt: NEVER,
    aloneSerial: undefined,
    rejectedAt: undefined,
    rateLimit: undefined,
    heldUntil: NEVER,
    retryAfterUntil: NEVER,
    consecutive429Count: 0,
    last429Serial: 0,
    unknownSince: 0,
    probesMax: 1,
    probesInFlight: 0,
    unconfirmed: [],
    leases: [],
    tickets: [],
  };
}

/** Returns the state after a reset: only the requests in flight and the queue stay. */
export function resetState(state: Budget, resetCount = state.resetCount + 1): Budget {
  const { sentCount, inFlight, leases, tickets } = state;
  return {
    ...createBudget(),
    resetCount,
    sentCount,
    inFlight,
    leases,
    tickets,
    // A response to an earlier request says nothing about probes and consecutive 429 responses.
    last429Serial: sentCount,
    unknownSince: sentCount,
  };
}

/** Whether a response has set a limit or a wait. */
export function hasLimits({ rateLimit, heldUntil, limits }: Budget): boolean {
  return rateLimit !== undefined || heldUntil > NEVER || limits.length > 0;
}
