import type { Facts, PlanFact } from '../facts/facts.js';
import type { Finding } from '../finding/finding.js';
import { clipped } from '../finding/printable.js';

const REQUIREMENT = 'Custom domains need the Pro plan or above';
const HOW_TO_PASS = 'Pass --plan, or check the plan in your dashboard.';

/**
 * `plan.required`, `plan.unknown`: custom domains need Pro or above. An inferred plan never blocks: plans share some
 * limits, and the API key may belong to another account.
 */
export function plan({ plan: fact }: Facts): Finding[] {
  if (fact === undefined) return [planUnknown(`${REQUIREMENT}. Your plan is unknown.`, 'Plan: not given')];
  const name = clipped(fact.name, 40);
  if (fact.paid === undefined) {
    const message = `${REQUIREMENT}. It is unknown whether ${name} includes them.`;
    return [planUnknown(message, planEvidence(fact, name))];
  }
  return fact.paid ? [] : [planRequired(fact, name)];
}

function planRequired(fact: PlanFact, name: string): Finding {
  const { inferred } = fact;
  return {
    id: 'plan.required',
    axis: 'plan',
    severity: inferred ? 'warn' : 'block',
    message: inferred
      ? `${REQUIREMENT}. The rate limit of your API key indicates the plan ${name}.`
      : `${REQUIREMENT}. Your plan is ${name}.`,
    fix: {
      action: 'other',
      text: inferred
        ? `${HOW_TO_PASS} If it is ${name}, upgrade it there, then verify again.`
        : 'Upgrade the plan in the dashboard, then verify again.',
      records: [],
    },
    evidence: [{ text: planEvidence(fact, name) }],
  };
}

function planUnknown(message: string, evidence: string): Finding {
  return {
    id: 'plan.unknown',
    axis: 'plan',
    severity: 'unknown',
    message,
    fix: { action: 'other', text: HOW_TO_PASS, records: [] },
    evidence: [{ text: evidence }],
  };
}

/** DNS does not show a plan, so its source is the evidence. */
function planEvidence({ inferred }: PlanFact, name: string): string {
  return `Plan: ${name}, ${inferred ? 'inferred from the rate limit of the API key' : 'as given'}`;
}

/** `deploy.required`, `deploy.unknown`: a custom domain needs a project with a successful deploy. */
export function deploy({ deployed }: Facts): Finding[] {
  if (deployed === true) return [];
  const isUnknown = deployed === undefined;
  return [
    {
      id: isUnknown ? 'deploy.unknown' : 'deploy.required',
      axis: 'deploy',
      severity: isUnknown ? 'unknown' : 'block',
      message: isUnknown
        ? 'Custom domains need a successful deploy. It is unknown whether the project has one.'
        : 'The project has no successful deploy, so there is nothing to serve yet.',
      fix: {
        action: 'other',
        text: isUnknown
          ? 'Pass --deployed or --not-deployed, or check your dashboard.'
          : 'Deploy the project, then verify again.',
        records: [],
      },
      evidence: [{ text: isUnknown ? 'Deploy: not given' : 'Deploy: not successful, as given' }],
    },
  ];
}
