import type { SilenceReason } from '../dns.js';
import type { Stop } from '../../concurrency/stop.js';

/** No honest answer to these questions is larger; a larger one only costs time. */
export const MESSAGE_BYTES_MAX = 16 * 1024;

/** No answer, and why. */
export interface Silence {
  kind: 'silence';
  reason: SilenceReason;
  /** A few words for people. */
  detail: string;
}

/** What a transport hands over: the bytes of an answer, unread, or why there are none. */
export type Delivery = { kind: 'message'; message: Buffer } | Silence;

/** The time, as the resolver sees it. A test hands in a virtual one. */
export interface ResolverClock {
  /** Milliseconds. Only differences count. */
  now(): number;
  /** Calls once after `delayMs`. Returns what cancels it. */
  setTimeout(callback: () => void, delayMs: number): () => void;
}

/** What ends the wait for one answer. */
export interface Limits {
  timeoutMs: number;
  clock: ResolverClock;
  stop: Stop;
}

/**
 * Runs one exchange until it ends itself, its time is up or it is stopped, whichever comes first.
 *
 * @param begin Starts it. Calls `end` with what came of it; returns what frees its resources, called once in any case.
 */
export function withinLimits(
  { timeoutMs, clock, stop }: Limits,
  begin: (end: (delivery: Delivery) => void) => () => void,
): Promise<Delivery> {
  if (stop.stopped) return Promise.resolve(silence('aborted', 'stopped'));
  return new Promise((resolve) => {
    let ended = false;
    let free = (): void => undefined;
    const end = (delivery: Delivery): void => {
      if (ended) return;
      ended = true;
      cancel();
      unsubscribe();
      free();
      resolve(delivery);
    };
    const cancel = clock.setTimeout(() => {
      end(silence('timeout', `no answer within ${timeoutMs / 1000} s`));
    }, timeoutMs);
    const unsubscribe = stop.subscribe(() => {
      end(silence('aborted', 'stopped'));
    });
    free = begin(end);
    // What ended while it began has yet to be freed.
    if (ended) free();
  });
}

export function silence(reason: SilenceReason, detail: string): Silence {
  return { kind: 'silence', reason, detail };
}

const SOCKET_TROUBLES: Readonly<Record<string, string>> = {
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
export function socketSilence(error: NodeJS.ErrnoException): Silence {
  const code = error.code ?? 'unknown';
  return silence('unreachable', SOCKET_TROUBLES[code] ?? `connection failed (${code})`);
}
