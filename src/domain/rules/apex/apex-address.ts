import { distinct, evidenceOf, recordText } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { removeRecords, replaceWithExpected } from '../../records/fixes.js';
import { isFromTarget } from '../../views/alias-evidence.js';
import { ownAddresses } from '../../views/own-records.js';
import { listed } from '../../finding/printable.js';
import { isReserved } from '../record/record-reserved-address.js';
import type { DnsRecord } from '../../resolver/dns.js';
import { aliasesAt, decisiveServers, serverView } from '../../views/server-view.js';

/** `apex.wrong-address`, `apex.mixed`, `apex.aaaa-stale`: addresses at the apex that are not the target's. */
export function apexAddress(facts: Facts): Finding[] {
  const decisive = decisiveServers(facts).filter((server) => aliasesAt(facts, server).length === 0);
  if (facts.zone.kind !== 'apex' || !decisive.some((server) => serverView(facts, server) === 'wrong'))
    return [];
  const records = distinct(decisive.flatMap((server) => ownAddresses(facts, server)));
  const foreign = records.filter((record) => !isFromTarget(facts, decisive, record));
  const own = records.filter((record) => isFromTarget(facts, decisive, record));
  // record.reserved-address reports these, with the same fix.
  if (own.length === 0 && foreign.every((record) => isReserved(facts, record))) return [];
  const mistake = problemOf(facts, own, foreign);
  return [
    {
      ...mistake,
      axis: 'record',
      severity: 'block',
      evidence: [
        ...decisive.flatMap(({ a, aaaa }) =>
          [a, aaaa].filter(({ outcome }) => outcome === 'value').map((lookup) => evidenceOf(lookup)),
        ),
        ...[facts.platform.a, facts.platform.aaaa].flatMap((lookup) =>
          lookup === undefined ? [] : [evidenceOf(lookup)],
        ),
      ],
    },
  ];
}

/** Names the CDN of the addresses. At a provider that runs it, a proxy hides the record. */
function proxyText({ provider }: Facts): string {
  if (provider?.cdn === undefined) return '';
  const { name } = provider.cdn;
  return provider.dns?.name === name
    ? ` It belongs to ${name}'s proxy, which hides the record: set it to "DNS only" (grey cloud).`
    : ` It belongs to the CDN ${name}.`;
}

function problemOf(
  facts: Facts,
  own: readonly DnsRecord[],
  foreign: readonly DnsRecord[],
): Pick<Finding, 'id' | 'message' | 'fix'> {
  const { domain, target } = facts;
  const texts = listed(foreign.map(({ data }) => recordText(data)));
  const areNot = foreign.length === 1 ? 'is not an address' : 'are not addresses';
  if (own.length === 0) {
    return {
      id: 'apex.wrong-address',
      message: `${domain.unicode} has ${texts}, which ${areNot} of ${target}.${proxyText(facts)}`,
      fix: replaceWithExpected(facts, foreign),
    };
  }
  if (foreign.every(({ data }) => data.type === 'AAAA') && !own.some(({ data }) => data.type === 'AAAA')) {
    return {
      id: 'apex.aaaa-stale',
      message: `${domain.unicode} is correct over IPv4, but ${texts} ${areNot} of ${target}. Visitors with IPv6 get the wrong server, and so do certificate authorities.`,
      fix: removeRecords(facts, foreign, `Remove ${texts}.`),
    };
  }
  return {
    id: 'apex.mixed',
    message: `${domain.unicode} has addresses of ${target} and others: ${texts}. Some visitors get the wrong server.`,
    fix: removeRecords(facts, foreign, `Remove ${texts}.`),
  };
}
