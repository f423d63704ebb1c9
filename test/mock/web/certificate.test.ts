import { execFile } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { createAuthority } from '../../../src/mock/web/certificate.js';
import { findProgram } from '../../integration/programs.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { NOON } from '../send-request.js';

const DAY_MS = 86_400_000;
const LONG_NAME = `${'a'.repeat(60)}.${'b'.repeat(60)}.example.test`;

function dates(certificate: X509Certificate): number[] {
  return [certificate.validFrom, certificate.validTo].map((text) => Date.parse(text));
}

test('an authority signs certificates for host names', () => {
  const authority = createAuthority('Test authority', NOON);
  const root = new X509Certificate(authority.certificate);
  expect([root.ca, root.subject, root.issuer]).toEqual([true, 'CN=Test authority', 'CN=Test authority']);
  expect(root.verify(root.publicKey)).toBe(true);

  const names = ['shop.example.test', '*.platform.test'];
  const { certificate, key } = authority.issue({ names, validFrom: NOON, validTo: NOON + DAY_MS });
  const leaf = new X509Certificate(certificate);
  expect(leaf.ca).toBe(false);
  expect(leaf.subjectAltName).toBe('DNS:shop.example.test, DNS:*.platform.test');
  expect(leaf.checkIssued(root)).toBe(true);
  expect(leaf.verify(root.publicKey)).toBe(true);
  expect(leaf.checkHost('cname.platform.test')).toBe('*.platform.test');
  expect(dates(leaf)).toEqual([NOON, NOON + DAY_MS]);
  expect(key).toMatch(/^-----BEGIN PRIVATE KEY-----\n/);
});

test('a self-signed certificate has no other issuer', () => {
  const authority = createAuthority('Test authority', NOON);
  const issued = authority.selfSigned({ names: ['a.test'], validFrom: NOON, validTo: NOON + DAY_MS });
  const leaf = new X509Certificate(issued.certificate);
  expect([leaf.subject, leaf.issuer]).toEqual(['CN=a.test', 'CN=a.test']);
  expect(leaf.verify(leaf.publicKey)).toBe(true);
  expect(leaf.verify(new X509Certificate(authority.certificate).publicKey)).toBe(false);
});

test('authorities have keys of their own, and certificates serial numbers of their own', () => {
  const [one, other] = [createAuthority('A', NOON), createAuthority('A', NOON)];
  expect(one.certificate).not.toBe(other.certificate);
  const request = { names: ['a.test'], validFrom: NOON, validTo: NOON + DAY_MS };
  const serials = [one, one, other].map(
    (authority) => new X509Certificate(authority.issue(request).certificate).serialNumber,
  );
  expect(new Set(serials).size).toBe(3);
});

test.each([
  [Date.UTC(2049, 11, 31, 23, 59, 59), Date.UTC(2050, 0, 1)],
  [Date.UTC(1999, 11, 31), Date.UTC(2126, 0, 1)],
])('writes dates before and after 2050: %i', (validFrom, validTo) => {
  const { certificate } = createAuthority('A', NOON).issue({ names: ['a.test'], validFrom, validTo });
  expect(dates(new X509Certificate(certificate))).toEqual([validFrom, validTo]);
});

test('a long name is shortened as the subject only', () => {
  const request = { names: [LONG_NAME], validFrom: NOON, validTo: NOON + DAY_MS };
  const leaf = new X509Certificate(createAuthority('A', NOON).issue(request).certificate);
  expect(leaf.subject).toBe(`CN=${LONG_NAME.slice(0, 64)}`);
  expect(leaf.subjectAltName).toBe(`DNS:${LONG_NAME}`);
});

describe('OpenSSL', () => {
  const OPENSSL = findProgram('openssl');

  test.skipIf(OPENSSL === undefined)('accepts the certificates with its strict checks', async () => {
    const authority = createAuthority('A', NOON);
    const { certificate } = authority.issue({
      names: [LONG_NAME, 'shop.example.test'],
      validFrom: NOON,
      validTo: NOON + DAY_MS,
    });
    const folder = temporaryFolder({ 'ca.pem': authority.certificate, 'leaf.pem': certificate });
    const at = ['-attime', String(NOON / 1_000 + 60), '-verify_hostname', 'shop.example.test'];
    const args = [
      'verify',
      '-x509_strict',
      ...at,
      '-CAfile',
      join(folder, 'ca.pem'),
      join(folder, 'leaf.pem'),
    ];
    const env = { LD_LIBRARY_PATH: OPENSSL?.libraryFolders.join(':') ?? '' };
    const { stdout } = await promisify(execFile)(OPENSSL?.path ?? '', args, { env });
    expect(stdout).toMatch(/leaf\.pem: OK\n$/);
  });
});
