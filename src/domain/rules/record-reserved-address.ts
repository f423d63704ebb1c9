import { distinct, evidenceOf } from '../evidence.js';
import type { Facts } from '../facts.js';
import type { Finding } from '../finding.js';
import { removeSeen } from '../fixes.js';
import { addressOf, isTargetAddress, ownAddresses } from '../own-records.js';
import { listed } from '../printable.js';
import { reservedRange } from '../reserved-ranges.js';
import { resolverView } from '../resolver-view.js';
import { judgedServers } from '../server-view.js';

/** `record.reserved-address`: addresses that can't be reached over the Internet, in the zone or by a resolver. */
export function recordReservedAddress(facts: Facts): Finding[] {
  return [...inZone(facts), ...byResolvers(facts)];
}

function inZone(facts: Facts): Finding[] {
  const judged = judgedServers(facts);
  const reserved = distinct(judged.flatMap((server) => ownAddresses(facts, server))).filter(
    (record) => reservedRange(addressOf(record)) !== undefined && !isTargetAddress(facts, addressOf(record)),
  );
  const [first] = reserved;
  if (first === undefined) return [];
  const addresses = listed(reserved.map(addressOf));
  return [
    {
      id: 'record.reserved-address',
      axis: 'record',
      severity: 'block',
      message: `${facts.domain.unicode} has an address that nobody can reach from outside: ${addresses} (reserved for ${reservedRange(addressOf(first)) ?? ''}).`,
      fix: removeSeen(facts, reserved, `Remove ${addresses}.`),
      evidence: judged.map((server) => evidenceOf(first.data.type === 'A' ? server.a : server.aaaa)),
    },
  ];
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
