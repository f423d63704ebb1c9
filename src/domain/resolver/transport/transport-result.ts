import type { QueryFailureReason } from '../dns.js';
import type { StopSignal } from '../../concurrency/stop-signal.js';

/** No honest answer to these questions is larger; a larger one only costs time. */
export const MESSAGE_BYTES_MAX = 16 * 1024;

/** No answer, and why. */
export interface QueryFailure {
  kind: 'failure';
  reason: QueryFailureReason;
  /** A few words for people. */
  detail: string;
}

/** What a transport hands over: the bytes of an answer, unread, or why there are none. */
export type TransportResult = { kind: 'message'; message: Buffer } | QueryFailure;

/** The time, as the resolver sees it. A test hands in a virtual one. */
export interface ResolverClock {
  /** Milliseconds. Only differences count. */
  now(): number;
  /** Calls once after `delayMs`. Returns what cancels it. */
  setTimeout(callback: () => void, delayMs: number): () => void;
}

/** What ends the wait for one answer. */
export interface QueryLimits {
  timeoutMs: number;
  clock: ResolverClock;
  stop: StopSignal;
}

/**
 * Runs one exchange until it ends itself, its time is up or it is stopped, whichever comes first.
 *
 * @param begin Starts it. Calls `end` with what came of it; returns what frees its resources, called once in any case.
 */
export function withinLimits(
  { timeoutMs, clock, stop }: QueryLimits,
  begin: (end: (delivery: TransportResult) => void) => () => void,
): Promise<TransportResult> {
  if (stop.isStopped) return Promise.resolve(queryFailure('aborted', 'stopped'));
  return new Promise((resolve) => {
    let ended = false;
    let free = (): void => undefined;
    const end = (delivery: TransportResult): void => {
      if (ended) return;
      ended = true;
      cancel();
      unsubscribe();
      free();
      resolve(delivery);
    };
    const cancel = clock.setTimeout(() => {
      end(queryFailure('timeout', `no answer within ${timeoutMs / 1000} s`));
    }, timeoutMs);
    const unsubscribe = stop.subscribe(() => {
      end(queryFailure('aborted', 'stopped'));
    });
    free = begin(end);
    // What ended while it began has yet to be freed.
    if (ended) free();
  });
}

export function queryFailure(reason: QueryFailureReason, detail: string): QueryFailure {
  return { kind: 'failure', reason, detail };
}

const SOCKET_FAILURES: Readonly<Record<string, string>> = {
  EACCES: 'not permitted',
  EADDRNOTAVAIL: 'no address of this family here',
  EAFNOSUPPORT: 'no address of this family here',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ENOTFOUND: 'the host name has no address',
  EPERM: 'not permitted',
  ETIMEDOUT: 'connection timed out',
};

/** The silence that an error of a socket means. */
export function socketFailure(error: NodeJS.ErrnoException): QueryFailure {
  const code = error.code ?? 'unknown';
  return queryFailure('unreachable', SOCKET_FAILURES[code] ?? `connection failed (${code})`);
}
