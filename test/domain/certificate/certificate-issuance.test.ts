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

const ACTIVE =
  'serves its certificate: for shop.example.test, issued by An Authority, valid until 2027-01-20T12:00:00.000Z.';

test.each([
  ['right', [right], undefined, 'cert.active', ACTIVE],
  [
    'one address without a route',
    [unrouted, right],
    undefined,
    'cert.active',
    '1 of its addresses could not be checked',
  ],
  ['just now', [closed], 0.5, 'cert.pending', 'A check found its DNS correct less than a minute ago'],
  ['a minute ago', [closed], 1, 'cert.pending', 'correct 1 minute ago (2026-11-21T11:59:00.000Z)'],
  ['a while ago', [platforms], 12, 'cert.pending', 'correct 12 minutes ago'],
  [
    'verified at an unknown time',
    [platforms],
    undefined,
    'cert.pending',
    'has no certificate yet. The time of its verification is unknown. The certificate is normally issued',
  ],
  ['long ago', [closed], 30, 'cert.overdue', 'is overdue. A check found its DNS correct 30 minutes ago'],
] as const)('%s', (_name, seen, minutesAgo, id, says) => {
  const [finding, ...others] = certificateIssuance(buildCertificateFacts(seen, minutesAgo));
  expect(others).toEqual([]);
  if (finding !== undefined) expectComplete(finding);
  expect(finding?.id).toBe(id);
  expect(finding?.message).toContain(says);
});

test.each([
  ['given', 12, 'The domain was verified 12 minutes ago (2026-11-21T11:48:00.000Z, as given).'],
  ['given', 45, 'The domain was verified 45 minutes ago (2026-11-21T11:15:00.000Z, as given).'],
  ['earlier-check', 45, 'A check found its DNS correct 45 minutes ago (2026-11-21T11:15:00.000Z).'],
  ['this-check', 0, 'This is the first known check that found its DNS correct.'],
] as const)('says how the time is known: %s, %i minutes', (source, minutesAgo, says) => {
  const [finding] = certificateIssuance(buildCertificateFacts([closed], minutesAgo, source));
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
