import { checkArgument } from '../../options/check-argument.js';
import { mustBeOneOf } from '../../options/check-options.js';
import type { Finding, FindingId, Severity } from '../report/finding.js';
import { checkFindings } from '../report/record-changes.js';
import type { State } from '../report/report.js';

/** Options of the exit code: which state counts as success. */
export interface VerdictOptions {
  /**
   * `active` also requires the certificate.
   *
   * @default 'verified'
   */
  until?: 'verified' | 'active' | undefined;
  /**
   * Whether warnings cause exit code 1. Findings that only need time do not.
   *
   * @default false
   */
  strict?: boolean | undefined;
}

/** 0: done, 1: action required, 2: invalid name, 8: pending, 9: inconclusive. */
export type VerdictExitCode = 0 | 1 | 2 | 8 | 9;

/** The state of a domain whose name is valid. */
export type CheckedState = Exclude<State, 'invalid'>;

/**
 * Decides the state from the findings. A `block` on any axis requires action. Otherwise DNS decides up to `verified`,
 * and the certificate between `verified` and `active`. Unknown plan and deploy do not count.
 */
export function stateOf(findings: readonly Finding[]): CheckedState {
  return STATE_RULES.find(({ holds }) => holds(findings))?.state ?? 'inconclusive';
}

/** Whether DNS is correct everywhere, whatever the certificate, CAA and the redirects are. */
export function isDnsVerified(findings: readonly Finding[]): boolean {
  return VERIFIED_STATES.has(stateOf(findings.filter(({ axis }) => isDnsAxis(axis))));
}

const VERIFIED_STATES: ReadonlySet<State> = new Set<State>(['verified', 'active']);

/**
 * Decides the exit code of `petstore domain verify`.
 *
 * @throws InvalidInputError if an argument is invalid.
 * @example
 * process.exitCode = exitCodeOf(report.state, report.findings, { until: 'active' });
 */
export function exitCodeOf(
  state: State,
  findings: readonly Finding[],
  { until = 'verified', strict = false }: VerdictOptions = {},
): VerdictExitCode {
  checkArgument(state, 'state', mustBeOneOf(...STATES));
  checkFindings(findings);
  checkArgument(until, 'until', mustBeOneOf('verified', 'active'));
  if (state === 'invalid') return 2;
  if (state === 'action-required') return 1;
  if (strict && findings.some(({ severity }) => severity === 'warn')) return 1;
  if (state === 'verified' && until === 'active') return certificateExitCode(findings);
  return EXIT_CODES[state];
}

const STATES = [
  'active',
  'verified',
  'propagating',
  'action-required',
  'invalid',
  'inconclusive',
] satisfies readonly State[];

const EXIT_CODES = { active: 0, verified: 0, propagating: 8, inconclusive: 9 } as const;

/** The first rule that holds decides. */
const STATE_RULES: readonly { state: CheckedState; holds: (findings: readonly Finding[]) => boolean }[] = [
  { state: 'action-required', holds: (findings) => has(findings, 'block') },
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
  'probe.served',
]);

function has(
  findings: readonly Finding[],
  severity: Severity,
  counts: (axis: Finding['axis']) => boolean = () => true,
): boolean {
  return findings.some((finding) => finding.severity === severity && counts(finding.axis));
}

function isDnsAxis(axis: Finding['axis']): boolean {
  return !isCertificateAxis(axis) && axis !== 'redirect';
}

/** CAA affects issuance only. */
function isCertificateAxis(axis: Finding['axis']): boolean {
  return axis === 'certificate' || axis === 'caa';
}

/** Whether an `unknown` finding of this axis prevents a verdict. */
function isRequiredAxis(axis: Finding['axis']): boolean {
  return axis === 'zone' || axis === 'record' || axis === 'propagation';
}

/** A failed CAA lookup does not matter once the certificate serves. */
function isCertified(findings: readonly Finding[]): boolean {
  const certificate = findings.filter(({ axis }) => axis === 'certificate');
  return (
    certificate.some(({ id }) => id === 'cert.active') &&
    certificate.every(({ severity }) => severity === 'info' || severity === 'warn')
  );
}

function certificateExitCode(findings: readonly Finding[]): VerdictExitCode {
  return has(findings, 'wait', isCertificateAxis) ? 8 : 9;
}
