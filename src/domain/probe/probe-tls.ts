import { X509Certificate } from 'node:crypto';
import type tls from 'node:tls';
import type { SecureContext, TLSSocket } from 'node:tls';
import { InvalidInputError } from '../../errors.js';

/**
 * Whom a probe trusts: Node's own authorities and, where given, those of a PEM text besides.
 *
 * @throws InvalidInputError where the text holds no certificate that can be read.
 */
export function secureContextFor(pem: string | undefined): SecureContext {
  const { createSecureContext, rootCertificates } = nodeTls();
  if (pem === undefined) return createSecureContext();
  const added = pem.match(BLOCK) ?? [];
  if (added.length === 0) throw unreadable();
  for (const block of added) checkBlock(block);
  return createSecureContext({ ca: [...rootCertificates, ...added] });
}

/** Where a TLS connection leads. */
export interface TlsEndpoint {
  address: string;
  port: number;
  /** Asked for by SNI. */
  host: string;
  trust: SecureContext;
}

/** Connects and shakes hands. Accepts every certificate, so that it can be looked at: nothing of worth may be sent. */
export function openTls({ address, port, host, trust }: TlsEndpoint): TLSSocket {
  return nodeTls().connect({
    host: address,
    port,
    servername: host,
    secureContext: trust,
    rejectUnauthorized: false,
    // Names are looked at apart from trust, for there can be something to say of both.
    checkServerIdentity: () => undefined,
  });
}

/** Reached so that nothing of TLS is loaded before a probe is made. */
export function nodeTls(): typeof tls {
  return process.getBuiltinModule('node:tls');
}

const BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

function checkBlock(block: string): void {
  try {
    new X509Certificate(block);
  } catch (cause) {
    throw unreadable(cause);
  }
}

function unreadable(cause?: unknown): InvalidInputError {
  return new InvalidInputError('the file of certificate authorities holds no certificate that can be read', {
    field: 'ca',
    hint: 'give a PEM file, with lines such as -----BEGIN CERTIFICATE-----',
    cause,
  });
}
