import { expect, test } from 'vitest';
import { certificateDiffers } from '../../../src/domain/certificate/certificate-differs.js';
import {
  buildCertificate,
  buildCertificateFacts,
  closed,
  right,
  silent,
  strangers,
} from '../certificate-builder.js';
import { expectComplete } from '../rule-table.js';

const WHERE = 'The certificate of shop.example.test is right at';

test.each([
  [
    'by family',
    [right, strangers],
    `${WHERE} 192.0.2.80, and not at 2001:db8::80. Visitors by IPv6 get the wrong one.`,
  ],
  [
    'by the other',
    [closed, right],
    `${WHERE} 2001:db8::80, and not at 192.0.2.80. Visitors by IPv4 get the wrong one.`,
  ],
  ['within one', [right, silent, closed], `${WHERE} 192.0.2.80, and not at 192.0.2.81.`],
  ['right with different certificates', [right, buildCertificate({ issuer: 'Another' })], undefined],
  ['wrong everywhere', [closed, strangers], undefined],
  ['one unseen', [right, silent], undefined],
] as const)('%s', (_name, seen, message) => {
  const findings = certificateDiffers(buildCertificateFacts(seen));
  expect(findings.map((finding) => finding.message)).toEqual(message === undefined ? [] : [message]);
  for (const finding of findings) expectComplete(finding);
});
