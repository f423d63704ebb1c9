import type { Facts } from '../facts.js';
import type { Finding } from '../finding.js';

/** `plan.required`, `plan.unknown`: custom domains come with Pro and above. */
export function plan({ plan: fact }: Facts): Finding[] {
  if (fact === undefined) {
    return [
      {
        id: 'plan.unknown',
        axis: 'plan',
        severity: 'unknown',
        message: 'Custom domains need the Pro plan or above; which plan you have is not known here.',
        fix: { action: 'other', text: 'Tell it with --plan, or look at your dashboard.', records: [] },
        evidence: [],
      },
    ];
  }
  if (fact.paid) return [];
  const source = fact.inferred ? ' (inferred from the rate limit)' : '';
  return [
    {
      id: 'plan.required',
      axis: 'plan',
      severity: 'block',
      message: `Custom domains need the Pro plan or above. Your plan: ${fact.name}${source}.`,
      fix: { action: 'other', text: 'Upgrade the plan in the dashboard, then verify again.', records: [] },
      evidence: [{ text: `Plan: ${fact.name}${source}` }],
    },
  ];
}
