import { distinct, evidenceOf, recordText } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding, Fix } from '../../finding/finding.js';
import { changeToExpectedRecord, expectedText, replaceWithExpected } from '../../records/fixes.js';
import { addressOf, isTargetAddress, ownAddresses } from '../../views/own-records.js';
import { listed } from '../../finding/printable.js';
import type { DnsRecord } from '../../resolver/dns.js';
import { aliasesAt, decisiveServers, serverView } from '../../views/server-view.js';
import { isFlattenedByCloudflare } from '../../views/flattening.js';
import { recordsInTheWay } from './conflict-types.js';
import { isReserved } from './record-reserved-address.js';

/** `conflict.address`: A or AAAA records instead of the CNAME. Most providers reject a CNAME next to them. */
export function conflictAddress(facts: Facts): Finding[] {
  const decisive = decisiveServers(facts);
  if (facts.zone.kind === 'apex' || decisive.some((server) => aliasesAt(facts, server).length > 0)) return [];
  const addresses = distinct(decisive.flatMap((server) => ownAddresses(facts, server)));
  // record.reserved-address reports these, with the same fix.
  if (addresses.every((record) => isReserved(facts, record))) return [];
  const isFlattened = decisive.every((server) => serverView(facts, server) === 'right');
  return [
    {
      id: 'conflict.address',
      axis: 'record',
      severity: isFlattened ? 'warn' : 'block',
      message: isFlattened ? flattenedMessage(facts) : conflictMessage(facts, addresses),
      fix: replaceAddresses(facts, addresses),
      evidence: decisive.flatMap(({ a, aaaa }) =>
        [a, aaaa].filter(({ outcome }) => outcome === 'value').map((lookup) => evidenceOf(lookup)),
      ),
    },
  ];
}

function flattenedMessage({ domain, target }: Facts): string {
  return `${domain.unicode} follows ${target}, but your provider returns addresses instead of the CNAME. This works. The service recommends a plain CNAME.`;
}

function conflictMessage(facts: Facts, addresses: readonly DnsRecord[]): string {
  const { domain, target } = facts;
  const texts = listed(addresses.map(({ data }) => recordText(data)));
  if (addresses.every((record) => isTargetAddress(facts, addressOf(record)))) {
    const flattened = isFlattenedByCloudflare(facts, addresses)
      ? ' Cloudflare also does this if it flattens all CNAMEs of the zone.'
      : '';
    return `${domain.unicode} has the addresses of ${target} as fixed records (${texts}). They block the CNAME, and the domain breaks when the addresses change.${flattened}`;
  }
  const { cdn } = facts.provider ?? {};
  if (cdn !== undefined && isProxied(facts))
    return `${domain.unicode} is proxied by ${cdn.name}: its addresses (${texts}) hide the record. The service can't see a CNAME.`;
  const proxy =
    cdn !== undefined
      ? ` They belong to the CDN ${cdn.name}.`
      : facts.provider?.dns?.name === 'Cloudflare'
        ? ' If it is a proxied CNAME (orange cloud), set it to "DNS only".'
        : '';
  return `${domain.unicode} has ${texts} instead of the CNAME.${proxy}`;
}

/** Whether the DNS provider itself runs the CDN of the addresses, so that its panel has a switch for the proxy. */
function isProxied({ provider }: Facts): boolean {
  return provider?.cdn !== undefined && provider.dns?.name === provider.cdn.name;
}

function replaceAddresses(facts: Facts, addresses: readonly DnsRecord[]): Fix {
  if (isProxied(facts)) {
    const text = `Set the record to "DNS only" (grey cloud), and check that it reads ${expectedText(facts)}. If it has addresses instead, replace them.`;
    return changeToExpectedRecord(facts, text);
  }
  const fix = replaceWithExpected(facts, recordsInTheWay(facts));
  const flattening = isFlattenedByCloudflare(facts, addresses)
    ? ' If it is a CNAME already, turn off "Flatten all CNAMEs".'
    : '';
  return { ...fix, text: `${fix.text}${flattening}` };
}
