import type { Finding, State, VerdictExitCode } from '../../../../domain/index.js';
import type { PaintStyle } from '../../../output/index.js';
import type { RenderedReport } from '../next-commands.js';

/** How a state is shown. */
export interface StateWords {
  words: string;
  symbol: string;
  style: PaintStyle;
}

const STATES: Readonly<Record<State, StateWords>> = {
  active: { words: 'active', symbol: '✓', style: 'green' },
  verified: { words: 'verified', symbol: '✓', style: 'green' },
  propagating: { words: 'propagating', symbol: '…', style: 'yellow' },
  'action-required': { words: 'action required', symbol: '✗', style: 'red' },
  invalid: { words: 'not a domain name', symbol: '✗', style: 'red' },
  inconclusive: { words: 'inconclusive', symbol: '?', style: 'yellow' },
};

export function stateWords(state: State): StateWords {
  return STATES[state];
}

/** What the state means here, in a sentence. */
export function stateSentence({ state, observed, estimate, findings }: RenderedReport): string {
  const ask = observed.recursive.length === 0 ? '' : ' and resolver asked';
  switch (state) {
    case 'active':
      return `Right at every name server${ask}, and the certificate serves${reservation(findings)}.`;
    case 'verified':
      return `Right at every name server${ask}${reservation(findings)}.`;
    case 'propagating':
      return estimate === null
        ? 'Right at the source. Not every name server has it yet.'
        : 'Right at the source. Only time is missing.';
    case 'action-required':
      return 'Something has to be changed, and waiting does not do it.';
    case 'inconclusive':
      return findings.some(({ id }) => id === 'time.ran-out')
        ? 'It could not be told: there was no time to ask all that has to be asked.'
        : 'It could not be told: what had to be asked did not answer.';
    case 'invalid':
      return 'Nothing was asked.';
  }
}

/** What has to be changed all the same: neither redirects nor what only a certificate needs decide the state. */
function reservation(findings: readonly Finding[]): string {
  const axes = findings.filter(({ severity }) => severity === 'block').map(({ axis }) => axis);
  if (axes.length === 0) return '';
  return axes.every((axis) => axis === 'redirect')
    ? '; a redirect has to be mended'
    : '; something has to be changed before its certificate can come';
}

/**
 * The one thing to do, or to wait for, in one line; empty where there is nothing.
 *
 * @param exitCode What the process is to exit with for the report, where that is known: a 1 has a reason beside the state.
 */
export function briefAdvice(report: RenderedReport, exitCode?: VerdictExitCode): string {
  const { findings } = report;
  const reason =
    findings.find(({ severity }) => severity === 'block') ??
    findings.find(({ severity }) => severity === 'warn');
  const finding = exitCode === 1 ? reason : (reasonOfState(report) ?? reason);
  // By itself a remedy says enough only where something has to be changed.
  const advice = finding?.severity === 'block' ? finding.fix?.text : undefined;
  return advice ?? finding?.message ?? '';
}

/** What the state comes from; of a verified domain what stands in the way of its certificate. */
function reasonOfState({ findings, state }: RenderedReport): Finding | undefined {
  switch (state) {
    case 'action-required':
      return findings.find(({ severity }) => severity === 'block');
    case 'propagating':
      return findings.find(({ severity }) => severity === 'wait');
    case 'inconclusive':
      return findings.find((finding) => finding.severity === 'unknown' && isOfDns(finding));
    default:
      return (
        findings.find(({ severity }) => severity === 'block') ??
        findings.find(({ axis, severity }) => axis === 'certificate' && severity !== 'info')
      );
  }
}

/** What is not known of the plan or the deploy makes no check inconclusive: what DNS did not answer does. */
function isOfDns({ axis }: Finding): boolean {
  return axis === 'name' || axis === 'zone' || axis === 'record' || axis === 'propagation';
}
