import type { Finding, FindingId, Severity } from '../finding/finding.js';
import type { State } from '../report/report.js';

/** What the caller wants of a check. */
export interface VerdictOptions {
  /** `active` wants the certificate as well. Default `verified`. */
  until?: 'verified' | 'active';
  /**
   * Whether every warning is a failure, and everything that blocks, whatever it blocks: CAA and the certificate as well, which
   * do not decide the state. What only takes time is none. Default false.
   */
  strict?: boolean;
}

/** 0 done, 1 the answer is no, 2 the name is wrong, 8 pending, 9 inconclusive. */
export type VerdictExitCode = 0 | 1 | 2 | 8 | 9;

/**
 * What the findings amount to. DNS decides up to `verified`: a certificate is not required for it, nor what only a
 * certificate needs, which is CAA. The certificate and CAA decide between `verified` and `active`. Redirects are other
 * hosts' business, and change no state: a wrong one shows in the exit code. Plan and deploy that are not known stand in
 * nobody's way; and nothing counts as verified without a finding that says so.
 */
export function stateOf(findings: readonly Finding[]): State {
  return TABLE.find(({ holds }) => holds(findings))?.state ?? 'inconclusive';
}

/** The exit code of `petstore domain verify`. A redirect that is wrong is a no, whatever the state. */
export function exitCodeOf(
  state: State,
  findings: readonly Finding[],
  { until = 'verified', strict = false }: VerdictOptions = {},
): VerdictExitCode {
  if (state === 'invalid') return 2;
  if (state === 'action-required' || weighs(findings, 'block', isOfRedirects)) return 1;
  if (strict && findings.some(({ severity }) => severity === 'warn' || severity === 'block')) return 1;
  if (state === 'verified' && until === 'active') return certificateExitCode(findings);
  return EXIT_CODES[state];
}

const EXIT_CODES = { active: 0, verified: 0, propagating: 8, inconclusive: 9 } as const;

/** The first row that holds is the verdict. A name that is none never comes here: its report is `invalid` from the start. */
const TABLE: readonly { state: State; holds: (findings: readonly Finding[]) => boolean }[] = [
  { state: 'action-required', holds: (findings) => weighs(findings, 'block', isOfDns) },
  { state: 'propagating', holds: (findings) => weighs(findings, 'wait', isOfDns) },
  { state: 'inconclusive', holds: (findings) => weighs(findings, 'unknown', isNeeded) },
  { state: 'inconclusive', holds: (findings) => !findings.some(({ id }) => PROOFS.has(id)) },
  { state: 'active', holds: isCertified },
  { state: 'verified', holds: () => true },
];

const PROOFS: ReadonlySet<FindingId> = new Set<FindingId>([
  'record.ok',
  'apex.alias-proved',
  'apex.alias-consistent',
  'apex.looks-copied',
]);

function weighs(
  findings: readonly Finding[],
  severity: Severity,
  counts: (axis: Finding['axis']) => boolean,
): boolean {
  return findings.some((finding) => finding.severity === severity && counts(finding.axis));
}

function isOfDns(axis: Finding['axis']): boolean {
  return !isOfCertificate(axis) && !isOfRedirects(axis);
}

/** CAA keeps authorities from issuing; visitors and verification never see it. */
function isOfCertificate(axis: Finding['axis']): boolean {
  return axis === 'certificate' || axis === 'caa';
}

function isOfRedirects(axis: Finding['axis']): boolean {
  return axis === 'redirect';
}

/** CAA that could not be asked for is a matter of the certificate; redirects that could not be, of the redirects. */
function isNeeded(axis: Finding['axis']): boolean {
  return axis === 'zone' || axis === 'record' || axis === 'propagation';
}

/** A CAA look-up that failed is forgiven where the certificate serves; one that forbids is not: the next one won't come. */
function isCertified(findings: readonly Finding[]): boolean {
  const certificate = findings.filter(({ axis }) => axis === 'certificate');
  return (
    certificate.some(({ id }) => id === 'cert.active') &&
    certificate.every(({ severity }) => severity === 'info' || severity === 'warn') &&
    !weighs(findings, 'block', isOfCertificate)
  );
}

/** DNS is right, and the certificate does not serve, or is the last one. */
function certificateExitCode(findings: readonly Finding[]): VerdictExitCode {
  if (weighs(findings, 'block', isOfCertificate)) return 1;
  return weighs(findings, 'wait', isOfCertificate) ? 8 : 9;
}
