import { evidenceOf } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { aliasesAt, isRecordRight, judgedServers, laggingServers } from '../../views/server-view.js';

/** `record.ok`: the servers of the zone that answered have a subdomain's record right. */
export function recordOk(facts: Facts): Finding[] {
  if (facts.zone.kind === 'apex' || !isRecordRight(facts) || laggingServers(facts).length > 0) return [];
  const judged = judgedServers(facts);
  const isAlias = judged.every((server) => aliasesAt(facts, server).length > 0);
  return [
    {
      id: 'record.ok',
      axis: 'record',
      severity: 'info',
      message: isAlias
        ? `${facts.domain.unicode} points to ${facts.target} at every name server that answered.`
        : `${facts.domain.unicode} follows ${facts.target}: the provider answers with its addresses.`,
      evidence: judged.map((server) => evidenceOf(isAlias ? server.cname : server.a)),
    },
  ];
}
