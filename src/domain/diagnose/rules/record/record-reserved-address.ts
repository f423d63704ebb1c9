import { distinct, evidenceOfAll } from '../../../gather/views/evidence.js';
import type { Facts } from '../../../gather/facts/facts.js';
import { finding, type Finding } from '../../../report/finding.js';
import { removeRecords, replaceWithExpected } from '../../../advice/advice.js';
import { addressOf, isReserved } from '../../../gather/views/own-records.js';
import { listed } from '../../../names/printable.js';
import { reservedRange } from '../../../names/ip-address.js';
import { recordsInTheWay } from './conflict.js';
import { resolverView } from '../../../gather/views/resolver-view.js';
import { decisiveAddresses, decisiveAliases, decisiveServers } from '../../../gather/views/server-view.js';

/** `record.reserved-address`: an address that can't be reached over the Internet, in the zone or from a resolver. */
export function recordReservedAddress(facts: Facts): Finding[] {
  return [...inZone(facts), ...ofTarget(facts), ...fromResolvers(facts)];
}

/**
 * The target itself has only reserved addresses. The record is right, but visitors can't reach it. It is for the user to
 * decide whether that is enough, as in a private network.
 */
function ofTarget({ platform, target, domain, isForActive = false }: Facts): Finding[] {
  const { addresses, a, aaaa } = platform;
  const [first] = addresses;
  if (first === undefined || !addresses.every((address) => reservedRange(address) !== undefined)) return [];
  return [
    finding('record.reserved-address', isForActive ? 'block' : 'warn', {
      message: `The target ${target} has only addresses that are not reachable from the Internet: ${listed(addresses)} (reserved for ${reservedRange(first) ?? ''}). Visitors can't reach ${domain.unicode}.`,
      fix: [
        'Compare the target with the value that the dashboard shows.',
        'If they are the same, contact the support of the service.',
      ],
      evidence: evidenceOfAll([a, aaaa]),
    }),
  ];
}

function inZone(facts: Facts): Finding[] {
  const decisive = decisiveServers(facts);
  const seen = distinct(decisiveAddresses(facts));
  const reserved = seen.filter((record) => isReserved(facts, record));
  const [first] = reserved;
  // An address next to an alias is conflict.coexist.
  const hasAlias = decisiveAliases(facts).length > 0;
  if (first === undefined || (facts.zone.kind === 'subdomain' && hasAlias)) return [];
  const isAll = reserved.length === seen.length;
  const addresses = listed(reserved.map(addressOf));
  return [
    finding('record.reserved-address', 'block', {
      message: `${facts.domain.unicode} has an address that is not reachable from the Internet: ${addresses} (reserved for ${reservedRange(addressOf(first)) ?? ''}).`,
      fix: isAll
        ? replaceWithExpected(facts, facts.zone.kind === 'apex' ? reserved : recordsInTheWay(facts))
        : removeRecords(facts, reserved, `Remove ${addresses}.`),
      evidence: evidenceOfAll(decisive.map(({ a, aaaa }) => (first.data.type === 'A' ? a : aaaa))),
    }),
  ];
}

/** The zone is correct, but a resolver returns a reserved address: a filter, or split-horizon DNS. */
function fromResolvers(facts: Facts): Finding[] {
  return facts.resolvers.flatMap((resolver) => {
    const view = resolverView(facts, resolver);
    if (view.kind !== 'filtered') return [];
    return [
      finding('record.reserved-address', resolver.isDefault === true ? 'warn' : 'unknown', {
        axis: 'propagation',
        message: `${resolver.label} returns ${view.address}, which is reserved for ${reservedRange(view.address) ?? ''}. A filter or a local view of your network may cause this. The zone itself is correct.`,
        fix: 'Query another resolver with --resolver, or check the filters of this one.',
        evidence: evidenceOfAll([resolver.a, resolver.aaaa], true),
      }),
    ];
  });
}
