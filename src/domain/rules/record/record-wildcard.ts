import { evidenceOf } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { addWanted } from '../../records/fixes.js';
import { isRecordRight, judgedServers } from '../../views/server-view.js';
import { isFromWildcard } from '../../views/wildcard.js';

/** `record.wildcard`: the domain leads to the target by a wildcard alone. One that leads elsewhere is `record.missing`. */
export function recordWildcard(facts: Facts): Finding[] {
  const { wildcard } = facts.relatedNames;
  const judged = judgedServers(facts);
  if (wildcard === undefined || !isRecordRight(facts)) return [];
  if (!judged.some(({ server }) => isFromWildcard(facts, server))) return [];
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
