import { distinct, evidenceOf, recordText } from '../../views/evidence.js';
import type { Facts } from '../../facts/facts.js';
import type { Finding } from '../../finding/finding.js';
import { removeRecords, replaceWithExpected } from '../../records/fixes.js';
import type { Lookup } from '../../facts/lookup.js';
import { isTargetAddress, ownAddresses, ownRecords, sharedLookups } from '../../views/own-records.js';
import { clipped, listed } from '../../finding/printable.js';
import type { DnsRecord } from '../../resolver/dns.js';
import { aliasesAt, decisiveServers, serverView } from '../../views/server-view.js';
import { conflictCoexist } from './conflict-cname.js';

/** `conflict.other-types`: MX, TXT, HTTPS, SRV, CAA and so on, which block the CNAME. */
export function conflictOtherTypes(facts: Facts): Finding[] {
  const decisive = decisiveServers(facts);
  const hasNoRecord = decisive.every((server) => {
    return aliasesAt(facts, server).length === 0 && serverView(facts, server) !== 'right';
  });
  const lookups = lookupsOfOthers(facts);
  const records = distinct(lookups.flatMap((lookup) => ownRecords(facts, lookup)));
  if (facts.zone.kind === 'apex' || !hasNoRecord || records.length === 0) return [];
  return [
    {
      id: 'conflict.other-types',
      axis: 'record',
      severity: 'block',
      message:
        `${facts.domain.unicode} has ${listed(records.map(({ data }) => clipped(recordText(data), 60)))}. ` +
        'A CNAME must be the only record of its name.',
      fix: replaceWithExpected(facts, recordsInTheWay(facts)),
      evidence: lookups
        .filter((lookup) => ownRecords(facts, lookup).length > 0)
        .map((lookup) => evidenceOf(lookup)),
    },
  ];
}

/**
 * All records of a subdomain without a CNAME: addresses and other types. The CNAME replaces them at once, because it can't
 * be added beside one of them, and without it the domain has no address.
 */
export function recordsInTheWay(facts: Facts): DnsRecord[] {
  const addresses = decisiveServers(facts).flatMap((server) => ownAddresses(facts, server));
  return [...addresses, ...lookupsOfOthers(facts).flatMap((lookup) => ownRecords(facts, lookup))];
}

function lookupsOfOthers(facts: Facts): Lookup[] {
  return [
    ...decisiveServers(facts).flatMap(({ mx, txt, https }) => [mx, txt, https]),
    ...sharedLookups(facts),
  ];
}

/** `conflict.https-rr`: an HTTPS record (RFC 9460) that sends browsers to another host than A and AAAA do. */
export function conflictHttpsRr(facts: Facts): Finding[] {
  const decisive = decisiveServers(facts);
  const records = distinct(decisive.flatMap((server) => ownRecords(facts, server.https))).filter((record) =>
    isForOtherHost(facts, record),
  );
  if (records.length === 0 || isRemovedAnyway(facts)) return [];
  const texts = listed(records.map(({ data }) => clipped(recordText(data), 80)));
  return [
    {
      id: 'conflict.https-rr',
      axis: 'record',
      severity: 'warn',
      message: `${facts.domain.unicode} has a record for another host: ${texts}. Browsers may use it instead of the addresses.`,
      fix: removeRecords(facts, records, `Remove ${texts}.`),
      evidence: decisive.map((server) => evidenceOf(server.https)),
    },
  ];
}

/** Whether another finding already removes the record: it is next to a CNAME, or blocks one. */
function isRemovedAnyway(facts: Facts): boolean {
  return [...conflictCoexist(facts), ...conflictOtherTypes(facts)].some(
    ({ severity }) => severity === 'block',
  );
}

function isForOtherHost(facts: Facts, { data }: DnsRecord): boolean {
  if (data.type !== 'HTTPS') return false;
  const target = data.target.toLowerCase();
  // In ServiceMode an empty target means the name itself; in AliasMode it means no service.
  const isOwnName = data.priority > 0 && (target === '' || target === '.' || target === facts.domain.ascii);
  if (!isOwnName && target !== facts.target) return true;
  return data.addressHints.some((address) => !isTargetAddress(facts, address));
}
