import { expect, test } from 'vitest';
import type { Finding } from '../../../src/domain/finding/finding.js';
import { redirectPending } from '../../../src/domain/redirect/redirect-pending.js';

const finding = (id: Finding['id'], severity: Finding['severity']): Finding => ({
  id,
  severity,
  axis: 'redirect',
  message: 'old → new',
  evidence: [],
});

test('a certificate that is missing is waited for, and nothing else', () => {
  const findings = [
    finding('redirect.no-cert-on-from', 'block'),
    finding('cert.expired', 'block'),
    finding('cert.untrusted', 'block'),
    finding('redirect.status', 'block'),
    finding('redirect.ok', 'info'),
  ];
  expect(redirectPending(findings)).toEqual([
    finding('redirect.no-cert-on-from', 'wait'),
    finding('cert.expired', 'block'),
    finding('cert.untrusted', 'block'),
    finding('redirect.status', 'block'),
    finding('redirect.ok', 'info'),
  ]);
});
