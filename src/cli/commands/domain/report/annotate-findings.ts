import type { Finding, State } from '../../../../domain/index.js';
import type { Session } from '../../../session/action.js';
import { stateWords } from './state-words.js';

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
