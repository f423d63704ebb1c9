import type { AddressFacts, CertificateFacts } from './probe-certificate.js';
import { timeText, distrustOf, isServed, issuePhase, problemsAt } from './certificate-problems.js';
import type { AddressCertificate, CertificateReport } from '../report/report.js';

/** Returns the certificate part of a report. */
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
  const { address, result: probed } = addressFacts;
  const result = resultOf(facts, addressFacts);
  if (probed.kind !== 'certificate') return { address, result };
  return {
    address,
    result,
    subject: probed.subject,
    names: probed.names,
    issuer: probed.issuer,
    chain: probed.chain,
    validFrom: new Date(probed.validFrom),
    validTo: new Date(probed.validTo),
  };
}

function resultOf({ checkedAt, domain }: CertificateFacts, address: AddressFacts): string {
  const { result: probed } = address;
  if (probed.kind !== 'certificate')
    return probed.kind === 'refused' ? `no TLS: ${probed.detail}` : probed.detail;
  const problems = problemsAt(address, checkedAt) ?? [];
  const texts = problems.map((problem) => {
    if (problem === 'wrong-name') return `not for ${domain}`;
    if (problem === 'expired') return `expired at ${timeText(probed.validTo)}`;
    return `not trusted: ${distrustOf(probed, checkedAt) ?? ''}`;
  });
  return texts.length === 0 ? 'ok' : texts.join('; ');
}
