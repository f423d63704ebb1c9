import type { Finding, Report, State } from '../../../domain/index.js';
import type { PaintStyle } from '../../output/index.js';

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
export function stateSentence({ state, observed, estimate }: Report): string {
  const ask = observed.recursive.length === 0 ? '' : ' and resolver asked';
  switch (state) {
    case 'active':
      return `Right at every name server${ask}, and the certificate serves.`;
    case 'verified':
      return `Right at every name server${ask}.`;
    case 'propagating':
      return estimate === null
        ? 'Right at the source. Not every name server has it yet.'
        : 'Right at the source. Only time is missing.';
    case 'action-required':
      return 'Something has to be changed, and waiting does not do it.';
    case 'inconclusive':
      return 'It could not be told: what had to be asked did not answer.';
    case 'invalid':
      return 'Nothing was asked.';
  }
}

/** The one thing to do, or to wait for, in one line; empty where there is nothing. */
export function briefAdvice({ findings, state }: Report): string {
  const severity = { 'action-required': 'block', propagating: 'wait', inconclusive: 'unknown' } as const;
  const wanted = state in severity ? severity[state as keyof typeof severity] : undefined;
  const finding =
    wanted === undefined
      ? findings.find(({ axis, severity: weight }) => axis === 'certificate' && weight !== 'info')
      : findings.find(
          (candidate) => candidate.severity === wanted && (wanted !== 'unknown' || isOfDns(candidate)),
        );
  // By itself a remedy says enough only where something has to be changed.
  const advice = finding?.severity === 'block' ? finding.fix?.text : undefined;
  return advice ?? finding?.message ?? '';
}

/** What is not known of the plan or the deploy makes no check inconclusive: what DNS did not answer does. */
function isOfDns({ axis }: Finding): boolean {
  return axis === 'name' || axis === 'zone' || axis === 'record' || axis === 'propagation';
}
