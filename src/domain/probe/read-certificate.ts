import { X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { shown } from '../names/printable.js';
import { nodeTls } from './probe-tls.js';

/** A certificate as a server sent it. All texts are safe to print. */
export interface ServedCertificate {
  kind: 'certificate';
  /** Common name, otherwise organisation. */
  subject: string;
  /** Alternative names: host names and addresses. */
  names: readonly string[];
  issuer: string;
  /** SHA-256, such as `AB:CD:…`. */
  fingerprint: string;
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
): ServedCertificate | undefined {
  const peer = socket.getPeerCertificate(true);
  // Node returns an empty object without a certificate.
  if (peer?.raw === undefined) return undefined;
  return {
    kind: 'certificate',
    subject: nameOf(peer.subject),
    names: alternativeNames(peer)
      .slice(0, NAMES_MAX)
      .map((name) => shown(name)),
    issuer: nameOf(peer.issuer),
    fingerprint: peer.fingerprint256,
    validFrom: timeOf(peer.valid_from),
    validTo: timeOf(peer.valid_to),
    chain: chainOf(peer),
    isForHost: isFor(host, peer),
    isForTarget: target !== undefined && isFor(target, peer),
    distrust: socket.authorized ? undefined : verificationErrorOf(socket, peer),
  };
}

/** Why a certificate is not trusted, as a code of OpenSSL. Bun has no code for one that is self-signed and no authority. */
function verificationErrorOf({ authorizationError }: TLSSocket, { raw }: DetailedPeerCertificate): string {
  // A code is a string, in spite of its type.
  const code = String(authorizationError);
  if (code !== 'UNABLE_TO_VERIFY_LEAF_SIGNATURE') return code;
  const certificate = new X509Certificate(raw);
  const isSelfSigned =
    certificate.subject === certificate.issuer && certificate.verify(certificate.publicKey);
  return isSelfSigned ? 'DEPTH_ZERO_SELF_SIGNED_CERT' : code;
}

/** Milliseconds since the epoch; 0 for an invalid date. */
function timeOf(text: string): number {
  const time = Date.parse(text);
  return Number.isNaN(time) ? 0 : time;
}

/** Whether a certificate is valid for a host. Ignores the common name, as browsers do and Node does not. */
function isFor(host: string, peer: DetailedPeerCertificate): boolean {
  return peer.subjectaltname !== undefined && nodeTls().checkServerIdentity(host, peer) === undefined;
}

/** Parses `DNS:a, DNS:"odd, name", IP Address:192.0.2.1`. */
function alternativeNames({ subjectaltname = '' }: DetailedPeerCertificate): string[] {
  const entries = subjectaltname.matchAll(/(?:^|, )(?:DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/g);
  return Array.from(entries, ([, name = '']) => name);
}

/** The subjects from the certificate up to its root, which is its own issuer. */
function chainOf(peer: DetailedPeerCertificate): string[] {
  const chain: string[] = [];
  const seen = new Set<string>();
  let current: DetailedPeerCertificate | undefined = peer;
  while (current?.raw !== undefined && !seen.has(current.fingerprint256) && chain.length < CHAIN_MAX) {
    seen.add(current.fingerprint256);
    chain.push(nameOf(current.subject));
    current = current.issuerCertificate;
  }
  return chain;
}

/** Common name, otherwise organisation or unit. Node returns a repeated field as an array. */
function nameOf(name: DetailedPeerCertificate['subject'] | undefined): string {
  const { CN, O, OU }: Partial<Record<string, string | string[]>> = { ...name };
  return shown([CN ?? O ?? OU ?? 'no name'].flat().join(', '));
}
