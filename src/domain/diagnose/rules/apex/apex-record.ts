import { evidenceOfAll, serverText } from '../../../gather/views/evidence.js';
import type { Facts, ServerFacts } from '../../../gather/facts/facts.js';
import { finding, type Finding } from '../../../report/finding.js';
import {
  compareTarget,
  expectedText,
  isTargetDead,
  placeOf,
  replaceWithExpected,
} from '../../../advice/advice.js';
import { isServerFailure, type Lookup } from '../../../gather/facts/lookup.js';
import { withNote } from '../../../advice/words.js';
import { listed } from '../../../names/printable.js';
import { delegationText, undelegateNotes } from '../zone/zone-servers.js';
import {
  aliasesAt,
  decisiveAddresses,
  decisiveServers,
  isAbsent,
  isRightAtDecisiveServers,
} from '../../../gather/views/server-view.js';

/** `apex.missing`: the apex of the zone has no address. */
export function apexMissing(facts: Facts): Finding[] {
  if (!isAbsent(facts)) return [];
  const fix = replaceWithExpected(facts, []);
  return [
    finding('apex.missing', 'block', {
      message: `${facts.domain.unicode} has no address yet.${delegationText(facts)}`,
      fix: withNote(fix, ...undelegateNotes(facts)),
      evidence: evidenceOfAll(decisiveServers(facts).flatMap(({ a, aaaa }) => [a, aaaa])),
    }),
  ];
}

/** `apex.cname`: a CNAME at the apex, which hides SOA, NS and MX. */
export function apexCname(facts: Facts): Finding[] {
  const server = decisiveServers(facts).find((one) => aliasesAt(facts, one).length > 0);
  if (server === undefined) return [];
  return [
    finding('apex.cname', 'block', {
      message: `${facts.domain.unicode} has a CNAME, but it is the apex of its zone. A CNAME there hides all other records, so mail may fail.`,
      fix: replaceWithExpected(facts, aliasesAt(facts, server)),
      evidence: evidenceOfAll([server.cname, server.mx]),
    }),
  ];
}

/**
 * `apex.alias-broken`: a server of the zone responds with SERVFAIL to address queries. PowerDNS does so if it can't
 * resolve the target of an ALIAS, also of one at a subdomain.
 */
export function apexAliasBroken(facts: Facts): Finding[] {
  const failed = facts.servers.flatMap((server) => addressFailures(facts, server));
  if (failed.length === 0) return [];
  const hosts = [...new Set(failed.map(({ server }) => serverText(server)))];
  const types = [...new Set(failed.map(({ question }) => question.type))];
  return [
    finding('apex.alias-broken', isRightAtDecisiveServers(facts) ? 'warn' : 'block', {
      message: `The name servers return no address of ${facts.domain.unicode}: ${listed(hosts)} ${hosts.length === 1 ? 'fails' : 'fail'} with SERVFAIL for ${listed(types)}. The target of the ALIAS is probably wrong.`,
      fix: isTargetDead(facts)
        ? compareTarget(facts)
        : [
            `At ${placeOf(facts)}: check the record.`,
            `It must read ${expectedText(facts)}. If it does, ask there why the servers fail.`,
          ],
      evidence: evidenceOfAll(failed),
    }),
  ];
}

/** At a subdomain, only if there is certainly no CNAME. */
function addressFailures({ zone }: Facts, { soa, cname, a, aaaa }: ServerFacts): Lookup[] {
  if (zone.kind === 'subdomain' && cname.outcome !== 'nodata') return [];
  return soa.outcome === 'value'
    ? [a, aaaa].filter((lookup) => lookup.outcome === 'failed' && isServerFailure(lookup))
    : [];
}

/**
 * `apex.ipv4-missing`, `apex.ipv6-missing`: an apex with addresses of one family, although the target has both. Many
 * visitors have no IPv6, so a missing IPv4 address blocks.
 */
export function apexFamily(facts: Facts): Finding[] {
  const { platform, domain, target } = facts;
  const decisive = decisiveServers(facts);
  const hasBoth = platform.a?.outcome === 'value' && platform.aaaa?.outcome === 'value';
  if (!hasBoth || !isRightAtDecisiveServers(facts)) return [];
  const fix = replaceWithExpected(facts, decisiveAddresses(facts));
  const missing = (family: 'a' | 'aaaa', message: string) => ({
    message: `${domain.unicode} has no ${message}`,
    fix,
    evidence: evidenceOfAll(decisive.map((server) => server[family])),
  });
  const lacks = (family: 'a' | 'aaaa'): boolean =>
    decisive.some((server) => server[family].outcome === 'nodata');
  const ipv4 = `IPv4 address (A), but ${target} has. Most visitors can't reach the domain.`;
  const ipv6 = `IPv6 address (AAAA), but ${target} has. Visitors with only IPv6 fail.`;
  return [
    ...(lacks('a') ? [finding('apex.ipv4-missing', 'block', missing('a', ipv4))] : []),
    ...(lacks('aaaa') ? [finding('apex.ipv6-missing', 'warn', missing('aaaa', ipv6))] : []),
  ];
}
