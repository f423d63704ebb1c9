import { aliasChain } from '../../views/alias-chain.js';
import { distinct, evidenceOf, recordText } from '../../views/evidence.js';
import type { Facts, ServerFacts } from '../../facts/facts.js';
import type { Evidence, Finding } from '../../finding/finding.js';
import { expectedText, removeRecords, replaceWithExpected } from '../../records/fixes.js';
import type { Lookup } from '../../facts/lookup.js';
import { ownRecords, sharedLookups } from '../../views/own-records.js';
import { clipped, listed } from '../../finding/printable.js';
import type { DnsRecord } from '../../resolver/dns.js';
import {
  aliasesAt,
  aliasesIn,
  aliasTarget,
  areCopies,
  decisiveServers,
  isOlderCopy,
  reachedServers,
  recordsNextToAlias,
} from '../../views/server-view.js';
import { lookupsOf } from '../../views/wildcard.js';

/**
 * `conflict.coexist`: other records next to a CNAME (RFC 1034, section 3.6.2). Some servers hide them. A secondary may
 * refuse the whole zone (RFC 2181, section 10.1), so less common types count too.
 */
export function conflictCoexist(facts: Facts): Finding[] {
  if (facts.zone.kind === 'apex') return [];
  const decisive = decisiveServers(facts);
  const withAlias = decisive.filter((server) => aliasesAt(facts, server).length > 0);
  return [
    ...coexistingRecords(facts, decisive),
    // Only failed address queries make the check inconclusive, because visitors query addresses.
    ...failedQueries(
      facts,
      'unknown',
      withAlias.flatMap(({ a, aaaa }) => [a, aaaa]),
    ),
    ...failedQueries(
      facts,
      'warn',
      withAlias.flatMap(({ mx, txt, https }) => [mx, txt, https]),
    ),
  ];
}

/** `conflict.multiple-cname`: two or more CNAMEs at one name, at any server with a current copy of the zone. */
export function conflictMultipleCname(facts: Facts): Finding[] {
  const isOutdated = (one: ServerFacts): boolean =>
    decisiveServers(facts).some((other) => areCopies(facts, one, other) && isOlderCopy(one, other));
  const server = reachedServers(facts).find((one) => aliasesAt(facts, one).length > 1 && !isOutdated(one));
  if (facts.zone.kind === 'apex' || server === undefined) return [];
  const aliases = aliasesAt(facts, server);
  const others = aliases.filter((record) => aliasTarget(record) !== facts.target);
  const keepsOne = others.length < aliases.length;
  const lookups = lookupsOf(server);
  const areTogether = lookups.some((lookup) => aliasesIn(facts, lookup).length > 1);
  const recheck = areTogether ? '' : 'If you changed the record a moment ago, check again first. Otherwise: ';
  const fix = keepsOne
    ? removeRecords(
        facts,
        others,
        `Remove the CNAME to ${listed(others.map(aliasTarget))}. Keep the one to ${facts.target}: ${expectedText(facts)}.`,
      )
    : replaceWithExpected(facts, others);
  return [
    {
      id: 'conflict.multiple-cname',
      axis: 'record',
      severity: 'block',
      message: areTogether
        ? `${facts.domain.unicode} has ${aliases.length} CNAME records: to ${listed(aliases.map(aliasTarget))}. Only one is allowed.`
        : `Responses for ${facts.domain.unicode} have different CNAME records: to ${listed(aliases.map(aliasTarget))}. Only one is allowed.`,
      fix: { ...fix, text: recheck + fix.text },
      evidence: evidenceOfAliases(facts, lookups, aliases),
    },
  ];
}

/** One response with all aliases or, without one, a response for each. */
function evidenceOfAliases(
  facts: Facts,
  lookups: readonly Lookup[],
  aliases: readonly DnsRecord[],
): Evidence[] {
  const all = lookups.filter((lookup) => aliasesIn(facts, lookup).length > 1).slice(0, 1);
  const shows = (lookup: Lookup, alias: DnsRecord): boolean =>
    aliasesIn(facts, lookup).some((own) => aliasTarget(own) === aliasTarget(alias));
  const each = aliases.flatMap((alias) => lookups.find((lookup) => shows(lookup, alias)) ?? []);
  return (all.length > 0 ? all : each).map((lookup) => evidenceOf(lookup));
}

function coexistingRecords(facts: Facts, decisive: readonly ServerFacts[]): Finding[] {
  const others = distinct(decisive.flatMap((server) => recordsNextToAlias(facts, server)));
  if (others.length === 0) return [];
  const hasRecords = (lookup: Lookup): boolean => ownRecords(facts, lookup).length > 0;
  const texts = listed(others.map(({ data }) => clipped(recordText(data), 60)));
  // Without the other records, visitors follow the CNAME. So those go first only if it is right.
  const leadsToTarget = aliasChain(facts).steps.some(({ to }) => to.toLowerCase() === facts.target);
  return [
    {
      id: 'conflict.coexist',
      axis: 'record',
      severity: 'block',
      message: `${facts.domain.unicode} has ${texts} next to its CNAME. A CNAME must be the only record of its name.`,
      fix: leadsToTarget
        ? removeRecords(facts, others, `Remove ${texts}, and keep the CNAME.`)
        : replaceWithExpected(facts, [...others, ...decisive.flatMap((server) => aliasesAt(facts, server))]),
      evidence: [
        ...decisive.flatMap(({ cname, a, aaaa, mx, txt, https }) => [
          evidenceOf(cname),
          ...[a, aaaa, mx, txt, https].filter(hasRecords).map((lookup) => evidenceOf(lookup)),
        ]),
        ...sharedLookups(facts)
          .filter(hasRecords)
          .map((lookup) => evidenceOf(lookup)),
      ],
    },
  ];
}

/** A failed query does not prove that a record is absent. */
function failedQueries(facts: Facts, severity: 'unknown' | 'warn', lookups: readonly Lookup[]): Finding[] {
  const failed = lookups.filter((lookup) => lookup.outcome === 'failed');
  if (failed.length === 0) return [];
  const types = listed([...new Set(failed.map(({ question }) => question.type))]);
  const hosts = listed([...new Set(failed.map(({ server }) => server.host ?? server.address))], 3);
  return [
    {
      id: 'conflict.coexist',
      axis: 'record',
      severity,
      message: `Queries for ${types} of ${facts.domain.unicode} failed at ${hosts}. Other records may exist next to the CNAME.`,
      fix: {
        action: 'other',
        text: `Check again in a few minutes. If they fail again, ask the DNS provider why queries for ${types} fail at ${hosts}.`,
        records: [],
      },
      evidence: failed.map((lookup) => evidenceOf(lookup)),
    },
  ];
}
