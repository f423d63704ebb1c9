import type { Facts } from '../facts/facts.js';
import type { Evidence } from '../finding/finding.js';
import { withPort } from '../name/ip-address.js';
import { evidenceOf } from '../views/evidence.js';

/** The CAA names of the platform's authority: as given, otherwise those of the target's certificate. */
export function issuersOf({ caa: { issuer, learned } }: Facts): readonly string[] {
  return issuer === undefined ? (learned?.caaNames ?? []) : [issuer.toLowerCase()];
}

/** Says that the authority is learned, and how to correct it. */
export function learnedText({ caa: { issuer, learned } }: Facts): string {
  if (issuer !== undefined || learned === undefined) return '';
  const { authority, target, caaNames } = learned;
  const name = caaNames.length === 0 ? ', whose CAA name is unknown' : '';
  return ` The certificate of ${target} shows the authority: ${authority}${name}. If the service uses another one, pass it with --issuer.`;
}

/** The CAA queries, and the certificate that shows the authority. */
export function caaEvidence({ caa: { steps, learned } }: Facts): Evidence[] {
  const queries = steps.map(({ lookup }) => evidenceOf(lookup));
  if (learned === undefined) return queries;
  const { address, port, authority, target } = learned;
  const command = `openssl s_client -connect ${withPort(address, port)} -servername ${target} </dev/null`;
  return [...queries, { text: `${address}: certificate for ${target}, by ${authority}`, command }];
}
