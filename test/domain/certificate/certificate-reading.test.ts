import type { DetailedPeerCertificate, TLSSocket } from 'node:tls';
import { expect, test } from 'vitest';
import { readCertificate } from '../../../src/domain/certificate/certificate-reading.js';
import { SHOP, TARGET } from '../loopback-servers.js';

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

test('reads nothing where there is none', () => {
  const socket = { getPeerCertificate: () => ({}) } as unknown as TLSSocket;
  expect(readCertificate(socket, SHOP, TARGET)).toBeUndefined();
});

test('reads quoted names and addresses, and no other kinds', () => {
  const subjectaltname =
    'DNS:a.test, DNS:"odd, name", IP Address:192.0.2.1, email:x@a.test, URI:https://a.test';
  expect(seen({ subjectaltname })?.names).toEqual(['a.test', '"odd, name"', '192.0.2.1']);
});

test('cuts long lists, and makes every text safe', () => {
  const subjectaltname = Array.from({ length: 5_000 }, (_, index) => `DNS:n${index}.test`).join(', ');
  expect(seen({ subjectaltname })?.names).toHaveLength(50);
  expect(seen({ subject: { CN: 'x\u001b[2J' } })?.subject).toBe('x\\027[2J');
  expect(seen({ issuer: { CN: 'y'.repeat(5_000) } })?.issuer).toHaveLength(200);
});

test('still sees the name far down a long list', () => {
  const others = Array.from({ length: 100 }, (_, index) => `DNS:n${index}.test`).join(', ');
  expect(seen({ subjectaltname: `${others}, DNS:${SHOP}` })?.isForHost).toBe(true);
});

test('takes an organisation where there is no common name, and all of several', () => {
  expect(seen({ issuer: { O: 'Organisation' } })?.issuer).toBe('Organisation');
  expect(seen({ subject: { CN: ['a', 'b'] } })?.subject).toBe('a, b');
  expect(seen({ subject: undefined })?.subject).toBe('no name');
});

test('takes a date that it can not read as long past', () =>
  expect(seen({ valid_to: 'Bad time value' })?.validTo).toBe(0));

test('ends a chain that comes back to itself', () => {
  const root: Record<string, unknown> = {
    raw: Buffer.alloc(1),
    fingerprint256: 'BB',
    subject: { CN: 'Root' },
  };
  root.issuerCertificate = root;
  expect(seen({ issuerCertificate: root })?.chain).toEqual([SHOP, 'Root']);
});
