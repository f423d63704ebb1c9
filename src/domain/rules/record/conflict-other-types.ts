import { distinct, evidenceOf, recordText, typeOf } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { removeSeen, wantedText } from '../../records/fixes.js';
import type { Lookup } from '../../facts/lookup.js';
import { ownRecords, sharedLookups } from '../../views/own-records.js';
import { clipped, listed } from '../../finding/printable.js';
import { aliasesAt, judgedServers, serverView } from '../../views/server-view.js';

/** `conflict.other-types`: MX, TXT, HTTPS, SRV, CAA and the like where the CNAME belongs. */
export function conflictOtherTypes(facts: Facts): Finding[] {
  const judged = judgedServers(facts);
  const isFree = judged.every((server) => {
    return aliasesAt(facts, server).length === 0 && serverView(facts, server) !== 'right';
  });
  const lookups = [...judged.flatMap(othersAt), ...sharedLookups(facts)];
  const records = distinct(lookups.flatMap((lookup) => ownRecords(facts, lookup)));
  if (facts.zone.kind === 'apex' || !isFree || records.length === 0) return [];
  const types = listed([...new Set(records.map(({ data }) => typeOf(data)))]);
  return [
    {
      id: 'conflict.other-types',
      axis: 'record',
      severity: 'block',
      message:
        `A CNAME cannot share a name with other records, and ${facts.domain.unicode} has ${types}: ` +
        `${listed(records.map(({ data }) => clipped(recordText(data), 60)))}.`,
      fix: removeSeen(
        facts,
        records,
        `Move ${types} to another name, or use another subdomain; then add ${wantedText(facts)}. If your provider has ALIAS at subdomains, that can stand beside them.`,
      ),
      evidence: lookups
        .filter((lookup) => ownRecords(facts, lookup).length > 0)
        .map((lookup) => evidenceOf(lookup)),
    },
  ];
}

function othersAt({ mx, txt, https }: ServerFacts): Lookup[] {
  return [mx, txt, https];
}
