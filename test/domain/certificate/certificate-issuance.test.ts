import { expect, test } from 'vitest';
import { certificateIssuance } from '../../../src/domain/certificate/certificate-issuance.js';
import {
  buildCertificateFacts,
  closed,
  platforms,
  right,
  selfSigned,
  strangers,
  unrouted,
} from '../certificate-builder.js';
import { expectComplete } from '../rule-table.js';

const ACTIVE = 'has its certificate: for shop.example.test, by An Authority, until 2027-01-20.';

test.each([
  ['right', [right], undefined, 'cert.active', ACTIVE],
  [
    'one address without a route',
    [unrouted, right],
    undefined,
    'cert.active',
    '1 of its addresses could not be checked',
  ],
  ['just now', [closed], 0.5, 'cert.pending', 'verified less than a minute ago'],
  ['a minute ago', [closed], 1, 'cert.pending', 'verified 1 minute ago'],
  ['a while ago', [platforms], 12, 'cert.pending', 'verified 12 minutes ago'],
  [
    'verified at an unknown time',
    [platforms],
    undefined,
    'cert.pending',
    'The time of verification is unknown',
  ],
  ['long ago', [closed], 30, 'cert.overdue', 'no certificate 30 minutes after verification'],
] as const)('%s', (_name, seen, minutesAgo, id, says) => {
  const [finding, ...others] = certificateIssuance(buildCertificateFacts(seen, minutesAgo));
  expect(others).toEqual([]);
  if (finding !== undefined) expectComplete(finding);
  expect(finding?.id).toBe(id);
  expect(finding?.message).toContain(says);
});

test('overdue: suggests verification again and lists what prevents issuance', () => {
  const [finding] = certificateIssuance(buildCertificateFacts([closed], 45));
  for (const word of ['verification again', 'CAA', 'AAAA', 'proxy', 'ports 80 and 443', 'DNSSEC']) {
    expect(finding?.fix?.text).toContain(word);
  }
});

test.each([
  ['a certificate of another host', [strangers], undefined],
  ['an untrusted certificate', [selfSigned], undefined],
  ['a certificate at some addresses', [right, closed], 600],
  ['no known address', [unrouted], 5],
] as const)('is not pending or overdue with %s', (_name, seen, minutesAgo) =>
  expect(certificateIssuance(buildCertificateFacts(seen, minutesAgo))).toEqual([]),
);
