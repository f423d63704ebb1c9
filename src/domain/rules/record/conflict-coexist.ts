import { distinct, evidenceOf, serverText, typeOf } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { removeSeen } from '../../records/fixes.js';
import type { Lookup } from '../../facts/lookup.js';
import { ownRecords, sharedLookups } from '../../views/own-records.js';
import { listed } from '../../finding/printable.js';
import { aliasesAt, judgedServers, recordsNextToAlias } from '../../views/server-view.js';

/**
 * `conflict.coexist`: a CNAME beside other records (RFC 1034, section 3.6.2). Some servers hide this; others serve it.
 * SRV and rarer types are asked for at one server: few serve them there, and no visitor asks for them. But a secondary that
 * refuses such a zone (RFC 2181, section 10.1) serves nothing of it.
 * What could not be asked for beside a CNAME is not known to be absent.
 */
export function conflictCoexist(facts: Facts): Finding[] {
  if (facts.zone.kind === 'apex') return [];
  const judged = judgedServers(facts);
  const besides = judged.filter((server) => aliasesAt(facts, server).length > 0);
  return [
    ...found(facts, judged),
    // Visitors ask for addresses, so that these decide; the others matter less.
    ...untold(
      facts,
      'unknown',
      besides.flatMap(({ a, aaaa }) => [a, aaaa]),
    ),
    ...untold(
      facts,
      'warn',
      besides.flatMap(({ mx, txt, https }) => [mx, txt, https]),
    ),
  ];
}

function found(facts: Facts, judged: readonly ServerFacts[]): Finding[] {
  const neighbours = distinct(judged.flatMap((server) => recordsNextToAlias(facts, server)));
  if (neighbours.length === 0) return [];
  const isThere = (lookup: Lookup): boolean => ownRecords(facts, lookup).length > 0;
  const types = listed([...new Set(neighbours.map(({ data }) => typeOf(data)))]);
  return [
    {
      id: 'conflict.coexist',
      axis: 'record',
      severity: 'block',
      message: `${facts.domain.unicode} has ${types} beside its CNAME. A CNAME must be alone at its name, so it depends on chance which one is seen.`,
      fix: removeSeen(facts, neighbours, `Remove ${types} at this name and keep the CNAME.`),
      evidence: [
        ...judged.flatMap(({ cname, a, aaaa, mx, txt, https }) => [
          evidenceOf(cname),
          ...[a, aaaa, mx, txt, https].filter(isThere).map((lookup) => evidenceOf(lookup)),
        ]),
        ...sharedLookups(facts)
          .filter(isThere)
          .map((lookup) => evidenceOf(lookup)),
      ],
    },
  ];
}

function untold(facts: Facts, severity: 'unknown' | 'warn', lookups: readonly Lookup[]): Finding[] {
  const failed = lookups.filter((lookup) => lookup.outcome === 'failed');
  if (failed.length === 0) return [];
  const types = listed([...new Set(failed.map(({ question }) => question.type))]);
  const hosts = listed([...new Set(failed.map(({ server }) => serverText(server)))]);
  return [
    {
      id: 'conflict.coexist',
      axis: 'record',
      severity,
      message: `${hosts} could not be asked for ${types} beside the CNAME of ${facts.domain.unicode}, so whether it is alone there is not known.`,
      fix: {
        action: 'other',
        text: `Try again; if it stays so, ask the DNS provider why ${hosts} can't answer for ${types}.`,
        records: [],
      },
      evidence: failed.map((lookup) => evidenceOf(lookup)),
    },
  ];
}
