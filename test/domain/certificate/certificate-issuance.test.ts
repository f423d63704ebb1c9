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
    'partly out of reach',
    [unrouted, right],
    undefined,
    'cert.active',
    '1 of its addresses could not be looked at',
  ],
  ['just now', [closed], 0.5, 'cert.pending', 'verified less than a minute ago'],
  ['a minute ago', [closed], 1, 'cert.pending', 'verified 1 minute ago'],
  ['a while ago', [platforms], 12, 'cert.pending', 'verified 12 minutes ago'],
  ['who knows when', [platforms], undefined, 'cert.pending', 'when that was is not known here'],
  ['long ago', [closed], 30, 'cert.overdue', 'no certificate 30 minutes after verification'],
] as const)('%s', (_name, seen, minutesAgo, id, says) => {
  const [finding, ...others] = certificateIssuance(buildCertificateFacts(seen, minutesAgo));
  expect(others).toEqual([]);
  if (finding !== undefined) expectComplete(finding);
  expect(finding?.id).toBe(id);
  expect(finding?.message).toContain(says);
});

test('sends to verification again where it is overdue, and lists what keeps authorities away', () => {
  const [finding] = certificateIssuance(buildCertificateFacts([closed], 45));
  for (const word of ['verification again', 'CAA', 'AAAA', 'proxy', 'ports 80 and 443', 'DNSSEC']) {
    expect(finding?.fix?.text).toContain(word);
  }
});

test.each([
  ['a certificate of somebody else', [strangers], undefined],
  ['one that is not trusted', [selfSigned], undefined],
  ['one that came to some addresses', [right, closed], 600],
  ['nothing seen', [unrouted], 5],
] as const)('says nothing of time with %s', (_name, seen, minutesAgo) =>
  expect(certificateIssuance(buildCertificateFacts(seen, minutesAgo))).toEqual([]),
);
