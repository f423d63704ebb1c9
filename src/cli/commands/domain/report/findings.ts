import type { Finding, State, VerdictExitCode } from '../../../../domain/index.js';
import type { Page } from '../../../output/table/page.js';
import type { Session } from '../../../session/action.js';
import { present, type Presentation } from '../../../session/present.js';
import { stateWords } from './state-words.js';

/** The exit codes of {@link probeExitCode}, for help pages. */
export const PROBE_EXIT_CODES = `Exit codes:
- 0: no problem
- 1: a problem, or no address
- 2: a name, flag or setting is invalid; nothing was requested
- 8: pending, such as a certificate that is not issued yet
- 9: could not check`;

/** Returns 0 (ok), 1 (a problem), 8 (pending) or 9 (unknown). */
export function probeExitCode(findings: readonly Finding[]): VerdictExitCode {
  const has = (severity: Finding['severity']): boolean =>
    findings.some((finding) => finding.severity === severity);
  if (has('block')) return 1;
  if (has('wait')) return 8;
  return has('unknown') || findings.length === 0 ? 9 : 0;
}

/** Adds the findings of a probe to a page. */
export function showFindings(findings: readonly Finding[], page: Page): void {
  for (const { message, fix, id } of findings) {
    page.text(`${message} [${id}]`, { first: '  - ', rest: '    ' });
    if (fix !== undefined) page.text(fix.text, { first: '    ' });
  }
}

/** Prints the result of a probe, and annotates its problems. Returns the exit code. */
export async function presentProbe(
  title: string,
  findings: readonly Finding[],
  result: Presentation,
  session: Session,
): Promise<VerdictExitCode> {
  await present(result, session);
  const exitCode = probeExitCode(findings);
  if (exitCode !== 0) annotateFindings(title, undefined, findings, session);
  return exitCode;
}

const SEVERITIES = ['block', 'wait', 'unknown', 'warn'] as const;

/** Annotates why a check failed: the findings of the highest severity. */
export function annotateFindings(
  name: string,
  state: State | undefined,
  findings: readonly Pick<Finding, 'severity' | 'message'>[],
  session: Session,
): void {
  const severity = SEVERITIES.find((level) => findings.some((finding) => finding.severity === level));
  const reasons = findings.filter((finding) => finding.severity === severity).map(({ message }) => message);
  if (reasons.length === 0) return;
  session.annotateFailure(state === undefined ? name : `${name}: ${stateWords(state).words}`, reasons);
}

/** The evidence of all problems or, without a problem, of all findings. Removes duplicates. */
export function evidenceOf(findings: readonly Finding[]): readonly Finding['evidence'][number][] {
  const problems = findings.filter(({ severity }) => severity !== 'info');
  const proofs = (problems.length > 0 ? problems : findings).flatMap(({ evidence }) => evidence);
  return [...new Map(proofs.map((proof) => [`${proof.command ?? ''} ${proof.text}`, proof])).values()];
}
