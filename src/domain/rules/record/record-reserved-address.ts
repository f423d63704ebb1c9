import { distinct, evidenceOf } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { removeSeen, wantedText } from '../../records/fixes.js';
import { addressOf, isTargetAddress, ownAddresses } from '../../views/own-records.js';
import { listed } from '../../finding/printable.js';
import { reservedRange } from '../../name/reserved-ranges.js';
import type { DnsRecord } from '../../resolver/dns.js';
import { resolverView } from '../../views/resolver-view.js';
import { aliasesAt, judgedServers } from '../../views/server-view.js';

/** `record.reserved-address`: addresses that can't be reached over the Internet, in the zone or by a resolver. */
export function recordReservedAddress(facts: Facts): Finding[] {
  return [...inZone(facts), ...byResolvers(facts)];
}

function inZone(facts: Facts): Finding[] {
  const judged = judgedServers(facts);
  const seen = distinct(judged.flatMap((server) => ownAddresses(facts, server)));
  const reserved = seen.filter((record) => isReserved(facts, record));
  const [first] = reserved;
  // Beside an alias no address may be: conflict.coexist.
  if (first === undefined || (facts.zone.kind === 'subdomain' && hasAlias(facts))) return [];
  const isAll = facts.zone.kind === 'subdomain' && reserved.length === seen.length;
  const addresses = listed(reserved.map(addressOf));
  return [
    {
      id: 'record.reserved-address',
      axis: 'record',
      severity: 'block',
      message: `${facts.domain.unicode} has an address that nobody can reach from outside: ${addresses} (reserved for ${reservedRange(addressOf(first)) ?? ''}).`,
      fix: removeSeen(
        facts,
        reserved,
        isAll ? `Remove ${addresses}, then add ${wantedText(facts)}.` : `Remove ${addresses}.`,
      ),
      evidence: judged.map((server) => evidenceOf(first.data.type === 'A' ? server.a : server.aaaa)),
    },
  ];
}

/** Whether nobody can reach an address from outside, and the target has another. */
export function isReserved(facts: Facts, record: DnsRecord): boolean {
  return reservedRange(addressOf(record)) !== undefined && !isTargetAddress(facts, addressOf(record));
}

function hasAlias(facts: Facts): boolean {
  return judgedServers(facts).some((server) => aliasesAt(facts, server).length > 0);
}

/** The zone is right, and a resolver shows something else: a filter, or a network's own view of the name. */
function byResolvers(facts: Facts): Finding[] {
  return facts.resolvers.flatMap((resolver) => {
    const view = resolverView(facts, resolver);
    if (view.kind !== 'filtered') return [];
    return [
      {
        id: 'record.reserved-address',
        axis: 'propagation',
        severity: 'unknown',
        message: `${resolver.label} answers ${view.address}, which is reserved for ${reservedRange(view.address) ?? ''}: a filter, or your network's own view of the name. The zone itself is right.`,
        fix: {
          action: 'other',
          text: 'Ask another resolver with --resolver, and look at the filters of this one.',
          records: [],
        },
        evidence: [evidenceOf(resolver.a, true), evidenceOf(resolver.aaaa, true)],
      } satisfies Finding,
    ];
  });
}
