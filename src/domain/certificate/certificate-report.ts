import type { AddressFacts, CertificateFacts } from './certificate-facts.js';
import { dayOf, distrustOf, problemsAt, isServed, issuePhase } from './certificate-view.js';
import type { Finding } from '../finding/finding.js';
import type { AddressCertificate, CertificateReport } from '../report/report.js';
import { certificateDiffers } from './certificate-differs.js';
import { certificateExpiring } from './certificate-expiring.js';
import { certificateFaults } from './certificate-faults.js';
import { certificateIssuance } from './certificate-issuance.js';
import { certificateUnseen } from './certificate-unseen.js';

/** Everything that follows from what the addresses showed. */
export function certificateFindings(facts: CertificateFacts): Finding[] {
  return RULES.flatMap((rule) => rule(facts));
}

/** What the addresses showed, as reports have it. */
export function certificateReport(facts: CertificateFacts): CertificateReport {
  return { status: statusOf(facts), addresses: facts.addresses.map((place) => addressReport(facts, place)) };
}

const RULES = [
  certificateIssuance,
  certificateFaults,
  certificateUnseen,
  certificateDiffers,
  certificateExpiring,
] as const;

function statusOf(facts: CertificateFacts): CertificateReport['status'] {
  if (isServed(facts)) return 'active';
  const phase = issuePhase(facts);
  if (phase !== 'settled') return phase;
  const faults = facts.addresses.flatMap((place) => problemsAt(place, facts.checkedAt) ?? []);
  if (faults.length === 0) return 'unknown';
  return faults.every((fault) => fault === 'no-tls') ? 'none' : 'wrong';
}

function addressReport(facts: CertificateFacts, place: AddressFacts): AddressCertificate {
  const { address, seen } = place;
  const result = resultOf(facts, place);
  if (seen.kind !== 'certificate') return { address, result };
  return {
    address,
    result,
    subject: seen.subject,
    names: seen.names,
    issuer: seen.issuer,
    chain: seen.chain,
    validFrom: isoOf(seen.validFrom),
    validTo: isoOf(seen.validTo),
  };
}

function resultOf({ checkedAt: askedAt, domain }: CertificateFacts, place: AddressFacts): string {
  const { seen } = place;
  if (seen.kind !== 'certificate') return seen.kind === 'no-answer' ? `no TLS: ${seen.detail}` : seen.detail;
  const faults = problemsAt(place, askedAt) ?? [];
  const texts = faults.map((fault) => {
    if (fault === 'wrong-name') return `not for ${domain}`;
    if (fault === 'expired') return `expired on ${dayOf(seen.validTo)}`;
    return `not trusted: ${distrustOf(seen, askedAt) ?? ''}`;
  });
  return texts.length === 0 ? 'ok' : texts.join('; ');
}

function isoOf(time: number): string {
  return new Date(time).toISOString();
}
