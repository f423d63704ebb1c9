import { describe, expect, test } from 'vitest';
import {
  distrustOf,
  problemsAt,
  certificateProblems,
  issuePhase,
} from '../../../src/domain/certificate/certificate-problems.js';
import {
  buildCertificate,
  buildCertificateFacts,
  closed,
  DAY_MS,
  expired,
  right,
  silent,
  strangers,
} from '../certificate-builder.js';
import { NOW } from '../loopback-servers.js';

test.each([
  ['right', {}, []],
  ['expiring now', { validTo: NOW }, ['expired']],
  ['valid for one more millisecond', { validTo: NOW + 1 }, []],
  ['for another name, with other problems', { isForHost: false, validTo: 0, distrust: 'X' }, ['wrong-name']],
  ['expired, as OpenSSL reports too', { validTo: NOW - 1, distrust: 'CERT_HAS_EXPIRED' }, ['expired']],
  ['with an expired chain', { distrust: 'CERT_HAS_EXPIRED' }, ['untrusted']],
  [
    'expired and self-signed',
    { validTo: 0, distrust: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    ['untrusted', 'expired'],
  ],
  ['not valid yet', { validFrom: NOW + 1 }, ['untrusted']],
])('%s', (_name, parts, faults) => expect(certificateProblems(buildCertificate(parts), NOW)).toEqual(faults));

describe('distrust', () => {
  test.each([
    [
      { validFrom: NOW + DAY_MS },
      'it is not valid before 2026-11-22T12:00:00.000Z, or the clock here is wrong',
    ],
    [
      { distrust: 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' },
      'the server does not send the intermediate certificate',
    ],
    [{ distrust: 'CERT_HAS_EXPIRED' }, 'a certificate of its chain has expired'],
    [{ distrust: 'SOMETHING_NEW' }, 'SOMETHING_NEW'],
  ])('%j', (parts, text) => expect(distrustOf(buildCertificate(parts), NOW)).toContain(text));

  test('none', () => {
    expect(distrustOf(right, NOW)).toBeUndefined();
    expect(distrustOf(expired, NOW)).toBeUndefined();
  });
});

test('an unknown address has no problems', () => {
  expect(problemsAt({ address: '', result: silent }, NOW)).toBeUndefined();
  expect(problemsAt({ address: '', result: closed }, NOW)).toEqual(['no-tls']);
});

test('unknown addresses do not change the phase', () => {
  expect(issuePhase(buildCertificateFacts([closed, silent], 31))).toBe('overdue');
  expect(issuePhase(buildCertificateFacts([silent], 31))).toBe('settled');
  expect(issuePhase(buildCertificateFacts([closed, strangers]))).toBe('settled');
});
