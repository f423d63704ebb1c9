import type { QueryFailureReason } from './dns.js';
import { type ExchangeLimits, untilEnd } from './concurrency/stop-signal.js';

/** The largest message over TCP (RFC 1035, section 4.2.2). */
export const MESSAGE_BYTES_MAX = 0xffff;

/** A query without a response. */
export interface QueryFailure {
  kind: 'failure';
  reason: QueryFailureReason;
  /** A few words to show. */
  detail: string;
  /** Whether this machine has no route to the server, or no address of its family. */
  isWithoutRoute?: true;
  /** Whether the server responded over UDP that the response is too long for it. */
  isTruncated?: true;
}

/** The result of a transport: the bytes of a response, not yet decoded, or a failure. */
export type TransportResult = { kind: 'message'; message: Buffer } | QueryFailure;

/** Runs one exchange within its limits. */
export function withinLimits(
  limits: ExchangeLimits,
  start: (end: (result: TransportResult) => void) => () => void,
): Promise<TransportResult> {
  const late = (detail: string): QueryFailure => queryFailure('timeout', detail);
  return untilEnd(limits, start, { late, stopped: queryFailure('aborted', 'stopped') });
}

/** Creates the result of a failed exchange. */
export function queryFailure(reason: QueryFailureReason, detail: string): QueryFailure {
  return { kind: 'failure', reason, detail };
}

const SOCKET_FAILURES: Readonly<Record<string, string>> = {
  EACCES: 'not permitted',
  EADDRNOTAVAIL: 'no local address of this family',
  EAFNOSUPPORT: 'no local address of this family',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the network',
  ERR_SSL_TLSV1_ALERT_NO_APPLICATION_PROTOCOL: 'the server does not support HTTP/2',
  ENOTFOUND: 'the host name has no address',
  EPERM: 'not permitted',
  ETIMEDOUT: 'connection timed out',
};

/** No packet left this machine for the server. */
const WITHOUT_ROUTE = new Set([
  'EADDRNOTAVAIL',
  'EAFNOSUPPORT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EACCES',
  'EPERM',
]);

/** Turns an error of a socket into a failure. */
export function socketFailure(error: NodeJS.ErrnoException): QueryFailure {
  const code = error.code ?? 'unknown';
  return {
    ...queryFailure('unreachable', SOCKET_FAILURES[code] ?? `connection failed (${code})`),
    ...(WITHOUT_ROUTE.has(code) && { isWithoutRoute: true as const }),
  };
}
