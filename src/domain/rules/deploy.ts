import type { Facts } from '../facts/facts.js';
import type { Finding } from '../finding/finding.js';

/** `deploy.required`, `deploy.unknown`: a domain needs a project that was deployed successfully. */
export function deploy({ deployed }: Facts): Finding[] {
  if (deployed === true) return [];
  const isUnknown = deployed === undefined;
  return [
    {
      id: isUnknown ? 'deploy.unknown' : 'deploy.required',
      axis: 'deploy',
      severity: isUnknown ? 'unknown' : 'block',
      message: isUnknown
        ? 'A custom domain needs a successful deploy; whether there was one is not known here.'
        : 'There is nothing to serve yet: the project has no successful deploy.',
      fix: {
        action: 'other',
        text: isUnknown
          ? 'Tell it with --deployed or --not-deployed, or look at your dashboard.'
          : 'Deploy the project, then verify again.',
        records: [],
      },
      evidence: [{ text: isUnknown ? 'Deploy: not told' : 'Deploy: none succeeded, as told' }],
    },
  ];
}
