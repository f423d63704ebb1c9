import { evidenceOf, serverText } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { expectedText, replaceWithExpected } from '../../records/fixes.js';
import type { Lookup } from '../../facts/lookup.js';
import { listed } from '../../finding/printable.js';
import { aliasesAt, isRightAtDecisiveServers, decisiveServers, serverView } from '../../views/server-view.js';

/** `apex.missing`: the apex of the zone has no address. */
export function apexMissing(facts: Facts): Finding[] {
  const decisive = decisiveServers(facts);
  const isMissing = decisive.length > 0 && decisive.every((server) => serverView(facts, server) === 'absent');
  if (facts.zone.kind !== 'apex' || !isMissing) return [];
  return [
    {
      id: 'apex.missing',
      axis: 'record',
      severity: 'block',
      message: `${facts.domain.unicode} has no address yet.`,
      fix: replaceWithExpected(facts, []),
      evidence: decisive.flatMap(({ a, aaaa }) => [evidenceOf(a), evidenceOf(aaaa)]),
    },
  ];
}

/** `apex.cname`: a CNAME at the apex, which hides SOA, NS and MX. */
export function apexCname(facts: Facts): Finding[] {
  const server = decisiveServers(facts).find((one) => aliasesAt(facts, one).length > 0);
  if (facts.zone.kind !== 'apex' || server === undefined) return [];
  return [
    {
      id: 'apex.cname',
      axis: 'record',
      severity: 'block',
      message: `${facts.domain.unicode} has a CNAME, but it is the apex of its zone. A CNAME there hides all other records, so mail may fail.`,
      fix: replaceWithExpected(facts, aliasesAt(facts, server)),
      evidence: [evidenceOf(server.cname), evidenceOf(server.mx)],
    },
  ];
}

/**
 * `apex.alias-broken`: a server of the zone responds with SERVFAIL to address queries. PowerDNS does so if it can't
 * resolve the target of an ALIAS.
 */
export function apexAliasBroken(facts: Facts): Finding[] {
  if (facts.zone.kind !== 'apex') return [];
  const failed = facts.servers.flatMap((server) => addressFailures(server));
  if (failed.length === 0) return [];
  const hosts = [...new Set(failed.map(({ server }) => serverText(server)))];
  const types = [...new Set(failed.map(({ question }) => question.type))];
  return [
    {
      id: 'apex.alias-broken',
      axis: 'record',
      severity: isRightAtDecisiveServers(facts) ? 'warn' : 'block',
      message: `The name servers return no address of ${facts.domain.unicode}: ${listed(hosts)} ${hosts.length === 1 ? 'fails' : 'fail'} with SERVFAIL for ${listed(types)}. The target of the ALIAS is probably wrong.`,
      fix: {
        action: 'other',
        text: `If the record is an ALIAS, check that it reads ${expectedText(facts)}. If it does, or is no ALIAS, ask the DNS provider why its servers fail.`,
        records: [],
      },
      evidence: failed.map((lookup) => evidenceOf(lookup)),
    },
  ];
}

function addressFailures({ soa, a, aaaa }: ServerFacts): Lookup[] {
  if (soa.outcome !== 'value') return [];
  return [a, aaaa].filter(
    ({ outcome, exchange }) =>
      outcome === 'failed' && exchange.kind === 'response' && exchange.response.rcode === 'SERVFAIL',
  );
}
