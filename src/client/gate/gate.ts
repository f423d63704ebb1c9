import type { RateLimitValues } from '../../schema/rate-limit.js';
import type { GateReport } from './budget/budget-counting.js';
import type { KnownBudget } from './budget/known-budget.js';

/** Admits the requests of one key at one origin, so that a 429 response to one of them delays all. */
export interface Gate {
  /** Resolves when one request may be sent. Returns the permit synchronously if no wait is needed. */
  acquire(request: GateRequest): Permit | Promise<Permit>;
  /**
   * Reads what other processes have stored since the last update, such as a 429 response. Absent if no other process
   * shares the gate.
   */
  refresh?(): void | Promise<void>;
  /** Consecutive 429 responses: the exponent of the next backoff. */
  readonly consecutive429Count: number;
  /** The last rate limit received. */
  readonly rateLimit: RateLimitValues | undefined;
  /** Whether the gate can be dropped: no request is in flight, waiting or held. */
  readonly isIdle: boolean;
  /** Returns every known window. Sends no request to the service. */
  readBudget(): KnownBudget | Promise<KnownBudget>;
  /**
   * Forgets the limits and the waits. Requests in flight still count.
   *
   * @returns whether a limit or a wait was known.
   */
  reset(): boolean | Promise<boolean>;
  /** Resolves when the outcomes of all ended requests are stored. */
  flush(): Promise<void>;
}

/** A call that wants to send one request. */
export interface GateRequest {
  /** Ends the wait; `acquire` then rejects with the signal's reason. */
  signal?: AbortSignal | undefined;
  /**
   * Priority level: the share of each limit, in percent, to leave to other callers. Lower levels are served first. `UNPACED`
   * for a request that is delayed only after a 429.
   */
  level: number;
  /** Maximum duration of the request. If the process dies, the request counts as sent after this time. */
  leaseMs?: number | undefined;
  /** Called before each wait. May throw to refuse the wait: `acquire` then rejects with that error. */
  onWait(wait: GateWait): void;
}

/** A wait that is about to start. */
export interface GateWait {
  reason: 'rate-limited' | 'paced';
  /** Milliseconds until the gate may open. Absent if this depends on the response to another request. */
  delayMs?: number;
  /**
   * The part of `delayMs` that the service or a published plan requires. The rest is jitter and backoff. Absent if the
   * client alone has chosen the wait.
   */
  retryAfterMs?: number;
  /** The limit that is used up. */
  rateLimit?: RateLimitValues;
}

/** The right to send one request. */
export interface Permit {
  /**
   * Reports how the request ended. Later calls do nothing. Returns the reported rate limit, with its inferred window and
   * plan.
   */
  release(report: GateReport): RateLimitValues | undefined;
}
