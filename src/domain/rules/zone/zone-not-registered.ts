import { evidenceOf } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';

/** `zone.not-registered`: the parent says that the registrable name does not exist. */
export function zoneNotRegistered({ zone }: Facts): Finding[] {
  if (zone.delegation?.outcome !== 'nxdomain') return [];
  return [
    {
      id: 'zone.not-registered',
      axis: 'zone',
      severity: 'block',
      message: `${zone.registrable} is not registered, or its registration has run out. Waiting will not help.`,
      fix: {
        action: 'other',
        text: `Check the spelling of ${zone.registrable}, and look at your registrar whether it is yours and paid for.`,
        records: [],
      },
      evidence: [evidenceOf(zone.delegation)],
    },
  ];
}
