import type { Finding, FindingId, Severity } from '../finding/finding.js';
import type { State } from '../report/report.js';

/** Options of the exit code: which state counts as success. */
export interface VerdictOptions {
  /**
   * `active` also requires the certificate.
   *
   * @default 'verified'
   */
  until?: 'verified' | 'active';
  /**
   * Whether warnings cause exit code 1, and `block` findings that do not decide the state, such as those about CAA and
   * the certificate. Findings that only need time do not.
   *
   * @default false
   */
  strict?: boolean;
}

/** 0: done, 1: action required, 2: invalid name, 8: pending, 9: inconclusive. */
export type VerdictExitCode = 0 | 1 | 2 | 8 | 9;

/** The state of a domain whose name is valid. */
export type CheckedState = Exclude<State, 'invalid'>;

/**
 * Decides the state from the findings. DNS decides up to `verified`; the certificate and CAA decide between `verified`
 * and `active`. Redirects belong to other hosts: they affect the exit code, never the state. Unknown plan and deploy do
 * not count.
 */
export function stateOf(findings: readonly Finding[]): CheckedState {
  return STATE_RULES.find(({ holds }) => holds(findings))?.state ?? 'inconclusive';
}

/**
 * Decides the exit code of `petstore domain verify`. A broken redirect exits 1 in every state.
 *
 * @example
 * process.exitCode = exitCodeOf(report.state, report.findings, { until: 'active' });
 */
export function exitCodeOf(
  state: State,
  findings: readonly Finding[],
  { until = 'verified', strict = false }: VerdictOptions = {},
): VerdictExitCode {
  if (state === 'invalid') return 2;
  if (state === 'action-required' || has(findings, 'block', isRedirectAxis)) return 1;
  if (strict && findings.some(({ severity }) => severity === 'warn' || severity === 'block')) return 1;
  if (state === 'verified' && until === 'active') return certificateExitCode(findings);
  return EXIT_CODES[state];
}

const EXIT_CODES = { active: 0, verified: 0, propagating: 8, inconclusive: 9 } as const;

/** The first rule that holds decides. */
const STATE_RULES: readonly { state: CheckedState; holds: (findings: readonly Finding[]) => boolean }[] = [
  { state: 'action-required', holds: (findings) => has(findings, 'block', isDnsAxis) },
  { state: 'propagating', holds: (findings) => has(findings, 'wait', isDnsAxis) },
  { state: 'inconclusive', holds: (findings) => has(findings, 'unknown', isRequiredAxis) },
  { state: 'inconclusive', holds: (findings) => !findings.some(({ id }) => PROOFS.has(id)) },
  { state: 'active', holds: isCertified },
  { state: 'verified', holds: () => true },
];

/** A domain is verified only with one of these findings. */
const PROOFS: ReadonlySet<FindingId> = new Set<FindingId>([
  'record.ok',
  'apex.alias-proved',
  'apex.alias-consistent',
  'apex.looks-copied',
]);

function has(
  findings: readonly Finding[],
  severity: Severity,
  counts: (axis: Finding['axis']) => boolean,
): boolean {
  return findings.some((finding) => finding.severity === severity && counts(finding.axis));
}

function isDnsAxis(axis: Finding['axis']): boolean {
  return !isCertificateAxis(axis) && !isRedirectAxis(axis);
}

/** CAA affects issuance only. */
function isCertificateAxis(axis: Finding['axis']): boolean {
  return axis === 'certificate' || axis === 'caa';
}

function isRedirectAxis(axis: Finding['axis']): boolean {
  return axis === 'redirect';
}

/** Whether an `unknown` finding of this axis prevents a verdict. */
function isRequiredAxis(axis: Finding['axis']): boolean {
  return axis === 'zone' || axis === 'record' || axis === 'propagation';
}

/** A failed CAA lookup does not matter once the certificate serves. A CAA record that forbids renewal does. */
function isCertified(findings: readonly Finding[]): boolean {
  const certificate = findings.filter(({ axis }) => axis === 'certificate');
  return (
    certificate.some(({ id }) => id === 'cert.active') &&
    certificate.every(({ severity }) => severity === 'info' || severity === 'warn') &&
    !has(findings, 'block', isCertificateAxis)
  );
}

function certificateExitCode(findings: readonly Finding[]): VerdictExitCode {
  if (has(findings, 'block', isCertificateAxis)) return 1;
  return has(findings, 'wait', isCertificateAxis) ? 8 : 9;
}
