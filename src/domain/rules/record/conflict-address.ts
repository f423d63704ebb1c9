import { distinct, evidenceOf, recordText } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding, Fix } from '../../finding/finding.js';
import { recordFields, wantedText } from '../../records/fixes.js';
import { addressOf, isTargetAddress, ownAddresses } from '../../views/own-records.js';
import { listed } from '../../finding/printable.js';
import { providerHint } from '../provider-hints.js';
import type { DnsRecord } from '../../resolver/dns.js';
import { aliasesAt, judgedServers, serverView } from '../../views/server-view.js';
import { isReserved } from './record-reserved-address.js';

/** `conflict.address`: A or AAAA where the CNAME belongs. Most providers refuse the one while the other exists. */
export function conflictAddress(facts: Facts): Finding[] {
  const judged = judgedServers(facts);
  if (facts.zone.kind === 'apex' || judged.some((server) => aliasesAt(facts, server).length > 0)) return [];
  const addresses = distinct(judged.flatMap((server) => ownAddresses(facts, server)));
  // That nobody can reach them weighs more, and the remedy is the same.
  if (addresses.every((record) => isReserved(facts, record))) return [];
  const isFlattened = judged.every((server) => serverView(facts, server) === 'right');
  return [
    {
      id: 'conflict.address',
      axis: 'record',
      severity: isFlattened ? 'warn' : 'block',
      message: isFlattened ? flattenedMessage(facts) : conflictMessage(facts, addresses),
      fix: replaceAddresses(facts, addresses),
      evidence: judged.flatMap(({ a, aaaa }) =>
        [a, aaaa].filter(({ outcome }) => outcome === 'value').map((lookup) => evidenceOf(lookup)),
      ),
    },
  ];
}

function flattenedMessage({ domain, target }: Facts): string {
  return `${domain.unicode} follows ${target}, but your provider shows it as addresses. It works; a plain CNAME is what the service asks for.`;
}

function conflictMessage(facts: Facts, addresses: readonly DnsRecord[]): string {
  const { domain, target } = facts;
  const texts = listed(addresses.map(({ data }) => recordText(data)));
  if (addresses.every((record) => isTargetAddress(facts, addressOf(record)))) {
    return `${domain.unicode} reaches ${target} today, but by address (${texts}): it breaks when the addresses change, and blocks the CNAME.`;
  }
  const isProxy = providerHint(facts.zone.ownHosts)?.name === 'Cloudflare';
  const proxy = isProxy ? ' If the record is a proxied CNAME (orange cloud), set it to "DNS only".' : '';
  return `${domain.unicode} has ${texts} where the CNAME belongs. Waiting will not help.${proxy}`;
}

function replaceAddresses(facts: Facts, addresses: readonly DnsRecord[]): Fix {
  const texts = listed(addresses.map(({ data }) => recordText(data)));
  return {
    action: 'remove',
    text: `Remove ${texts}, then add ${wantedText(facts)}.`,
    records: addresses.map((record) => recordFields(facts, record)),
  };
}
