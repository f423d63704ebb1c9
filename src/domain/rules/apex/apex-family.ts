import { evidenceOf } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { replaceWithExpected } from '../../records/fixes.js';
import { ownAddresses } from '../../views/own-records.js';
import { aliasesAt, decisiveServers, serverView } from '../../views/server-view.js';

/**
 * `apex.ipv4-missing`, `apex.ipv6-missing`: an apex with addresses of one family, although the target has both. Many
 * visitors have no IPv6, so a missing IPv4 address blocks.
 */
export function apexFamily(facts: Facts): Finding[] {
  const { platform, zone } = facts;
  const decisive = decisiveServers(facts).filter((server) => aliasesAt(facts, server).length === 0);
  const hasBoth = platform.a?.outcome === 'value' && platform.aaaa?.outcome === 'value';
  const isRight = decisive.length > 0 && decisive.every((server) => serverView(facts, server) === 'right');
  if (zone.kind !== 'apex' || !hasBoth || !isRight) return [];
  const lacks = (family: 'a' | 'aaaa'): boolean =>
    decisive.some((server) => server[family].outcome === 'nodata');
  return [
    ...(lacks('a') ? [missing(facts, 'IPv4')] : []),
    ...(lacks('aaaa') ? [missing(facts, 'IPv6')] : []),
  ];
}

function missing(facts: Facts, family: 'IPv4' | 'IPv6'): Finding {
  const { domain, target } = facts;
  const type = family === 'IPv4' ? 'A' : 'AAAA';
  const visitors =
    family === 'IPv4' ? "Most visitors can't reach the domain." : 'Visitors with only IPv6 fail.';
  return {
    id: family === 'IPv4' ? 'apex.ipv4-missing' : 'apex.ipv6-missing',
    axis: 'record',
    severity: family === 'IPv4' ? 'block' : 'warn',
    message: `${domain.unicode} has no ${family} address (${type}), but ${target} has. ${visitors}`,
    fix: replaceWithExpected(
      facts,
      decisiveServers(facts).flatMap((server) => ownAddresses(facts, server)),
    ),
    evidence: decisiveServers(facts).map((server) => evidenceOf(family === 'IPv4' ? server.a : server.aaaa)),
  };
}
