import type { AddressFacts, CertificateFacts } from '../../src/domain/probe/probe-certificate.js';
import type { ServedCertificate } from '../../src/domain/probe/read-certificate.js';
import type { ProbeFailure } from '../../src/domain/probe/probe-failure.js';
import type { VerifiedAtSource } from '../../src/domain/report/report.js';
import type { Finding } from '../../src/domain/report/finding.js';
import { MINUTE_MS, NOW, SHOP, TARGET } from './loopback-servers.js';

export const DAY_MS = 24 * 60 * MINUTE_MS;

/** A correct certificate with overrides. */
export function buildCertificate(parts: Partial<ServedCertificate> = {}): ServedCertificate {
  return {
    kind: 'certificate',
    subject: SHOP,
    names: [SHOP],
    issuer: 'An Authority',
    fingerprint: 'AB:CD',
    validFrom: NOW - 30 * DAY_MS,
    validTo: NOW + 60 * DAY_MS,
    chain: [SHOP, 'An Authority'],
    isForHost: true,
    isForTarget: false,
    distrust: undefined,
    ...parts,
  };
}

export const right = buildCertificate();
export const platforms = buildCertificate({
  names: ['*.platform.test'],
  isForHost: false,
  isForTarget: true,
});
export const strangers = buildCertificate({ names: ['stranger.test'], isForHost: false });
export const selfSigned = buildCertificate({ distrust: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
export const expired = buildCertificate({ validTo: NOW, distrust: 'CERT_HAS_EXPIRED' });
export const closed: ProbeFailure = { kind: 'refused', detail: 'connection refused' };
export const silent: ProbeFailure = { kind: 'unreachable', detail: 'no response within 5 s' };
export const unrouted: ProbeFailure = { kind: 'no-route', detail: 'no route from this machine' };
export const guarded: ProbeFailure = {
  kind: 'not-probed',
  detail: 'not probed: it is reserved for one link',
};
export const overLimit: ProbeFailure = {
  kind: 'over-limit',
  detail: 'not probed: only the first 16 are probed',
};

const ADDRESSES = ['192.0.2.80', '2001:db8::80', '192.0.2.81'];

/** One address for each result: IPv4, IPv6, IPv4. */
export function buildCertificateFacts(
  results: readonly AddressFacts['result'][],
  verifiedMinutesAgo?: number,
  verifiedAtSource: VerifiedAtSource = 'earlier-check',
): CertificateFacts {
  return {
    domain: SHOP,
    target: TARGET,
    port: 443,
    checkedAt: NOW,
    verifiedAt: verifiedMinutesAgo === undefined ? undefined : NOW - verifiedMinutesAgo * MINUTE_MS,
    verifiedAtSource,
    addresses: results.map((result, index) => ({ address: ADDRESSES[index] ?? '', result })),
  };
}

export function summaryOf(findings: readonly Finding[]): string {
  return findings.map(({ id, severity }) => `${id} ${severity}`).join(', ');
}
