import { evidenceOf } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { addWanted } from '../../records/fixes.js';
import { aliasAdvice } from '../provider-hints.js';
import { judgedServers, serverView } from '../../views/server-view.js';

/** `apex.missing`: the apex of the zone has no address. */
export function apexMissing(facts: Facts): Finding[] {
  const judged = judgedServers(facts);
  const isMissing = judged.length > 0 && judged.every((server) => serverView(facts, server) === 'absent');
  if (facts.zone.kind !== 'apex' || !isMissing) return [];
  const fix = addWanted(facts);
  return [
    {
      id: 'apex.missing',
      axis: 'record',
      severity: 'block',
      message: `${facts.domain.unicode} has no address yet. Waiting will not help until it has.`,
      fix: { ...fix, text: `${fix.text} Some providers call it ANAME.${aliasAdvice(facts.zone.ownHosts)}` },
      evidence: judged.flatMap(({ a, aaaa }) => [evidenceOf(a), evidenceOf(aaaa)]),
    },
  ];
}
