import type { CertificateFacts } from './certificate-facts.js';
import { addressEvidence, problemsAt } from './certificate-view.js';
import type { Finding } from '../finding/finding.js';
import { isIpv6 } from '../name/ip-address.js';
import { listed } from '../finding/printable.js';

/** `cert.differs-per-address`: right at some addresses and wrong at others, so that it depends on the visitor. */
export function certificateDiffers(facts: CertificateFacts): Finding[] {
  const { addresses, checkedAt: askedAt, domain } = facts;
  const right = addresses.filter((place) => problemsAt(place, askedAt)?.length === 0);
  const wrong = addresses.filter((place) => (problemsAt(place, askedAt)?.length ?? 0) > 0);
  if (right.length === 0 || wrong.length === 0) return [];
  const list = (places: typeof addresses): string => listed(places.map(({ address }) => address));
  const families = [right, wrong].map((places) => new Set(places.map(({ address }) => isIpv6(address))));
  const isFamily =
    families.every(({ size }) => size === 1) && families[0]?.has(true) !== families[1]?.has(true);
  const who = isFamily
    ? ` Visitors by ${families[1]?.has(true) === true ? 'IPv6' : 'IPv4'} get the wrong one.`
    : '';
  return [
    {
      id: 'cert.differs-per-address',
      axis: 'certificate',
      severity: 'warn',
      message: `The certificate of ${domain} is right at ${list(right)}, and not at ${list(wrong)}.${who}`,
      fix: {
        action: 'other',
        text: `Remove the records of addresses that are not the platform's, if ${list(wrong)} should be such; otherwise wait a few minutes and check again.`,
        records: [],
      },
      evidence: addresses.map((place) => addressEvidence(facts, place)),
    },
  ];
}
