import { evidenceOf, serverText } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { listed } from '../../finding/printable.js';
import type { Lookup } from '../../facts/lookup.js';
import { recordAt, wrongDenials, wrongDenialsAbove } from '../../views/wrong-denials.js';
import { lookupsOf } from '../../views/wildcard.js';

/**
 * `zone.wrong-nxdomain`: a server denies a name that exists, for some types. A resolver that gets NXDOMAIN may forget the
 * whole name (RFC 8020). Few resolvers query the names above first, so a denial of these only warns.
 */
export function zoneWrongNxdomain(facts: Facts): Finding[] {
  const { domain } = facts;
  const [first] = wrongDenialsAbove(facts);
  return [
    ...findingFor(facts, 'block', wrongDenials(facts), `${domain.unicode} has records`),
    ...findingFor(
      facts,
      'warn',
      wrongDenialsAbove(facts),
      `${first?.question.name ?? ''} has ${domain.unicode} below it`,
    ),
  ];
}

function findingFor(
  facts: Facts,
  severity: 'block' | 'warn',
  denials: readonly Lookup[],
  exists: string,
): Finding[] {
  if (denials.length === 0) return [];
  const hosts = [...new Set(denials.map(({ server }) => serverText(server)))];
  const types = [...new Set(denials.map(({ question }) => question.type))];
  const own = facts.servers.flatMap(lookupsOf);
  const proofs = new Set(denials.flatMap((denial) => recordAt(own, denial) ?? []));
  return [
    {
      id: 'zone.wrong-nxdomain',
      axis: 'zone',
      severity,
      message: `${exists}, but ${listed(hosts, 2)} ${hosts.length === 1 ? 'returns' : 'return'} NXDOMAIN for ${listed(types, 3)}. NXDOMAIN denies the whole name (RFC 8020), so resolvers may forget it for all types.`,
      fix: {
        action: 'other',
        text: `If you added the record a moment ago, check again first. Otherwise report it to the DNS provider of ${facts.zone.name}: for a missing type, its servers must return NOERROR.`,
        records: [],
      },
      evidence: [...denials, ...proofs].map((lookup) => evidenceOf(lookup)),
    },
  ];
}
