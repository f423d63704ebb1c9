import { X509Certificate } from 'node:crypto';
import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { readCertificate } from '../../../src/domain/probe/read-certificate.js';
import { pemOf, SHOP, TARGET } from '../loopback-servers.js';

// Real certificates are in certificate.test.ts; here are those that no well-behaved authority signs.
function seen(parts: object) {
  const peer = {
    raw: Buffer.alloc(1),
    fingerprint256: 'AA',
    subject: { CN: SHOP },
    issuer: { CN: 'An Authority' },
    subjectaltname: `DNS:${SHOP}`,
    valid_from: 'Jan  1 00:00:00 2026 GMT',
    valid_to: 'Jan  1 00:00:00 2027 GMT',
    ...parts,
  } as unknown as DetailedPeerCertificate;
  const socket = { authorized: true, getPeerCertificate: () => peer } as unknown as TLSSocket;
  return readCertificate(socket, SHOP, TARGET);
}

test('returns undefined without a certificate', () => {
  const socket = { getPeerCertificate: () => ({}) } as unknown as TLSSocket;
  expect(readCertificate(socket, SHOP, TARGET)).toBeUndefined();
});

test('reads quoted names and addresses, and no other types', () => {
  const subjectaltname =
    'DNS:a.test, DNS:"odd, name", IP Address:192.0.2.1, email:x@a.test, URI:https://a.test';
  expect(seen({ subjectaltname })?.names).toEqual(['a.test', '"odd, name"', '192.0.2.1']);
});

test('truncates long lists, and makes every text safe to print', () => {
  const subjectaltname = Array.from({ length: 5_000 }, (_, index) => `DNS:n${index}.test`).join(', ');
  expect(seen({ subjectaltname })?.names).toHaveLength(50);
  expect(seen({ subject: { CN: 'x\u001b[2J' } })?.subject).toBe('x^[[2J');
  expect(seen({ issuer: { CN: 'y'.repeat(5_000) } })?.issuer).toHaveLength(200);
});

test('matches a name at the end of a long list', () => {
  const others = Array.from({ length: 100 }, (_, index) => `DNS:n${index}.test`).join(', ');
  expect(seen({ subjectaltname: `${others}, DNS:${SHOP}` })?.isForHost).toBe(true);
});

test('uses the organisation without a common name, and joins repeated names', () => {
  expect(seen({ issuer: { O: 'Organisation' } })?.issuer).toBe('Organisation');
  expect(seen({ subject: { CN: ['a', 'b'] } })?.subject).toBe('a, b');
  expect(seen({ subject: undefined })?.subject).toBe('no name');
});

test.each([
  ['self-signed', 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ['without-intermediate', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
])('recognizes a certificate that is %s, although Bun has one code for both', (name, distrust) => {
  const { raw } = new X509Certificate(pemOf(name));
  const peer = { raw, valid_from: '', valid_to: '' };
  const authorizationError = 'UNABLE_TO_VERIFY_LEAF_SIGNATURE';
  const socket = { authorized: false, authorizationError, getPeerCertificate: () => peer };
  expect(readCertificate(socket as unknown as TLSSocket, SHOP, TARGET)?.distrust).toBe(distrust);
});

test('reads an invalid date as 0', () => expect(seen({ valid_to: 'Bad time value' })?.validTo).toBe(0));

test('ends a chain that returns to itself', () => {
  const root: Record<string, unknown> = {
    raw: Buffer.alloc(1),
    fingerprint256: 'BB',
    subject: { CN: 'Root' },
  };
  root.issuerCertificate = root;
  expect(seen({ issuerCertificate: root })?.chain).toEqual([SHOP, 'Root']);
});
