import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import type { SeenCertificate } from './certificate-facts.js';
import { shown } from '../finding/printable.js';
import { nodeTls } from '../probe/probe-tls.js';

/** Certificates with thousands of names exist, and need not all be told. */
const NAMES_MAX = 50;
const CHAIN_MAX = 8;
/**
 * Reads what a server sent in its handshake, `undefined` where that was no certificate.
 *
 * @param host Asked for by SNI.
 * @param target The platform's host, where it is known.
 */
export function readCertificate(
  socket: TLSSocket,
  host: string,
  target: string | undefined,
): SeenCertificate | undefined {
  const peer = socket.getPeerCertificate(true);
  // An empty object, where there is none.
  if (peer?.raw === undefined) return undefined;
  // Node gives the code, a string, whatever its types say.
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

/** A date that can't be read is long past. */
function timeOf(text: string): number {
  const time = Date.parse(text);
  return Number.isNaN(time) ? 0 : time;
}

/** By alternative names alone, as browsers do; Node would take the common name as well. */
function isFor(host: string, peer: DetailedPeerCertificate): boolean {
  return peer.subjectaltname !== undefined && nodeTls().checkServerIdentity(host, peer) === undefined;
}

/** `DNS:a, DNS:"odd, name", IP Address:192.0.2.1` */
function alternativeNames({ subjectaltname = '' }: DetailedPeerCertificate): string[] {
  const entries = subjectaltname.matchAll(/(?:^|, )(?:DNS|IP Address):("(?:[^"\\]|\\.)*"|[^,]*)/g);
  return Array.from(entries, ([, name = '']) => name);
}

/** A root names itself as its issuer. */
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

/** A field that occurs twice is a list. */
function nameOf(name: DetailedPeerCertificate['subject'] | undefined): string {
  const { CN, O, OU }: Partial<Record<string, string | string[]>> = { ...name };
  return shown([CN ?? O ?? OU ?? 'no name'].flat().join(', '));
}
