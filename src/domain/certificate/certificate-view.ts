import type { AddressFacts, CertificateFacts, SeenCertificate } from './certificate-facts.js';
import type { Evidence } from '../finding/finding.js';
import { isIpv6, withPort } from '../name/ip-address.js';
import { listed } from '../finding/printable.js';
import { CERTIFICATE_DUE_MS } from '../verdict/wait.js';

/** What can be wrong with what an address shows. */
export type CertificateProblem = 'wrong-name' | 'untrusted' | 'expired' | 'no-tls';

/** Where the issuing of the certificate stands; `settled` where time has no part in what is seen. */
export type IssuePhase = 'pending' | 'overdue' | 'settled';

/** The certificate's faults, by the time of the check; empty where it is right. */
export function certificateProblems(certificate: SeenCertificate, askedAt: number): CertificateProblem[] {
  // Trust and dates of a certificate that is for something else are no matter of the domain.
  if (!certificate.isForHost) return ['wrong-name'];
  const faults: CertificateProblem[] = [];
  if (distrustOf(certificate, askedAt) !== undefined) faults.push('untrusted');
  if (certificate.validTo <= askedAt) faults.push('expired');
  return faults;
}

/** What is wrong at an address; `undefined` where it could not be told. */
export function problemsAt({ seen }: AddressFacts, askedAt: number): CertificateProblem[] | undefined {
  if (seen.kind === 'certificate') return certificateProblems(seen, askedAt);
  return seen.kind === 'no-answer' ? ['no-tls'] : undefined;
}

/** Why it is not trusted, apart from its own expiry, in words that follow `it` or `its`. */
export function distrustOf(certificate: SeenCertificate, askedAt: number): string | undefined {
  const { distrust, validFrom, validTo } = certificate;
  if (validFrom > askedAt) return `it is not valid before ${dayOf(validFrom)}, or the clock here is wrong`;
  // OpenSSL goes by the machine's clock and tells one thing only, which for an expired certificate is that.
  if (distrust === undefined || (distrust === 'CERT_HAS_EXPIRED' && validTo <= askedAt)) return undefined;
  return DISTRUST[distrust] ?? distrust;
}

/**
 * Where the issuing stands (specification, custom domain, 8). What has nothing yet, or the platform's own certificate, counts
 * as pending, as long as it is not known to be overdue; another's certificate does not, for no time mends that.
 */
export function issuePhase(facts: CertificateFacts): IssuePhase {
  const { checkedAt: askedAt, verifiedAt, addresses } = facts;
  const concluded = addresses.filter((address) => problemsAt(address, askedAt) !== undefined);
  const isFaulty = (address: AddressFacts): boolean =>
    problemsAt(address, askedAt)?.some((fault) => fault !== 'expired') ?? false;
  const faulty = concluded.filter(isFaulty);
  if (faulty.length === 0) return 'settled';
  if (verifiedAt === undefined) return concluded.every(looksUnissued) ? 'pending' : 'settled';
  if (askedAt - verifiedAt < CERTIFICATE_DUE_MS) return faulty.every(looksUnissued) ? 'pending' : 'settled';
  return faulty.length === concluded.length ? 'overdue' : 'settled';
}

/** Whether the domain is served with its certificate wherever that could be told. */
export function isServed({ addresses, checkedAt: askedAt }: CertificateFacts): boolean {
  const told = addresses.filter(({ seen }) => seen.kind !== 'no-route');
  return told.length > 0 && told.every((address) => problemsAt(address, askedAt)?.length === 0);
}

/** What an address showed, in words, with the command that shows it. */
export function addressEvidence(facts: CertificateFacts, { address, seen }: AddressFacts): Evidence {
  const text = seen.kind === 'certificate' ? certificateText(seen) : seen.detail;
  const place = withPort(address, facts.port);
  // Brackets are a pattern to a shell.
  const door = isIpv6(address) ? `'${place}'` : place;
  return {
    text: `${address}: ${text}`,
    ...(seen.kind !== 'not-probed' && {
      command: `openssl s_client -connect ${door} -servername ${facts.domain} </dev/null`,
    }),
  };
}

/** `for a.example and b.example, by Some Authority, until 2026-03-01` */
export function certificateText({ names, subject, issuer, validTo }: SeenCertificate): string {
  return `for ${listed(names.length > 0 ? names : [subject], 4)}, by ${issuer}, until ${dayOf(validTo)}`;
}

/** `2026-03-01` */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

function looksUnissued({ seen }: AddressFacts): boolean {
  if (seen.kind === 'certificate') return !seen.isForHost && seen.isForTarget;
  return seen.kind === 'no-answer';
}

const MISSING_LINK = 'the server does not send the intermediate certificate, or its authority is not known';

const DISTRUST: Readonly<Partial<Record<string, string>>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: MISSING_LINK,
  UNABLE_TO_GET_ISSUER_CERT: MISSING_LINK,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: MISSING_LINK,
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is signed by itself',
  SELF_SIGNED_CERT_IN_CHAIN: 'the chain ends at an authority that is not known',
  CERT_HAS_EXPIRED: 'a certificate of its chain has expired, or the clock here is wrong',
  CERT_NOT_YET_VALID: 'a certificate of its chain is not valid yet, or the clock here is wrong',
};
