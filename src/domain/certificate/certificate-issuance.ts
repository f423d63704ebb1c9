import type { CertificateFacts } from './probe-certificate.js';
import { addressEvidence, certificateText, isServed, issuePhase } from './certificate-problems.js';
import { durationText } from '../verdict/estimate.js';
import type { Finding } from '../finding/finding.js';

const MINUTE_MS = 60_000;

/** `cert.active`, `cert.pending`, `cert.overdue`: whether the certificate is issued, or overdue. */
export function certificateIssuance(facts: CertificateFacts): Finding[] {
  const evidence = facts.addresses.map((address) => addressEvidence(facts, address));
  if (isServed(facts)) {
    const result = facts.addresses
      .map((address) => address.result)
      .find(({ kind }) => kind === 'certificate');
    const text = result?.kind === 'certificate' ? `: ${certificateText(result)}` : '';
    const message = `${facts.domain} has its certificate${text}.${unreachableText(facts)}`;
    return [{ id: 'cert.active', axis: 'certificate', severity: 'info', message, evidence }];
  }
  const phase = issuePhase(facts);
  if (phase === 'settled') return [];
  return [phase === 'pending' ? pending(facts, evidence) : overdue(facts, evidence)];
}

function pending(facts: CertificateFacts, evidence: Finding['evidence']): Finding {
  const { domain, verifiedAt, checkedAt } = facts;
  const isKnown = verifiedAt !== undefined;
  const due = isKnown
    ? `It was verified ${sinceText(Math.max(0, checkedAt - verifiedAt))} ago. A certificate is issued within minutes, and is overdue after 30.`
    : 'It is issued within minutes after verification. The time of verification is unknown.';
  return {
    id: 'cert.pending',
    axis: 'certificate',
    severity: 'wait',
    message: `${domain} has no certificate yet. ${due}`,
    fix: {
      action: 'other',
      text: isKnown
        ? 'Wait. No action is needed now.'
        : 'Wait, with --until active --wait. If the domain was verified more than 30 minutes ago, start verification again in your dashboard.',
      records: [],
    },
    evidence,
  };
}

function overdue(facts: CertificateFacts, evidence: Finding['evidence']): Finding {
  const { domain, verifiedAt = facts.checkedAt, checkedAt } = facts;
  return {
    id: 'cert.overdue',
    axis: 'certificate',
    severity: 'block',
    message: `${domain} has no certificate ${sinceText(checkedAt - verifiedAt)} after verification. It is overdue after 30 minutes.`,
    fix: {
      action: 'other',
      text:
        'Start verification again in your dashboard, once. If that does not help, check what prevents issuance: ' +
        'CAA records, AAAA records of another host, a proxy or CDN, closed ports 80 and 443, broken DNSSEC, ' +
        'or too many certificates for the domain this week.',
      records: [],
    },
    evidence,
  };
}

function unreachableText({ addresses }: CertificateFacts): string {
  const count = addresses.filter(({ result }) => result.kind === 'no-route').length;
  if (count === 0) return '';
  return ` ${count} of its addresses could not be checked: this machine has no route to them.`;
}

function sinceText(durationMs: number): string {
  const minutes = Math.floor(durationMs / MINUTE_MS);
  if (minutes === 0) return 'less than a minute';
  return minutes === 1 ? '1 minute' : minutes < 120 ? `${minutes} minutes` : durationText(minutes * 60);
}
