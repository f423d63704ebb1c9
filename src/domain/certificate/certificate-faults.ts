import type { AddressFacts, CertificateFacts, SeenCertificate } from './certificate-facts.js';
import {
  addressEvidence,
  type CertificateProblem,
  certificateText,
  dayOf,
  distrustOf,
  problemsAt,
  issuePhase,
} from './certificate-view.js';
import type { Finding } from '../finding/finding.js';
import { listed } from '../finding/printable.js';

/** `cert.wrong-name`, `cert.untrusted`, `cert.expired`, `cert.no-tls`: what is wrong, and at which addresses. */
export function certificateFaults(facts: CertificateFacts): Finding[] {
  return FAULTS.flatMap((fault) => {
    const places = facts.addresses.filter((place) => problemsAt(place, facts.checkedAt)?.includes(fault));
    const [first] = places;
    if (first === undefined) return [];
    const isTimely = fault !== 'expired' && issuePhase(facts) === 'pending';
    const where = listed(places.map(({ address }) => address));
    return [
      {
        id: `cert.${fault}`,
        axis: 'certificate',
        severity: isTimely ? 'wait' : 'block',
        message: `${where}: ${textOf(fault, facts, first)}.`,
        fix: { action: 'other', text: isTimely ? PATIENCE : REMEDIES[fault], records: [] },
        evidence: places.map((place) => addressEvidence(facts, place)),
      } satisfies Finding,
    ];
  });
}

const FAULTS: readonly CertificateProblem[] = ['no-tls', 'wrong-name', 'untrusted', 'expired'];

const PATIENCE = 'Wait: nothing is to be done before the certificate is overdue.';

const REMEDIES: Readonly<Record<CertificateProblem, string>> = {
  'no-tls':
    'If the domain was verified more than 30 minutes ago, trigger verification again in your dashboard. Look also at what stands before these addresses: a firewall or a proxy that closes port 443.',
  'wrong-name':
    'If the domain was verified more than 30 minutes ago, trigger verification again in your dashboard. If a proxy or CDN stands in front, set its record to DNS only.',
  untrusted:
    'Trigger verification again in your dashboard for a new certificate. If a proxy or CDN stands in front, set its record to DNS only. An authority of your own is trusted with --ca FILE.',
  expired:
    'Trigger verification again in your dashboard. If no new certificate comes, look at CAA records and at AAAA records that lead elsewhere.',
};

function textOf(fault: CertificateProblem, facts: CertificateFacts, { seen }: AddressFacts): string {
  if (seen.kind !== 'certificate') return `no TLS on port ${facts.port} (${seen.detail})`;
  switch (fault) {
    case 'no-tls':
    case 'wrong-name':
      return `the certificate is not for ${facts.domain} but ${certificateText(seen)}${ownerText(seen)}`;
    case 'untrusted':
      return `the certificate for ${facts.domain} is not trusted: ${distrustOf(seen, facts.checkedAt) ?? ''}`;
    case 'expired':
      return `the certificate for ${facts.domain} expired on ${dayOf(seen.validTo)}`;
  }
}

function ownerText({ isForTarget }: SeenCertificate): string {
  return isForTarget ? '; it is the one of the platform itself' : '';
}
