import type { Attempt } from '../../error-fields.js';
import type { RateLimitValues } from '../../schema/rate-limit.js';
import type { ReceivedResponse } from '../response/describe-response.js';
import { type Exchange, type TransportResponse, WithdrawnRequest } from '../transport/transport.js';

/** An attempt without a response. */
export interface AttemptFailure {
  kind: 'failed';
  startedAt: Date;
  /**
   * - `configuration`: an option of the client failed, so no retry can succeed.
   * - `invalid-response`: the received bytes are not a response.
   */
  reason: 'connection' | 'timeout' | 'aborted' | 'configuration' | 'invalid-response';
  /** Whether the service may have received part of the request. */
  sent: boolean;
  cause: unknown;
}

/** An attempt with a response. */
export interface AttemptResponse {
  kind: 'response';
  startedAt: Date;
  response: TransportResponse;
  exchange: Exchange;
}

/** The result of one attempt. */
export type AttemptResult = AttemptResponse | AttemptFailure;

/** Checks whether a request was not sent because the gate has closed since its permit was given. */
export function isWithdrawn(result: AttemptResult): boolean {
  return result.kind === 'failed' && result.cause instanceof WithdrawnRequest;
}

/** The attempts of a call and its waits so far. Only `add` and `addWait` change them. */
export class Attempts {
  /** Oldest first. The errors and events of the call refer to this list. */
  readonly list: readonly Attempt[];
  readonly #list: Attempt[] = [];
  readonly #listOfGroup: Attempt[] | undefined;
  #counted = 0;
  #waitedMs = 0;
  #waitedForLimitMs = 0;
  #last: AttemptResult | undefined;
  #last429: ReceivedResponse | undefined;

  /** @param listOfGroup the attempts of all calls of a method, if it makes several. */
  constructor(listOfGroup: Attempt[] | undefined) {
    this.list = this.#list;
    this.#listOfGroup = listOfGroup;
  }

  /** Number of attempts that count towards `attemptsMax`. */
  get counted(): number {
    return this.#counted;
  }

  /** All waits of the call for the rate limit, in milliseconds. They count towards `waitMaxMs`. */
  get waitedForLimitMs(): number {
    return this.#waitedForLimitMs;
  }

  /** The last 429 response. */
  get last429(): ReceivedResponse | undefined {
    return this.#last429;
  }

  /** Number of attempts with this status. */
  count(status: number): number {
    return this.#list.filter((attempt) => attempt.status === status).length;
  }

  /**
   * Adds an attempt that has ended. Adding it again does nothing.
   *
   * @param rateLimit the rate limit of its response, if it is a 429.
   */
  add(result: AttemptResult, { counts }: { readonly counts: boolean }, rateLimit?: RateLimitValues): void {
    if (result === this.#last) return;
    this.#last = result;
    const number = this.#list.length + 1;
    const attempt: Attempt = { number, startedAt: result.startedAt, waitedMs: Math.round(this.#waitedMs) };
    if (result.kind === 'response') attempt.status = result.response.status;
    else attempt.failure = result.reason;
    this.#list.push(attempt);
    this.#listOfGroup?.push(attempt);
    this.#waitedMs = 0;
    if (counts) this.#counted += 1;
    if (result.kind === 'response' && attempt.status === 429)
      this.#last429 = { ...result.response, rateLimit };
  }

  /**
   * Adds a wait before the next attempt.
   *
   * @param forLimitMs the part of it that counts towards `waitMaxMs`.
   */
  addWait(waitedMs: number, forLimitMs: number): void {
    this.#waitedMs += waitedMs;
    this.#waitedForLimitMs += forLimitMs;
  }
}
