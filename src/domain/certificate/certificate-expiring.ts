import type { CertificateFacts } from './certificate-facts.js';
import { addressEvidence, dayOf } from './certificate-view.js';
import type { Finding } from '../finding/finding.js';
import { listed } from '../finding/printable.js';

const DAY_MS = 86_400_000;
const DUE_DAYS = 14;

/** `cert.expiring`: less than 14 days are left, though renewal is automatic and due long before. */
export function certificateExpiring(facts: CertificateFacts): Finding[] {
  const { addresses, checkedAt: askedAt, domain } = facts;
  const ends = addresses.flatMap((place) => {
    const { seen } = place;
    if (seen.kind !== 'certificate' || !seen.isForHost) return [];
    const leftMs = seen.validTo - askedAt;
    return leftMs > 0 && leftMs < DUE_DAYS * DAY_MS ? [{ place, validTo: seen.validTo }] : [];
  });
  if (ends.length === 0) return [];
  const first = Math.min(...ends.map(({ validTo }) => validTo));
  const days = Math.floor((first - askedAt) / DAY_MS);
  const left = days === 0 ? 'today or tomorrow' : days === 1 ? 'in 1 day' : `in ${days} days`;
  const where = listed(ends.map(({ place }) => place.address));
  return [
    {
      id: 'cert.expiring',
      axis: 'certificate',
      severity: 'warn',
      message: `${where}: the certificate for ${domain} expires ${left} (${dayOf(first)}), and should have been renewed by now.`,
      fix: {
        action: 'other',
        text: 'Trigger verification again in your dashboard, and look at CAA records: they are asked at each renewal.',
        records: [],
      },
      evidence: ends.map(({ place }) => addressEvidence(facts, place)),
    },
  ];
}
