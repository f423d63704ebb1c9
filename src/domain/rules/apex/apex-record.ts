import { evidenceOf, failureText, serverText } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { addExpectedRecord, changeToExpectedRecord, expectedText } from '../../records/fixes.js';
import type { Lookup } from '../../facts/lookup.js';
import { listed } from '../../finding/printable.js';
import { aliasAdvice } from './alias-advice.js';
import { aliasesAt, isRightAtDecisiveServers, decisiveServers, serverView } from '../../views/server-view.js';

/** `apex.missing`: the apex of the zone has no address. */
export function apexMissing(facts: Facts): Finding[] {
  const decisive = decisiveServers(facts);
  const isMissing = decisive.length > 0 && decisive.every((server) => serverView(facts, server) === 'absent');
  if (facts.zone.kind !== 'apex' || !isMissing) return [];
  const fix = addExpectedRecord(facts);
  return [
    {
      id: 'apex.missing',
      axis: 'record',
      severity: 'block',
      message: `${facts.domain.unicode} has no address yet. Waiting will not help until the record exists.`,
      fix: {
        ...fix,
        text: `${fix.text} Some providers call this type ANAME.${aliasAdvice(facts)}`,
      },
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
      message: `${facts.domain.unicode} is the apex of its zone and has a CNAME. The CNAME hides the other records, so mail and the zone itself may fail.`,
      fix: changeToExpectedRecord(
        facts,
        `Replace the CNAME with ${expectedText(facts)}. Some providers call this type ANAME.${aliasAdvice(facts)}`,
      ),
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
  const texts = failed.map(
    (lookup) =>
      `${serverText(lookup.server)} responds with ${failureText(lookup)} to ${lookup.question.type} queries`,
  );
  return [
    {
      id: 'apex.alias-broken',
      axis: 'record',
      severity: isRightAtDecisiveServers(facts) ? 'warn' : 'block',
      message: `The zone is served, but not the addresses of ${facts.domain.unicode}: ${listed(texts)}. The target of the ALIAS probably can't be resolved.`,
      fix: changeToExpectedRecord(
        facts,
        `Check that the record reads ${expectedText(facts)}. If it does, ask the DNS provider why its servers can't resolve the target.`,
      ),
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
