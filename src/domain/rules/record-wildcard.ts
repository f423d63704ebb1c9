import { evidenceOf } from '../evidence.js';
import type { Facts } from '../facts.js';
import type { Finding } from '../finding.js';
import { addWanted } from '../fixes.js';
import { isRight, judgedServers } from '../server-view.js';
import { isOfWildcard } from '../wildcard.js';

/** `record.wildcard`: the domain leads to the target by a wildcard alone. One that leads elsewhere is `record.missing`. */
export function recordWildcard(facts: Facts): Finding[] {
  const { wildcard } = facts.nearby;
  const judged = judgedServers(facts);
  if (wildcard === undefined || !isRight(facts)) return [];
  if (!judged.some(({ server }) => isOfWildcard(facts, server))) return [];
  return [
    {
      id: 'record.wildcard',
      axis: 'record',
      severity: 'warn',
      message:
        `${facts.domain.unicode} has no record of its own: a wildcard, ${wildcard.name}, answers for it. ` +
        'An explicit record is safer: whoever may claim other names at the service could be reached under yours.',
      fix: addWanted(facts),
      evidence: [evidenceOf(wildcard.lookup)],
    },
  ];
}
