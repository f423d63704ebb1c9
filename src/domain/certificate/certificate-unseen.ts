import type { AddressFacts, CertificateFacts } from './certificate-facts.js';
import { addressEvidence, problemsAt } from './certificate-view.js';
import type { Finding } from '../finding/finding.js';
import { listed } from '../finding/printable.js';

/**
 * `cert.no-tls` as `unknown`: addresses of which nothing can be said. One that this machine merely has no way to, such as
 * IPv6 where there is only IPv4, is left out as long as others can be looked at.
 */
export function certificateUnseen(facts: CertificateFacts): Finding[] {
  const { addresses, checkedAt: askedAt } = facts;
  if (addresses.length === 0) return [nowhere(facts)];
  const isAnyTold = addresses.some((place) => problemsAt(place, askedAt) !== undefined);
  const unseen = addresses.filter(
    ({ seen }) => !isTold(seen.kind) && !(isAnyTold && seen.kind === 'no-route'),
  );
  const details = [...new Set(unseen.map(({ seen }) => ('detail' in seen ? seen.detail : '')))];
  return details.map((detail) => {
    const places = unseen.filter(({ seen }) => 'detail' in seen && seen.detail === detail);
    return unknown(
      `The certificate at ${listed(places.map(({ address }) => address))} could not be looked at: ${detail}.`,
      places.some(({ seen }) => seen.kind === 'not-probed')
        ? 'Tell where to connect with --connect HOST; only so are addresses probed that are not of the Internet.'
        : places.some(({ seen }) => seen.kind === 'aborted')
          ? 'Allow more time with --timeout.'
          : 'Try again later, or from another network.',
      places.map((place) => addressEvidence(facts, place)),
    );
  });
}

function nowhere({ domain }: CertificateFacts): Finding {
  return unknown(
    `The certificate of ${domain} could not be looked at: no address of it is known.`,
    'Try again when the name resolves, or tell where to connect with --connect HOST.',
    [{ text: `${domain}: no address` }],
  );
}

function unknown(message: string, text: string, evidence: Finding['evidence']): Finding {
  const fix = { action: 'other', text, records: [] } as const;
  return { id: 'cert.no-tls', axis: 'certificate', severity: 'unknown', message, fix, evidence };
}

function isTold(kind: AddressFacts['seen']['kind']): boolean {
  return kind === 'certificate' || kind === 'no-answer';
}
