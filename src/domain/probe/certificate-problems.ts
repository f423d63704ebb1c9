import type { AddressFacts, CertificateFacts } from './probe-certificate.js';
import type { ServedCertificate } from './read-certificate.js';
import { timeText } from '../gather/views/estimate.js';
import type { Evidence } from '../report/finding.js';
import { isIpv6, withPort } from '../names/ip-address.js';
import { listed } from '../names/printable.js';
import type { AddressCertificate, CertificateReport } from '../report/report.js';
import { isNoEvidence } from './probe-failure.js';
import { CERTIFICATE_DUE_MS } from '../diagnose/wait.js';

/** A problem of the certificate at an address. */
export type CertificateProblem = 'wrong-name' | 'untrusted' | 'expired' | 'no-tls';

/** Progress of issuance. `settled`: waiting does not change the result. */
export type IssuePhase = 'pending' | 'overdue' | 'settled';

/** The problems of a certificate at the time of the check. */
export function certificateProblems(certificate: ServedCertificate, checkedAt: number): CertificateProblem[] {
  // Trust and dates of another name's certificate do not matter.
  if (!certificate.isForHost) return ['wrong-name'];
  const problems: CertificateProblem[] = [];
  if (distrustOf(certificate, checkedAt) !== undefined) problems.push('untrusted');
  if (certificate.validTo <= checkedAt) problems.push('expired');
  return problems;
}

/** The problems at an address; `undefined` if the probe showed nothing. */
export function problemsAt({ result }: AddressFacts, checkedAt: number): CertificateProblem[] | undefined {
  if (result.kind === 'certificate') return certificateProblems(result, checkedAt);
  return result.kind === 'refused' ? ['no-tls'] : undefined;
}

/** Returns why a certificate is not trusted, as a clause. Its own expiry does not count. */
export function distrustOf(certificate: ServedCertificate, checkedAt: number): string | undefined {
  const { distrust, validFrom, validTo } = certificate;
  if (validFrom > checkedAt)
    return `it is not valid before ${timeText(validFrom)}, or the clock here is wrong`;
  // OpenSSL reports one error only, and uses the machine's clock.
  if (distrust === undefined || (distrust === 'CERT_HAS_EXPIRED' && validTo <= checkedAt)) return undefined;
  return DISTRUST[distrust] ?? distrust;
}

/** Whether a certificate may be distrusted only because the clock of this machine is wrong. */
export function isDistrustedByClock({ distrust, validFrom }: ServedCertificate, checkedAt: number): boolean {
  return validFrom > checkedAt || distrust === 'CERT_HAS_EXPIRED' || distrust === 'CERT_NOT_YET_VALID';
}

/**
 * Decides the progress of issuance (interface specification, "What the service does", 8). An address without a certificate
 * for the domain is pending for 30 minutes after verification, later overdue. An untrusted certificate is `settled`:
 * waiting does not fix it. So is another host's certificate if the time of verification is unknown, except at an address of
 * the target.
 */
export function issuePhase(facts: CertificateFacts): IssuePhase {
  const { checkedAt, verifiedAt, addresses, isAtTarget = false } = facts;
  const probed = addresses.filter((address) => problemsAt(address, checkedAt) !== undefined);
  const isFailing = (address: AddressFacts): boolean =>
    problemsAt(address, checkedAt)?.some((problem) => problem !== 'expired') ?? false;
  const failing = probed.filter(isFailing);
  if (failing.length === 0) return 'settled';
  const isNew = verifiedAt === undefined ? isAtTarget : checkedAt - verifiedAt < CERTIFICATE_DUE_MS;
  if (isNew)
    return failing.every((address) => !problemsAt(address, checkedAt)?.includes('untrusted'))
      ? 'pending'
      : 'settled';
  if (verifiedAt === undefined) return probed.every(looksUnissued) ? 'pending' : 'settled';
  return failing.length === probed.length ? 'overdue' : 'settled';
}

/** Whether every address that could be probed serves the domain's certificate. */
export function isServed({ addresses, checkedAt }: CertificateFacts): boolean {
  const probed = addresses.filter(({ result }) => !isNoEvidence(result));
  return probed.length > 0 && probed.every((address) => problemsAt(address, checkedAt)?.length === 0);
}

/** The result of one address, with the command that shows it. */
export function addressEvidence(facts: CertificateFacts, { address, result }: AddressFacts): Evidence {
  const text = result.kind === 'certificate' ? certificateText(result) : result.detail;
  const endpoint = withPort(address, facts.port);
  // A shell would expand the brackets.
  const word = isIpv6(address) ? `'${endpoint}'` : endpoint;
  return {
    text: `${address}: ${text}`,
    ...(result.kind !== 'not-probed' &&
      result.kind !== 'over-limit' && {
        command: `openssl s_client -connect ${word} -servername ${facts.domain} </dev/null`,
      }),
  };
}

/** Returns `for a.example and b.example, by Some Authority, until 2026-03-01`. */
export function certificateText({ names, subject, issuer, validTo }: ServedCertificate): string {
  return `for ${namesText({ names, subject })}, issued by ${issuer}, valid until ${timeText(validTo)}`;
}

/** The names of a certificate, in words. */
export function namesText({ names, subject }: Pick<ServedCertificate, 'names' | 'subject'>): string {
  return listed(names.length > 0 ? names : [subject], 4);
}

function looksUnissued({ result }: AddressFacts): boolean {
  if (result.kind === 'certificate') return !result.isForHost && result.isForTarget;
  return result.kind === 'refused';
}

const INCOMPLETE_CHAIN = 'the server does not send the intermediate certificate, or its authority is unknown';

const DISTRUST: Readonly<Partial<Record<string, string>>> = {
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: INCOMPLETE_CHAIN,
  UNABLE_TO_GET_ISSUER_CERT: INCOMPLETE_CHAIN,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: INCOMPLETE_CHAIN,
  DEPTH_ZERO_SELF_SIGNED_CERT: 'it is self-signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'its chain ends at an unknown authority',
  CERT_HAS_EXPIRED: 'a certificate of its chain has expired, or the clock here is wrong',
  CERT_NOT_YET_VALID: 'a certificate of its chain is not valid yet, or the clock here is wrong',
};

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
    if (problem === 'expired') return 'expired';
    return `not trusted: ${distrustOf(probed, checkedAt) ?? ''}`;
  });
  return texts.length === 0 ? 'ok' : texts.join('; ');
}
