import type { RateLimit } from '../../../schema/rate-limit.js';

/** What a call says when it asks to be let through. */
export interface GateRequest {
  /** Ends the waiting; `enter` then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Whether to hold back what is known to exceed the budget. A 429 is obeyed either way. */
  pace: boolean;
  /** The share of each limit, in percent, that is left to other callers. Default 0. Counts only where it is paced. */
  reservePercent?: number | undefined;
  /** How long the request takes at most. Of a process that dies meanwhile, it is then counted as sent. */
  leaseMs?: number | undefined;
  /**
   * Told before each wait. `delayMs` is absent where the end depends on another call's answer.
   * May throw to refuse the wait: `enter` then rejects with what was thrown, and holds no place.
   */
  onWait(wait: GateWait): void;
}

/** A wait that a gate is about to begin. */
export interface GateWait {
  reason: 'rate-limited' | 'paced';
  /** Milliseconds until the gate may open, where that is known. */
  delayMs?: number;
  /** The part of it that the service told; the rest is jitter and backoff of our own. */
  toldMs?: number;
  /** The limit that is used up, where one is. */
  rateLimit?: RateLimit;
}

/** What a request that was let through brought back. */
export type GateReport =
  /** An answer that is not a 429. `rateLimit` and `untilResetMs` where it had the headers. */
  | { kind: 'answer'; rateLimit?: RateLimit | undefined; untilResetMs?: number | undefined }
  /** A 429. Nobody sends before `holdMs` is over; of that the service told `toldMs`. */
  | {
      kind: 'limited';
      holdMs: number;
      toldMs: number;
      rateLimit?: RateLimit | undefined;
      untilResetMs?: number | undefined;
    }
  /** No answer. `sent` tells whether the service may have counted it. */
  | { kind: 'none'; sent: boolean };

/** The right to send one request. `leave` must be called exactly once. */
export interface Permit {
  /** Tells what became of it. Returns the limit of the report, with what the gate has learned of its window. */
  leave(report: GateReport): RateLimit | undefined;
}

/**
 * Where the rate budget of one key at one origin lives. Everything that sends with this key enters by the gate, so that
 * a limit met by one holds all, and one probe goes first when it opens.
 */
export interface Gate {
  /** Resolves when one request may be sent. Synchronous where nothing has to be waited for. */
  enter(request: GateRequest): Permit | Promise<Permit>;
  /** 429s in a row without a success in between: the exponent of the next wait. */
  readonly strikes: number;
  /** The limit last seen, if any. */
  readonly rateLimit: RateLimit | undefined;
  /** Looks at what is known of every window, without a request. */
  look?(): KnownBudget | Promise<KnownBudget>;
  /** Resolves when what this process has told is known to all who share the budget. */
  flush?(): Promise<void>;
}

/** What a gate knows of its budget now. */
export interface KnownBudget {
  /** The windows that have not ended, the one that ends first before the others. */
  windows: readonly RateLimitWindow[];
  /** Milliseconds for which a 429 holds everybody; 0 where none does. */
  heldForMs: number;
}

/** A window of the rate limit as it is known now. */
export interface RateLimitWindow extends RateLimit {
  /** Requests left, less those of ours of which no answer has told yet. */
  remaining: number;
  /** Milliseconds from now to the reset, counted on a clock that does not jump. */
  resetsInMs: number;
}
