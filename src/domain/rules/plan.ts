import type { Facts, PlanFact } from '../facts/facts.js';
import type { Finding } from '../finding/finding.js';
import { clipped } from '../finding/printable.js';

const NEED = 'Custom domains need the Pro plan or above';
const WHERE = 'Tell it with --plan, or look at your dashboard.';

/**
 * `plan.required`, `plan.unknown`: custom domains come with Pro and above. A plan that was merely inferred never blocks, for
 * the limits of different plans are alike in part, and the key may be another account's.
 */
export function plan({ plan: fact }: Facts): Finding[] {
  if (fact === undefined)
    return [unknown(`${NEED}; which plan you have is not known here.`, 'Plan: not told')];
  const name = clipped(fact.name, 40);
  if (fact.paid === undefined) {
    return [unknown(`${NEED}; whether ${name} is such a plan is not known here.`, evidenceText(fact, name))];
  }
  return fact.paid ? [] : [required(fact, name)];
}

function required(fact: PlanFact, name: string): Finding {
  const { inferred } = fact;
  return {
    id: 'plan.required',
    axis: 'plan',
    severity: inferred ? 'warn' : 'block',
    message: inferred
      ? `${NEED}. By the rate limit of your API key, yours seems to be ${name}.`
      : `${NEED}. Your plan: ${name}.`,
    fix: {
      action: 'other',
      text: inferred
        ? `${WHERE} If it is ${name}, upgrade it there, then verify again.`
        : 'Upgrade the plan in the dashboard, then verify again.',
      records: [],
    },
    evidence: [{ text: evidenceText(fact, name) }],
  };
}

function unknown(message: string, text: string): Finding {
  return {
    id: 'plan.unknown',
    axis: 'plan',
    severity: 'unknown',
    message,
    fix: { action: 'other', text: WHERE, records: [] },
    evidence: [{ text }],
  };
}

/** DNS knows nothing of plans: where it is known from is all there is to show. */
function evidenceText({ inferred }: PlanFact, name: string): string {
  return `Plan: ${name}, ${inferred ? 'inferred from the rate limit of the API key' : 'as told'}`;
}
