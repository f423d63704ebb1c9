import { evidenceOf } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { changeToWanted, wantedText } from '../../records/fixes.js';
import { aliasAdvice } from '../provider-hints.js';
import { aliasesAt, judgedServers } from '../../views/server-view.js';

/** `apex.cname`: a CNAME at the apex, which hides SOA, NS and MX. */
export function apexCname(facts: Facts): Finding[] {
  const server = judgedServers(facts).find((one) => aliasesAt(facts, one).length > 0);
  if (facts.zone.kind !== 'apex' || server === undefined) return [];
  return [
    {
      id: 'apex.cname',
      axis: 'record',
      severity: 'block',
      message: `${facts.domain.unicode} is the apex of its zone and has a CNAME. That hides its other records (name servers, mail), so mail and the zone itself may fail.`,
      fix: changeToWanted(
        facts,
        `Replace the CNAME by ${wantedText(facts)} (some providers call it ANAME).${aliasAdvice(facts.zone.ownHosts)}`,
      ),
      evidence: [evidenceOf(server.cname), evidenceOf(server.mx)],
    },
  ];
}
