import type { ErrorType, Outcome } from '../../error-fields.js';
import type { RateLimit } from '../../schema/rate-limit.js';

/** Why a call waits. */
export type WaitReason =
  /** The service responded with 429. */
  | 'rate-limited'
  /** The rate budget is used up, or another call is finding out the limit. */
  | 'paced'
  /** The next attempt follows a failure. */
  | 'backoff';

/**
 * An event of a call. All events of one call have the same number `call`. `attempt` counts from 1. Durations are whole
 * milliseconds. Headers that may contain secrets are redacted.
 */
export type ClientEvent =
  /**
   * A call starts. `operation` is the specification's name, such as `listPets`; otherwise `request`, `listAll` or `find`.
   * `parent` is the number of the `listAll` or `find` that the call is a part of.
   */
  | { type: 'call-start'; call: number; operation: string; parent?: number }
  /**
   * A call has ended. `outcome` is `succeeded`, or the outcome of its error. `errorType` is the `type` of that error.
   * `attempts` is the number of its requests. `status` is that of the last one, if it had a response.
   */
  | {
      type: 'call-end';
      call: number;
      operation: string;
      parent?: number;
      durationMs: number;
      attempts: number;
      status?: number;
      outcome: 'succeeded' | Outcome;
      errorType?: ErrorType;
    }
  /** A request is about to be sent. `attempt` starts at 1. The headers have no API key. */
  | {
      type: 'request';
      call: number;
      attempt: number;
      method: string;
      url: string;
      headers: Readonly<Record<string, string>>;
      body?: string;
    }
  /** A response was received. `bytes` is the size of the decoded body. */
  | {
      type: 'response';
      call: number;
      attempt: number;
      status: number;
      headers: Readonly<Record<string, string>>;
      bytes: number;
      elapsedMs: number;
    }
  /** An attempt ended without a response. */
  | { type: 'failure'; call: number; attempt: number; message: string; elapsedMs: number }
  /** A wait starts. `delayMs` is absent if its end depends on another call. */
  | { type: 'wait'; call: number; attempt: number; reason: WaitReason; delayMs?: number; until?: Date }
  /** A response had the headers of the rate limit. */
  | { type: 'rate-limit'; call: number; rateLimit: RateLimit };
