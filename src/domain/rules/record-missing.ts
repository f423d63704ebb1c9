import { evidenceOf } from '../evidence.js';
import type { Facts } from '../facts.js';
import type { Finding } from '../finding.js';
import { addWanted } from '../fixes.js';
import { judgedServers, viewOf } from '../server-view.js';
import { isDoubled } from './record-doubled-label.js';

/** `record.missing`: a subdomain with neither an alias nor an address. */
export function recordMissing(facts: Facts): Finding[] {
  const judged = judgedServers(facts);
  const isMissing = judged.length > 0 && judged.every((server) => viewOf(facts, server) === 'absent');
  if (facts.zone.kind === 'apex' || !isMissing || isDoubled(facts)) return [];
  return [
    {
      id: 'record.missing',
      axis: 'record',
      severity: 'block',
      message: `${facts.domain.unicode} has no record yet. Waiting will not help until it exists.`,
      fix: addWanted(facts),
      evidence: judged.map((server) => evidenceOf(server.cname)),
    },
  ];
}
