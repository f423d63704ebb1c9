import { expect, test } from 'vitest';
import { certificateFaults } from '../../../src/domain/certificate/certificate-faults.js';
import {
  buildCertificateFacts,
  closed,
  expired,
  platforms,
  right,
  selfSigned,
  silent,
  strangers,
} from '../certificate-builder.js';

test.each([
  ['no TLS', closed, 'cert.no-tls', '192.0.2.80: no TLS on port 443 (connection refused).'],
  [
    'another name',
    strangers,
    'cert.wrong-name',
    '192.0.2.80: the certificate is not for shop.example.test but for stranger.test, by An Authority, until 2027-01-20.',
  ],
  [
    'no trust',
    selfSigned,
    'cert.untrusted',
    '192.0.2.80: the certificate for shop.example.test is not trusted: it is signed by itself.',
  ],
  [
    'expiry',
    expired,
    'cert.expired',
    '192.0.2.80: the certificate for shop.example.test expired on 2026-11-21.',
  ],
] as const)('tells %s, with a remedy and a command', (_name, seen, id, message) => {
  const [finding, ...others] = certificateFaults(buildCertificateFacts([seen], 60));
  expect(others).toEqual([]);
  expect(finding).toMatchObject({ id, axis: 'certificate', severity: 'block', message });
  expect(finding?.fix?.text).toContain('verification again');
  expect(finding?.evidence[0]?.command).toBe(
    'openssl s_client -connect 192.0.2.80:443 -servername shop.example.test </dev/null',
  );
});

test('tells addresses with the same fault together, and quotes those of IPv6', () => {
  const [finding, ...others] = certificateFaults(buildCertificateFacts([closed, closed, right]));
  expect(others).toEqual([]);
  expect(finding?.message).toMatch(/^192\.0\.2\.80 and 2001:db8::80: /);
  expect(finding?.evidence[1]?.command).toContain("'[2001:db8::80]:443'");
});

test("tells the platform's own certificate, and nothing to do while time may help", () => {
  const [finding] = certificateFaults(buildCertificateFacts([platforms], 10));
  expect(finding?.message).toContain('it is the one of the platform itself');
  expect(finding).toMatchObject({ severity: 'wait' });
  expect(finding?.fix?.text).toContain('nothing is to be done');
});

test('an expired certificate is not a matter of waiting', () =>
  expect(
    certificateFaults(buildCertificateFacts([expired, closed], 1)).map(({ severity }) => severity),
  ).toEqual(['wait', 'block']));

test('says nothing of what is right or unseen', () =>
  expect(certificateFaults(buildCertificateFacts([right, silent]))).toEqual([]));
