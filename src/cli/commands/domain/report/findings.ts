import type { Finding, State, VerdictExitCode } from '../../../../domain/index.js';
import { withLocalTimes } from '../../../output/text/local-time.js';
import type { Session } from '../../../session/session.js';
import { outputShape, present, type Presentation } from '../../../session/present.js';
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

/** Prints the result of a probe, and reports its problems and warnings. Returns the exit code. */
export async function presentProbe(
  title: string,
  findings: readonly Finding[],
  result: Presentation,
  session: Session,
): Promise<VerdictExitCode> {
  await present(result, session);
  const exitCode = probeExitCode(findings);
  reportProblems({ name: title, findings, exitCode }, session);
  return exitCode;
}

/** A check that was printed. */
interface CheckedResult {
  name: string;
  state?: State;
  findings: readonly Pick<Finding, 'id' | 'severity' | 'message' | 'fix'>[];
  exitCode: VerdictExitCode;
}

const SEVERITIES = ['block', 'wait', 'unknown', 'warn'] as const;

/** Annotates why a check failed: the findings of the highest severity. Warns of the others, where stdout has no warnings. */
export function reportProblems({ name, state, findings, exitCode }: CheckedResult, session: Session): void {
  const worst = SEVERITIES.find((level) => findings.some(({ severity }) => severity === level));
  const failed = exitCode === 0 ? undefined : worst;
  const reasons = findings.filter(({ severity }) => severity === failed).map(({ message }) => message);
  if (reasons.length > 0)
    session.annotateFailure(state === undefined ? name : `${name}: ${stateWords(state).words}`, reasons);
  const print = !showsFindings(session);
  const now = session.context.clock.now();
  for (const { id, severity, message, fix } of findings) {
    if (severity !== 'warn') continue;
    const text = `${name}: ${[message, fix?.text].filter((part) => part !== undefined).join(' ')} [${id}]`;
    session.warn(withLocalTimes(text, now), { print, annotate: failed !== 'warn' });
  }
}

/** Whether stdout shows every finding of a check. */
function showsFindings(session: Session): boolean {
  const { ownFormat, query, fields } = session.global;
  const shape = outputShape(session);
  if (ownFormat !== undefined || shape === 'page') return true;
  return shape !== 'rows' && query === undefined && (fields?.includes('findings') ?? true);
}

/** The evidence of all problems or, without a problem, of all findings. Removes duplicates. */
export function evidenceOf(findings: readonly Finding[]): readonly Finding['evidence'][number][] {
  const problems = findings.filter(({ severity }) => severity !== 'info');
  const proofs = (problems.length > 0 ? problems : findings).flatMap(({ evidence }) => evidence);
  return [...new Map(proofs.map((proof) => [`${proof.command ?? ''} ${proof.text}`, proof])).values()];
}
