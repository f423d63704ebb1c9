import type { RateLimit } from '../../schema/rate-limit.js';
import type { GateReport } from './budget/budget-counting.js';
import type { KnownBudget } from './budget/known-budget.js';

/** Admits the requests of one key at one origin, so that a 429 response to one of them holds back all. */
export interface Gate {
  /** Resolves when one request may be sent. Returns the permit synchronously if no wait is needed. */
  acquire(request: GateRequest): Permit | Promise<Permit>;
  /** 429 responses in a row, without a success in between: the exponent of the next backoff. */
  readonly consecutive429Count: number;
  /** Last seen rate limit. */
  readonly rateLimit: RateLimit | undefined;
  /** Whether it can be dropped: nothing is in flight, waiting or held back. */
  readonly isIdle: boolean;
  /** Reads every known window. Sends no request to the service. */
  readBudget(): KnownBudget | Promise<KnownBudget>;
  /** Resolves when all reports of this process are stored. */
  flush(): Promise<void>;
}

/** A call that wants to send one request. */
export interface GateRequest {
  /** Ends the wait; `acquire` then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /** Whether to hold back requests that are known to exceed the budget. A 429 response holds back every request. */
  pace: boolean;
  /** Share of each limit to leave to other callers, in percent. Only used if `pace` is set. @default 0 */
  reservePercent?: number | undefined;
  /** Longest duration of the request. If the process dies, the request counts as sent after this time. */
  leaseMs?: number | undefined;
  /** Called before each wait. May throw to refuse the wait: `acquire` then rejects with that error. */
  onWait(wait: GateWait): void;
}

/** A wait that is about to start. */
export interface GateWait {
  reason: 'rate-limited' | 'paced';
  /** Milliseconds until the gate may open. Absent if that depends on the response to another request. */
  delayMs?: number;
  /** The part of `delayMs` that the service requires. The rest is jitter and backoff. */
  retryAfterMs?: number;
  /** The limit that is used up. */
  rateLimit?: RateLimit;
}

/** The right to send one request. */
export interface Permit {
  /** Must be called exactly once. Returns the limit in the report, with the window and plan inferred. */
  release(report: GateReport): RateLimit | undefined;
}
