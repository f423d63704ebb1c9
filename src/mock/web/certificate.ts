import type { KeyObject } from 'node:crypto';
import {
  bits,
  type Der,
  field,
  integer,
  objectId,
  octets,
  primitiveField,
  sequence,
  set,
  time,
  TRUE,
  utf8,
} from './der.js';

/** A certificate with its private key, in PEM. */
export interface IssuedCertificate {
  certificate: string;
  key: string;
}

/** What a certificate says. */
export interface CertificateRequest {
  /** Host names, at least one. */
  names: readonly string[];
  /** Milliseconds since the epoch. */
  validFrom: number;
  /** Milliseconds since the epoch. */
  validTo: number;
}

/** A certificate authority with a new key. */
export interface Authority {
  /** Its own certificate, in PEM. */
  readonly certificate: string;
  /** Issues a certificate. All certificates share one key. */
  issue(request: CertificateRequest): IssuedCertificate;
  /** Makes a certificate that is signed with its own key. */
  selfSigned(request: CertificateRequest): IssuedCertificate;
}

const DAY_MS = 86_400_000;
/** Longer than any test. */
const AUTHORITY_DAYS = 7_300;

/**
 * Creates a certificate authority (RFC 5280) with ECDSA keys, whose generation takes less than a millisecond.
 *
 * @param name its common name.
 * @param now milliseconds since the epoch.
 */
export function createAuthority(name: string, now: number): Authority {
  const own = newSigner(name);
  const server = newSigner(name);
  const certificate = certificatePem({
    issuer: own,
    subject: own,
    validFrom: now - AUTHORITY_DAYS * DAY_MS,
    validTo: now + AUTHORITY_DAYS * DAY_MS,
    extensions: [
      extension('2.5.29.19', sequence(TRUE), true),
      // keyCertSign and cRLSign.
      extension('2.5.29.15', bits(Buffer.of(0b0000_0110), 1), true),
    ],
  });
  const issueBy = (issuer: Signer, { names, validFrom, validTo }: CertificateRequest): IssuedCertificate => {
    const subject = { ...server, name: commonName(names[0] ?? name) };
    const extensions = serverExtensions(names);
    const signedBy = issuer === server ? subject : issuer;
    const pem = certificatePem({ issuer: signedBy, subject, validFrom, validTo, extensions });
    return { certificate: pem, key: server.privateKey.export({ type: 'pkcs8', format: 'pem' }).toString() };
  };
  return {
    certificate,
    issue: (request) => issueBy(own, request),
    selfSigned: (request) => issueBy(server, request),
  };
}

/** The upper bound of a common name (RFC 5280, appendix A). */
function commonName(host: string): string {
  return host.slice(0, 64);
}

interface Signer {
  name: string;
  privateKey: KeyObject;
  /** SubjectPublicKeyInfo. */
  publicKey: Der;
  /** A hash of the public key. */
  keyId: Buffer;
}

function newSigner(name: string): Signer {
  const { generateKeyPairSync, createHash } = process.getBuiltinModule('node:crypto');
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' });
  return {
    name,
    privateKey,
    publicKey: spki,
    keyId: createHash('sha256').update(spki).digest().subarray(0, 20),
  };
}

interface CertificateParts {
  issuer: Signer;
  subject: Signer;
  validFrom: number;
  validTo: number;
  extensions: readonly Der[];
}

const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
const VERSION_3 = field(0, integer(Buffer.of(2)));

function certificatePem({ issuer, subject, validFrom, validTo, extensions }: CertificateParts): string {
  const { randomBytes, sign } = process.getBuiltinModule('node:crypto');
  const toBeSigned = sequence(
    VERSION_3,
    // Not 0: a serial number is positive and unique (RFC 5280, section 4.1.2.2).
    integer(Buffer.concat([Buffer.of(1), randomBytes(15)])),
    ECDSA_WITH_SHA256,
    distinguishedName(issuer.name),
    sequence(time(validFrom), time(validTo)),
    distinguishedName(subject.name),
    subject.publicKey,
    field(
      3,
      sequence(
        ...extensions,
        extension('2.5.29.14', octets(subject.keyId)),
        extension('2.5.29.35', sequence(primitiveField(0, issuer.keyId))),
      ),
    ),
  );
  const signature = sign('sha256', toBeSigned, issuer.privateKey);
  const certificate = sequence(toBeSigned, ECDSA_WITH_SHA256, bits(signature));
  const lines = certificate.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

function distinguishedName(commonName: string): Der {
  return sequence(set(sequence(objectId('2.5.4.3'), utf8(commonName))));
}

function extension(id: string, content: Der, isCritical = false): Der {
  return sequence(objectId(id), ...(isCritical ? [TRUE] : []), octets(content));
}

function serverExtensions(names: readonly string[]): Der[] {
  return [
    extension('2.5.29.19', sequence(), true),
    // digitalSignature.
    extension('2.5.29.15', bits(Buffer.of(0b1000_0000), 7), true),
    // TLS server.
    extension('2.5.29.37', sequence(objectId('1.3.6.1.5.5.7.3.1'))),
    extension('2.5.29.17', sequence(...names.map((name) => primitiveField(2, Buffer.from(name, 'latin1'))))),
  ];
}
