import { type ExchangeLimits, untilEnd } from '../dns/concurrency/stop-signal.js';
import { shown } from '../names/printable.js';
import type { ProbeRoute } from '../request/options.js';

/** Why the probe of one address failed. */
export interface ProbeFailure {
  /**
   * - `refused`: the server refused or closed the connection, or uses another protocol.
   * - `no-address`: the host has no address, by its name servers.
   * - `unreachable`: no response; the cause may be the server or the network.
   * - `no-route`: this machine can't reach the address, such as an IPv6 address without IPv6.
   * - `not-probed`: skipped on purpose.
   * - `over-limit`: skipped, because many other addresses were probed.
   * - `aborted`: the check ended before the probe.
   */
  kind: 'refused' | 'no-address' | 'unreachable' | 'no-route' | 'not-probed' | 'over-limit' | 'aborted';
  /** A few words, safe to print. */
  detail: string;
}

/** Whether a failure comes from this machine or this check alone: the other addresses decide. */
export function isNoEvidence({ kind }: { kind: string }): boolean {
  return kind === 'no-route' || kind === 'over-limit';
}

/** Limits of one connection and its response, and where it connects. */
export interface ProbeLimits extends ExchangeLimits {
  route: ProbeRoute;
}

/** Runs a probe within its limits. */
export function withinTime<T>(
  limits: ProbeLimits,
  start: (end: (value: T | ProbeFailure) => void) => () => void,
): Promise<T | ProbeFailure> {
  const late = (detail: string): ProbeFailure => ({ kind: 'unreachable', detail });
  return untilEnd(limits, start, { late, stopped: ABORTED });
}

const ABORTED: ProbeFailure = { kind: 'aborted', detail: 'the time limit was reached' };

/** Converts the error of a socket, of TLS or of HTTP. */
export function probeFailureOf(error: NodeJS.ErrnoException & { reason?: string }): ProbeFailure {
  const code = error.code ?? '';
  const known = CODES[code];
  if (known !== undefined) return known;
  // The messages of Node's HTTP parser mention RTSP.
  if (code.startsWith('HPE_')) return { kind: 'refused', detail: 'the server does not use HTTP' };
  // OpenSSL's messages contain memory addresses and source lines; its reason is the readable part.
  const detail = error.reason ?? (code === '' ? error.message : code);
  return { kind: 'refused', detail: shown(detail, 80) };
}

/** RFC 8996 forbids TLS 1.0 and 1.1. */
const OLD_TLS: ProbeFailure = {
  kind: 'refused',
  detail: 'the server supports only TLS versions before 1.2',
};
const CLIENT_CERTIFICATE: ProbeFailure = {
  kind: 'refused',
  detail: 'the server requires a client certificate',
};
const REJECTED_HANDSHAKE: ProbeFailure = {
  kind: 'refused',
  detail: 'the server rejected the TLS handshake; it may require a client certificate',
};

/** Browsers then try the next address of the host. */
export const CONNECTION_REFUSED: ProbeFailure = { kind: 'refused', detail: 'connection refused' };

/** One closed connection may come from a restart or a full server, so such a probe is repeated once. */
export const CONNECTION_CLOSED: ProbeFailure = { kind: 'refused', detail: 'connection closed' };

const CODES: Readonly<Partial<Record<string, ProbeFailure>>> = {
  ECONNREFUSED: CONNECTION_REFUSED,
  ECONNRESET: CONNECTION_CLOSED,
  EPIPE: CONNECTION_CLOSED,
  ETIMEDOUT: { kind: 'unreachable', detail: 'connection timed out' },
  EHOSTUNREACH: { kind: 'unreachable', detail: 'host unreachable' },
  ENETUNREACH: { kind: 'no-route', detail: 'no route from this machine' },
  EADDRNOTAVAIL: { kind: 'no-route', detail: 'no route from this machine' },
  EAFNOSUPPORT: { kind: 'no-route', detail: 'no route from this machine' },
  EACCES: { kind: 'no-route', detail: 'not permitted on this machine' },
  EPERM: { kind: 'no-route', detail: 'not permitted on this machine' },
  ERR_SSL_UNSUPPORTED_PROTOCOL: OLD_TLS,
  ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION: OLD_TLS,
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: CLIENT_CERTIFICATE,
  'ERR_SSL_SSL/TLS_ALERT_CERTIFICATE_REQUIRED': CLIENT_CERTIFICATE,
  // TLS 1.2 has no alert of its own for this (RFC 5246, section 7.4.6).
  ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE: REJECTED_HANDSHAKE,
  'ERR_SSL_SSL/TLS_ALERT_HANDSHAKE_FAILURE': REJECTED_HANDSHAKE,
  ERR_SSL_WRONG_VERSION_NUMBER: { kind: 'refused', detail: 'the server does not use TLS' },
  ERR_SSL_PACKET_LENGTH_TOO_LONG: { kind: 'refused', detail: 'the server does not use TLS' },
  HPE_HEADER_OVERFLOW: { kind: 'refused', detail: 'more than 16 KiB of headers' },
};
