import { distinct, evidenceOf, typeOf } from '../evidence.js';
import type { Facts } from '../facts.js';
import type { Finding } from '../finding.js';
import { removeSeen } from '../fixes.js';
import { ownRecords } from '../own-records.js';
import { listed } from '../printable.js';
import { judgedServers, neighboursOfAlias } from '../server-view.js';

/** `conflict.coexist`: a CNAME beside other records (RFC 1034, section 3.6.2). Some servers hide this; others serve it. */
export function conflictCoexist(facts: Facts): Finding[] {
  if (facts.zone.kind === 'apex') return [];
  const judged = judgedServers(facts);
  const neighbours = distinct(judged.flatMap((server) => neighboursOfAlias(facts, server)));
  if (neighbours.length === 0) return [];
  const types = listed([...new Set(neighbours.map(({ data }) => typeOf(data)))]);
  return [
    {
      id: 'conflict.coexist',
      axis: 'record',
      severity: 'block',
      message: `${facts.domain.unicode} has ${types} beside its CNAME. A CNAME must be alone at its name, so it depends on chance which one is seen.`,
      fix: removeSeen(facts, neighbours, `Remove ${types} at this name and keep the CNAME.`),
      evidence: judged.flatMap(({ cname, a, aaaa, mx, txt, https }) => [
        evidenceOf(cname),
        ...[a, aaaa, mx, txt, https]
          .filter((lookup) => ownRecords(facts, lookup).length > 0)
          .map((lookup) => evidenceOf(lookup)),
      ]),
    },
  ];
}
