import type { CertificateFacts } from './certificate-facts.js';
import { addressEvidence, certificateText, isServed, issuePhase } from './certificate-view.js';
import { durationText } from '../verdict/estimate.js';
import type { Finding } from '../finding/finding.js';

const MINUTE_MS = 60_000;

/** `cert.active`, `cert.pending`, `cert.overdue`: whether the certificate is there and, if not, whether it should be. */
export function certificateIssuance(facts: CertificateFacts): Finding[] {
  const evidence = facts.addresses.map((address) => addressEvidence(facts, address));
  if (isServed(facts)) {
    const seen = facts.addresses.map((address) => address.seen).find(({ kind }) => kind === 'certificate');
    const text = seen?.kind === 'certificate' ? `: ${certificateText(seen)}` : '';
    const message = `${facts.domain} has its certificate${text}.${unrouted(facts)}`;
    return [{ id: 'cert.active', axis: 'certificate', severity: 'info', message, evidence }];
  }
  const phase = issuePhase(facts);
  if (phase === 'settled') return [];
  return [phase === 'pending' ? pending(facts, evidence) : overdue(facts, evidence)];
}

function pending(facts: CertificateFacts, evidence: Finding['evidence']): Finding {
  const { domain, verifiedAt, checkedAt: askedAt } = facts;
  const isKnown = verifiedAt !== undefined;
  const since = isKnown
    ? `It was verified ${sinceText(Math.max(0, askedAt - verifiedAt))} ago, and a certificate comes within minutes; after 30 it is overdue.`
    : 'It comes within minutes after verification; when that was is not known here.';
  return {
    id: 'cert.pending',
    axis: 'certificate',
    severity: 'wait',
    message: `${domain} has no certificate yet. ${since}`,
    fix: {
      action: 'other',
      text: isKnown
        ? 'Wait; nothing is to be done now.'
        : 'Wait, with --until active --wait. If it was verified more than 30 minutes ago, trigger verification again in your dashboard.',
      records: [],
    },
    evidence,
  };
}

function overdue(facts: CertificateFacts, evidence: Finding['evidence']): Finding {
  const { domain, verifiedAt = facts.checkedAt, checkedAt: askedAt } = facts;
  return {
    id: 'cert.overdue',
    axis: 'certificate',
    severity: 'block',
    message: `${domain} has no certificate ${sinceText(askedAt - verifiedAt)} after verification; after 30 minutes it is overdue.`,
    fix: {
      action: 'other',
      text: 'Trigger verification again in your dashboard, once. If that does not help, look at what keeps authorities from issuing: CAA records, an AAAA record that leads elsewhere, a proxy or CDN in front, ports 80 and 443 closed, broken DNSSEC, or too many certificates for the domain this week.',
      records: [],
    },
    evidence,
  };
}

function unrouted({ addresses }: CertificateFacts): string {
  const count = addresses.filter(({ seen }) => seen.kind === 'no-route').length;
  if (count === 0) return '';
  return ` ${count} of its addresses could not be looked at from this machine, which has no way there.`;
}

function sinceText(durationMs: number): string {
  const minutes = Math.floor(durationMs / MINUTE_MS);
  if (minutes === 0) return 'less than a minute';
  return minutes === 1 ? '1 minute' : minutes < 120 ? `${minutes} minutes` : durationText(minutes * 60);
}
