import type { AddressFacts, CertificateFacts } from './probe-certificate.js';
import { dayOf, distrustOf, isServed, issuePhase, problemsAt } from './certificate-problems.js';
import type { AddressCertificate, CertificateReport } from '../report/report.js';

/** What the addresses returned, for a report. */
export function certificateReport(facts: CertificateFacts): CertificateReport {
  return {
    status: statusOf(facts),
    addresses: facts.addresses.map((address) => addressReport(facts, address)),
  };
}

function statusOf(facts: CertificateFacts): CertificateReport['status'] {
  if (isServed(facts)) return 'active';
  const phase = issuePhase(facts);
  if (phase !== 'settled') return phase;
  const problems = facts.addresses.flatMap((address) => problemsAt(address, facts.checkedAt) ?? []);
  if (problems.length === 0) return 'unknown';
  return problems.every((problem) => problem === 'no-tls') ? 'none' : 'wrong';
}

function addressReport(facts: CertificateFacts, addressFacts: AddressFacts): AddressCertificate {
  const { address, seen } = addressFacts;
  const result = resultOf(facts, addressFacts);
  if (seen.kind !== 'certificate') return { address, result };
  return {
    address,
    result,
    subject: seen.subject,
    names: seen.names,
    issuer: seen.issuer,
    chain: seen.chain,
    validFrom: isoTime(seen.validFrom),
    validTo: isoTime(seen.validTo),
  };
}

function resultOf({ checkedAt, domain }: CertificateFacts, address: AddressFacts): string {
  const { seen } = address;
  if (seen.kind !== 'certificate') return seen.kind === 'refused' ? `no TLS: ${seen.detail}` : seen.detail;
  const problems = problemsAt(address, checkedAt) ?? [];
  const texts = problems.map((problem) => {
    if (problem === 'wrong-name') return `not for ${domain}`;
    if (problem === 'expired') return `expired on ${dayOf(seen.validTo)}`;
    return `not trusted: ${distrustOf(seen, checkedAt) ?? ''}`;
  });
  return texts.length === 0 ? 'ok' : texts.join('; ');
}

function isoTime(time: number): string {
  return new Date(time).toISOString();
}
