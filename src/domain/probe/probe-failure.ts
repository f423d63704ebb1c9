import { shown } from '../finding/printable.js';

/** Why a probe of one address came to nothing. */
export interface ProbeFailure {
  /**
   * - `no-answer`: the server was reached, and what is wanted is not there: it refused, hung up, or spoke something else.
   * - `no-address`: the name servers of the host say that it has no address, so that there is nowhere to look.
   * - `unreachable`: nothing came, which may be the server's fault or that of the network between.
   * - `no-route`: this machine has no way there, as with IPv6 addresses where there is only IPv4.
   * - `not-probed`: it was left alone on purpose.
   * - `aborted`: the run ended before.
   */
  kind: 'no-answer' | 'no-address' | 'unreachable' | 'no-route' | 'not-probed' | 'aborted';
  /** In a few words, safe to show. */
  detail: string;
}

/** Reads the error of a socket, of TLS or of HTTP. */
export function probeFailureOf(error: NodeJS.ErrnoException & { reason?: string }): ProbeFailure {
  const code = error.code ?? '';
  const known = CODES[code];
  if (known !== undefined) return known;
  // The parser's texts speak of RTSP.
  if (code.startsWith('HPE_')) return { kind: 'no-answer', detail: 'what answers there speaks no HTTP' };
  // OpenSSL's messages hold addresses of memory and lines of its source; its reason is the part for people.
  const detail = error.reason ?? (code === '' ? error.message : code);
  return { kind: 'no-answer', detail: shown(detail, 80) };
}

const CODES: Readonly<Partial<Record<string, ProbeFailure>>> = {
  ECONNREFUSED: { kind: 'no-answer', detail: 'connection refused' },
  ECONNRESET: { kind: 'no-answer', detail: 'connection closed' },
  EPIPE: { kind: 'no-answer', detail: 'connection closed' },
  ETIMEDOUT: { kind: 'unreachable', detail: 'no connection in time' },
  EHOSTUNREACH: { kind: 'unreachable', detail: 'host unreachable' },
  ENETUNREACH: { kind: 'no-route', detail: 'no route from this machine' },
  EADDRNOTAVAIL: { kind: 'no-route', detail: 'no route from this machine' },
  EAFNOSUPPORT: { kind: 'no-route', detail: 'no route from this machine' },
  EACCES: { kind: 'no-route', detail: 'forbidden on this machine' },
  EPERM: { kind: 'no-route', detail: 'forbidden on this machine' },
  ERR_SSL_WRONG_VERSION_NUMBER: { kind: 'no-answer', detail: 'what answers there speaks no TLS' },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: { kind: 'no-answer', detail: 'what answers there speaks no TLS' },
  HPE_HEADER_OVERFLOW: { kind: 'no-answer', detail: 'more than 16 KiB of headers' },
};
