import { expect, test } from 'vitest';
import { certificateExpiring } from '../../../src/domain/certificate/certificate-expiring.js';
import {
  buildCertificate,
  buildCertificateFacts,
  closed,
  DAY_MS,
  summaryOf,
} from '../certificate-builder.js';
import { NOW } from '../loopback-servers.js';
import { expectComplete } from '../rule-table.js';

const lasting = (leftMs: number) => buildCertificate({ validTo: NOW + leftMs });

test.each([
  ['14 days', 14 * DAY_MS, undefined],
  ['just less', 14 * DAY_MS - 1, 'expires in 13 days (2026-12-05)'],
  ['a day and a bit', 1.5 * DAY_MS, 'expires in 1 day (2026-11-23)'],
  ['an hour', DAY_MS / 24, 'expires today or tomorrow (2026-11-21)'],
  ['nothing left', 0, undefined],
])('%s', (_name, leftMs, says) => {
  const findings = certificateExpiring(buildCertificateFacts([lasting(leftMs)]));
  expect(summaryOf(findings)).toEqual(says === undefined ? [] : ['cert.expiring warn']);
  for (const finding of findings) expectComplete(finding);
  if (says !== undefined) expect(findings[0]?.message).toContain(says);
});

test('goes by the first to end, of those for the domain', () => {
  const others = buildCertificate({ validTo: NOW + DAY_MS, isForHost: false });
  const findings = certificateExpiring(
    buildCertificateFacts([lasting(9 * DAY_MS), others, lasting(5 * DAY_MS)]),
  );
  expect(findings[0]?.message).toMatch(/^192\.0\.2\.80 and 192\.0\.2\.81: .* in 5 days/);
  expect(certificateExpiring(buildCertificateFacts([others, closed]))).toEqual([]);
});
