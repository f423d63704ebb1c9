import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { shown } from '../finding/printable.js';
import { nodeTls } from '../probe/probe-tls.js';

/** A certificate as a server sent it. All texts are safe to print. */
export interface SeenCertificate {
  kind: 'certificate';
  /** Common name, otherwise organisation. */
  subject: string;
  /** Alternative names: host names and addresses. */
  names: readonly string[];
  issuer: string;
  /** Milliseconds since the epoch. */
  validFrom: number;
  /** Milliseconds since the epoch. */
  validTo: number;
  /** Subjects from the certificate up. */
  chain: readonly string[];
  /** Whether it is valid for the requested host. */
  isForHost: boolean;
  /** Whether it is valid for the platform's host. The platform serves its own certificate until the domain has one. */
  isForTarget: boolean;
  /** Verification error of OpenSSL, such as `DEPTH_ZERO_SELF_SIGNED_CERT`. Uses the clock of this machine. */
  distrust: string | undefined;
}

/** Limits for certificates with thousands of names. */
const NAMES_MAX = 50;
const CHAIN_MAX = 8;

/**
 * Reads the certificate of a TLS handshake; `undefined` if the server sent none.
 *
 * @param host Host requested by SNI.
 * @param target Host of the platform, if known.
 */
export function readCertificate(
  socket: TLSSocket,
  host: string,
  target: string | undefined,
): SeenCertificate | undefined {
  const peer = socket.getPeerCertificate(true);
  // Node returns an empty object without a certificate.
  if (peer?.raw === undefined) return undefined;
  // Node returns a code as a string, in spite of its type.
  const distrust = socket.authorized ? undefined : String(socket.authorizationError);
  return {
    kind: 'certificate',
    subject: nameOf(peer.subject),
    names: alternativeNames(peer)
      .slice(0, NAMES_MAX)
      .map((name) => shown(name)),
    issuer: nameOf(peer.issuer),
    validFrom: timeOf(peer.valid_from),
    validTo: timeOf(peer.valid_to),
    chain: chainOf(peer),
    isForHost: isFor(host, peer),
    isForTarget: target !== undefined && isFor(target, peer),
    distrust,
  };
}

/** An unreadable date counts as long past. */
function timeOf(text: string): number {
  const time = Date.parse(text);
  return Number.isNaN(time) ? 0 : time;
}

/** Only alternative names count, as in browsers. Node would also accept the common name. */
function isFor(host: string, peer: DetailedPeerCertificate): boolean {
  return peer.subjectaltname !== undefined && nodeTls().checkServerIdentity(host, peer) === undefined;
}

/** Parses `DNS:a, DNS:"odd, name", IP Address:192.0.2.1`. */
function alternativeNames({ subjectaltname = '' }: DetailedPeerCertificate): string[] {
  const entries = subjectaltname.matchAll(/(?:^|, )(?:DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/g);
  return Array.from(entries, ([, name = '']) => name);
}

/** A root certificate is its own issuer, which ends the chain. */
function chainOf(peer: DetailedPeerCertificate): string[] {
  const chain: string[] = [];
  const seen = new Set<string>();
  let at: DetailedPeerCertificate | undefined = peer;
  while (at?.raw !== undefined && !seen.has(at.fingerprint256) && chain.length < CHAIN_MAX) {
    seen.add(at.fingerprint256);
    chain.push(nameOf(at.subject));
    at = at.issuerCertificate;
  }
  return chain;
}

/** A repeated field is an array. */
function nameOf(name: DetailedPeerCertificate['subject'] | undefined): string {
  const { CN, O, OU }: Partial<Record<string, string | string[]>> = { ...name };
  return shown([CN ?? O ?? OU ?? 'no name'].flat().join(', '));
}
