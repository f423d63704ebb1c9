import type { CertificateFacts } from './probe-certificate.js';
import { addressEvidence, certificateText, isServed, issuePhase, timeText } from './certificate-problems.js';
import { durationText } from '../verdict/estimate.js';
import { CERTIFICATE_DUE_MS } from '../verdict/wait.js';
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
    const message = `${facts.domain} serves its certificate${text}.${unreachableText(facts)}`;
    return [{ id: 'cert.active', axis: 'certificate', severity: 'info', message, evidence }];
  }
  const phase = issuePhase(facts);
  if (phase === 'settled') return [];
  return [phase === 'pending' ? pending(facts, evidence) : overdue(facts, evidence)];
}

function pending(facts: CertificateFacts, evidence: Finding['evidence']): Finding {
  const { domain, verifiedAt, verifiedAtSource } = facts;
  const isKnown = verifiedAt !== undefined && verifiedAtSource !== 'this-check';
  const dueAt = isKnown ? timeText(verifiedAt + CERTIFICATE_DUE_MS) : '';
  return {
    id: 'cert.pending',
    axis: 'certificate',
    severity: 'wait',
    message: `${domain} has no certificate yet. ${sinceVerification(facts)} The certificate is normally issued within minutes.`,
    fix: {
      action: 'other',
      text: isKnown
        ? `Check again in a few minutes. If it is missing at ${dueAt}, start verification again in your dashboard.`
        : 'Check again in a few minutes. If DNS was correct more than 30 minutes ago, start verification again in your dashboard.',
      records: [],
    },
    evidence,
  };
}

/** How long ago the domain was verified, and how that is known. */
function sinceVerification({ verifiedAt, verifiedAtSource, checkedAt }: CertificateFacts): string {
  if (verifiedAt === undefined) return 'The time of its verification is unknown.';
  const since = sinceText(Math.max(0, checkedAt - verifiedAt));
  const at = timeText(verifiedAt);
  switch (verifiedAtSource) {
    case 'given':
      return `The domain was verified ${since} ago (${at}, as given).`;
    case 'earlier-check':
      return `A check found its DNS correct ${since} ago (${at}).`;
    case 'this-check':
      return 'This is the first known check that found its DNS correct.';
  }
}

function overdue(facts: CertificateFacts, evidence: Finding['evidence']): Finding {
  return {
    id: 'cert.overdue',
    axis: 'certificate',
    severity: 'block',
    message: `The certificate of ${facts.domain} is overdue. ${sinceVerification(facts)} It should be issued within 30 minutes.`,
    fix: {
      action: 'other',
      text:
        'Start verification again in your dashboard, once. If that does not help, check for CAA records and for AAAA records of another host. ' +
        'Other reasons are a proxy or CDN, closed ports 80 and 443, and broken DNSSEC. Authorities also limit how many certificates a domain gets in a week.',
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
