import { X509Certificate } from 'node:crypto';
import type tls from 'node:tls';
import type { SecureContext, TLSSocket } from 'node:tls';
import { ConfigurationError, InvalidInputError } from '../../errors.js';
import { missingDenoFlag } from '../../foreign-error.js';

/** The context of the last PEM text, for the checks of many domains: Node parses all authorities for each context. */
let last: { pem: string; trust: SecureContext } | undefined;

/**
 * Creates a secure context that trusts Node's certificate authorities and those of a PEM text.
 *
 * @throws InvalidInputError if the text has no valid certificate.
 */
export function secureContextFor(pem: string | undefined): SecureContext {
  const { createSecureContext } = nodeTls();
  if (pem === undefined) return createSecureContext();
  if (last?.pem === pem) return last.trust;
  const added = pem.match(PEM_BLOCK) ?? [];
  if (added.length === 0) throw invalidCa();
  for (const block of added) checkBlock(block);
  last = { pem, trust: createSecureContext({ ca: [...nodeAuthorities(), ...added] }) };
  return last.trust;
}

function nodeAuthorities(): readonly string[] {
  try {
    // Deno reads them at the first use.
    return [...nodeTls().rootCertificates];
  } catch (error) {
    const flag = missingDenoFlag(error);
    if (flag === undefined) throw error;
    throw new ConfigurationError('probe.ca needs the certificate authorities of the runtime', {
      option: 'probe.ca',
      cause: error,
      hint: `Run Deno with ${flag}.`,
    });
  }
}

/** The endpoint of a TLS connection. */
export interface TlsEndpoint {
  address: string;
  port: number;
  /** Server name for SNI. */
  host: string;
  trust: SecureContext;
}

/** Opens a TLS connection. Accepts every certificate, to inspect it, so no secret may be sent. */
export function openTls({ address, port, host, trust }: TlsEndpoint): TLSSocket {
  return nodeTls().connect({
    host: address,
    port,
    servername: host,
    secureContext: trust,
    rejectUnauthorized: false,
    // The name is checked apart from trust, because both may have a finding.
    checkServerIdentity: () => undefined,
  });
}

/** Not imported, so that TLS is loaded only for a probe. */
export function nodeTls(): typeof tls {
  return process.getBuiltinModule('node:tls');
}

const PEM_BLOCK = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

function checkBlock(block: string): void {
  try {
    new X509Certificate(block);
  } catch (cause) {
    throw invalidCa(cause);
  }
}

function invalidCa(cause?: unknown): InvalidInputError {
  return new InvalidInputError('The CA file has no valid certificate', {
    field: 'ca',
    hint: 'Use a PEM file, with lines such as -----BEGIN CERTIFICATE-----.',
    cause,
  });
}
