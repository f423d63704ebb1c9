import type { Finding } from '../finding/finding.js';

/**
 * What redirects are found to lack while the certificate is pending: that of `from` is issued in the same way, and may
 * come within minutes as well. Until then nothing is to be done about `redirect.no-cert-on-from`.
 */
export function redirectPending(findings: readonly Finding[]): Finding[] {
  return findings.map((finding) =>
    finding.id === 'redirect.no-cert-on-from' && finding.severity === 'block'
      ? { ...finding, severity: 'wait' }
      : finding,
  );
}
