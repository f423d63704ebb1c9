import { aliasChain } from './record-target.js';
import {
  distinct,
  evidenceOf,
  evidenceOfAll,
  serverHost,
  recordText,
  typeOf,
} from '../../../gather/views/evidence.js';
import type { Facts, ServerFacts } from '../../../gather/facts/facts.js';
import { finding, type Evidence, type Finding, type Fix, type Severity } from '../../../report/finding.js';
import {
  changeOfType,
  compareTarget,
  isTargetDead,
  expectedText,
  removeRecords,
  replaceWithExpected,
  turnOffProxy,
} from '../../../advice/advice.js';
import { fixOf, RECENT_CHANGE, withFirst, withNote } from '../../../advice/words.js';
import { isTypeRejected, type Lookup } from '../../../gather/facts/lookup.js';
import { isFlattenedByCloudflare, isProxied } from '../../../gather/views/proxy.js';
import {
  addressOf,
  isReserved,
  isTargetAddress,
  lookupsOf,
  ownRecords,
  sharedLookups,
} from '../../../gather/views/own-records.js';
import { clipped, listed } from '../../../names/printable.js';
import type { DnsRecord } from '../../../dns/dns.js';
import {
  aliasesAt,
  aliasesIn,
  aliasTarget,
  areCopies,
  decisiveAddresses,
  decisiveAliases,
  decisiveServers,
  isOlderCopy,
  isRightAtDecisiveServers,
  reachedServers,
  recordsNextToAlias,
} from '../../../gather/views/server-view.js';

/** `conflict.address`: A or AAAA records instead of the CNAME. Most providers reject a CNAME next to them. */
export function conflictAddress(facts: Facts): Finding[] {
  const { domain, target } = facts;
  if (decisiveAliases(facts).length > 0) return [];
  const addresses = distinct(decisiveAddresses(facts));
  // record.reserved-address reports these, with the same fix.
  if (addresses.every((record) => isReserved(facts, record))) return [];
  const isFlattened = isRightAtDecisiveServers(facts);
  return [
    finding('conflict.address', isFlattened ? 'warn' : 'block', {
      message: isFlattened
        ? `${domain.unicode} follows ${target}, but your provider returns addresses instead of the CNAME. This works. The service recommends a plain CNAME.`
        : conflictMessage(facts, addresses),
      fix: replaceAddresses(facts, addresses),
      evidence: evidenceOfAll(
        decisiveServers(facts)
          .flatMap(({ a, aaaa }) => [a, aaaa])
          .filter(({ outcome }) => outcome === 'value'),
      ),
    }),
  ];
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
  const proxy = cdn === undefined ? '' : ` They belong to the CDN ${cdn.name}.`;
  return `${domain.unicode} has ${texts} instead of the CNAME.${proxy}`;
}

function replaceAddresses(facts: Facts, addresses: readonly DnsRecord[]): Fix {
  if (isTargetDead(facts)) return compareTarget(facts);
  if (isProxied(facts)) return turnOffProxy(facts);
  const fix = replaceWithExpected(facts, recordsInTheWay(facts));
  const flattening = isFlattenedByCloudflare(facts, addresses)
    ? ['If it is a CNAME already, turn off "Flatten all CNAMEs".']
    : [];
  return withNote(fix, ...flattening, ...forwardingNotes(facts, addresses));
}

/** URL forwarding shows as an A record, which the panel does not have. Few services forward over IPv6. */
function forwardingNotes(facts: Facts, addresses: readonly DnsRecord[]): string[] {
  const mayForward =
    facts.provider?.cdn === undefined &&
    addresses.every((record) => record.data.type === 'A' && !isTargetAddress(facts, addressOf(record)));
  return mayForward ? ['If the panel shows URL forwarding instead, change its type to CNAME.'] : [];
}

/** `conflict.other-types`: MX, TXT, HTTPS, SRV, CAA and so on, which block the CNAME. */
export function conflictOtherTypes(facts: Facts): Finding[] {
  const hasNoRecord = decisiveAliases(facts).length === 0 && !isRightAtDecisiveServers(facts);
  const records = distinct(otherRecords(facts));
  if (!hasNoRecord || records.length === 0) return [];
  const evidence = evidenceOfAll(lookupsOfOthers(facts).filter((one) => ownRecords(facts, one).length > 0));
  const has = `${facts.domain.unicode} has ${listed(records.map(({ data }) => clipped(recordText(data), 60)))}`;
  if (recordsInTheWay(facts).every((record) => hasTarget(facts, record))) {
    const types = listed([...new Set(records.map(({ data }) => typeOf(data)))]);
    return [
      finding('conflict.other-types', 'block', {
        message: `${has}. The target is right, but the type must be CNAME.`,
        fix: changeType(facts, types, records),
        evidence,
      }),
    ];
  }
  return [
    finding('conflict.other-types', 'block', {
      message: `${has}. A CNAME must be the only record of its name.`,
      fix: replaceWithExpected(facts, recordsInTheWay(facts)),
      evidence,
    }),
  ];
}

/** Advises to change the type of records. */
function changeType(facts: Facts, from: string, records: readonly DnsRecord[]): Fix {
  if (isTargetDead(facts)) return compareTarget(facts);
  const { remove, add } = replaceWithExpected(facts, records);
  return fixOf({ ...changeOfType(facts, from), action: 'change', remove, add });
}

/** Whether a record has the target as its value, so that only its type is wrong. */
function hasTarget({ target }: Facts, { data }: DnsRecord): boolean {
  if ('target' in data) return data.target.toLowerCase() === target;
  if (data.type !== 'TXT') return false;
  const host = data.text
    .trim()
    .replace(/^"|"$/g, '')
    .replace(/^https?:\/\//i, '');
  return host.toLowerCase().replace(/[./]+$/, '') === target;
}

/**
 * All records of a subdomain without a CNAME: addresses and other types. The CNAME replaces them at once, because it can't
 * be added next to one of them, and without it the domain has no address.
 */
export function recordsInTheWay(facts: Facts): DnsRecord[] {
  return [...decisiveAddresses(facts), ...otherRecords(facts)];
}

function otherRecords(facts: Facts): DnsRecord[] {
  return lookupsOfOthers(facts).flatMap((lookup) => ownRecords(facts, lookup));
}

function lookupsOfOthers(facts: Facts): Lookup[] {
  return [
    ...decisiveServers(facts).flatMap(({ mx, txt, https }) => [
      mx,
      txt,
      ...(isProxied(facts) ? [] : [https]),
    ]),
    ...sharedLookups(facts).filter(({ server }) =>
      // A server without SOA or addresses may have responded for the others.
      facts.servers.every((one) => one.server !== server || decisiveServers(facts).includes(one)),
    ),
  ];
}

/** `conflict.https-rr`: an HTTPS record (RFC 9460) that sends browsers to another host than A and AAAA do. */
export function conflictHttpsRr(facts: Facts): Finding[] {
  const decisive = decisiveServers(facts);
  const records = distinct(decisive.flatMap((server) => ownRecords(facts, server.https))).filter((record) =>
    isForOtherHost(facts, record),
  );
  if (records.length === 0 || isProxied(facts)) return [];
  const texts = listed(records.map(({ data }) => clipped(recordText(data), 80)));
  return [
    finding('conflict.https-rr', 'warn', {
      message: `${facts.domain.unicode} has a record for another host: ${texts}. Browsers may use it instead of the addresses.`,
      fix: removeRecords(facts, records, `Remove ${texts}.`),
      evidence: evidenceOfAll(decisive.map(({ https }) => https)),
    }),
  ];
}

function isForOtherHost(facts: Facts, { data }: DnsRecord): boolean {
  if (data.type !== 'HTTPS') return false;
  const target = data.target.toLowerCase();
  // In ServiceMode an empty target means the name itself; in AliasMode it means no service.
  const isOwnName = data.priority > 0 && (target === '' || target === '.' || target === facts.domain.ascii);
  if (!isOwnName && target !== facts.target) return true;
  return data.addressHints.some((address) => !isTargetAddress(facts, address));
}

/**
 * `conflict.coexist`: other records next to a CNAME (RFC 1034, section 3.6.2). Some servers hide them. A secondary may
 * refuse the whole zone (RFC 2181, section 10.1), so less common types count too.
 */
export function conflictCoexist(facts: Facts): Finding[] {
  const decisive = decisiveServers(facts);
  const withAlias = decisive.filter((server) => aliasesAt(facts, server).length > 0);
  const addresses = withAlias.flatMap(({ a, aaaa }) => [a, aaaa]);
  const others = withAlias.flatMap(({ mx, txt, https }) => [mx, txt, https]);
  return [
    ...coexistingRecords(facts, decisive),
    // Only failed address queries make the check inconclusive, because visitors query addresses.
    ...failedQueries(facts, 'unknown', addresses),
    // zone.unreachable-ns reports a type that a server does not serve.
    ...failedQueries(
      facts,
      'warn',
      others.filter((lookup) => !isTypeRejected(lookup)),
    ),
  ];
}

function coexistingRecords(facts: Facts, decisive: readonly ServerFacts[]): Finding[] {
  const others = distinct(decisive.flatMap((server) => recordsNextToAlias(facts, server)));
  if (others.length === 0) return [];
  const texts = listed(others.map(({ data }) => clipped(recordText(data), 60)));
  // Without the other records, visitors follow the CNAME. So those go first only if it is right.
  const leadsToTarget = aliasChain(facts).steps.some(({ to }) => to.toLowerCase() === facts.target);
  const shown = [...decisive.flatMap(lookupsOf), ...sharedLookups(facts)].filter(
    (lookup) => lookup.question.type === 'CNAME' || ownRecords(facts, lookup).length > 0,
  );
  return [
    finding('conflict.coexist', 'block', {
      message: `${facts.domain.unicode} has ${texts} next to its CNAME. A CNAME must be the only record of its name.`,
      fix: leadsToTarget
        ? removeRecords(facts, others, `Remove ${texts}, and keep the CNAME.`)
        : replaceWithExpected(facts, [...others, ...decisiveAliases(facts)]),
      evidence: evidenceOfAll(shown),
    }),
  ];
}

/** A failed query does not prove that a record is absent. */
function failedQueries(facts: Facts, severity: Severity, lookups: readonly Lookup[]): Finding[] {
  const failed = lookups.filter((lookup) => lookup.outcome === 'failed');
  if (failed.length === 0) return [];
  const types = listed([...new Set(failed.map(({ question }) => question.type))]);
  const hosts = listed([...new Set(failed.map(({ server }) => serverHost(server)))], 3);
  return [
    finding('conflict.coexist', severity, {
      message: `Queries for ${types} of ${facts.domain.unicode} failed at ${hosts}. Other records may exist next to the CNAME.`,
      fix: `Check again in a few minutes. If they fail again, ask the DNS provider why queries for ${types} fail at ${hosts}.`,
      evidence: evidenceOfAll(failed),
    }),
  ];
}

/** `conflict.multiple-cname`: two or more CNAMEs at one name, at any server with a current copy of the zone. */
export function conflictMultipleCname(facts: Facts): Finding[] {
  const isOutdated = (one: ServerFacts): boolean =>
    decisiveServers(facts).some((other) => areCopies(facts, one, other) && isOlderCopy(one, other));
  const server = reachedServers(facts).find((one) => aliasesAt(facts, one).length > 1 && !isOutdated(one));
  if (server === undefined) return [];
  const aliases = aliasesAt(facts, server);
  const targets = listed(aliases.map(aliasTarget));
  const others = aliases.filter((record) => aliasTarget(record) !== facts.target);
  const lookups = lookupsOf(server);
  const areTogether = lookups.some((lookup) => aliasesIn(facts, lookup).length > 1);
  const keepText = `Remove the CNAME to ${listed(others.map(aliasTarget))}. Keep the one to ${facts.target}: ${expectedText(facts)}.`;
  const fix =
    others.length < aliases.length
      ? removeRecords(facts, others, keepText)
      : replaceWithExpected(facts, others);
  return [
    finding('conflict.multiple-cname', 'block', {
      message: areTogether
        ? `${facts.domain.unicode} has ${aliases.length} CNAME records: to ${targets}. Only one is allowed.`
        : `Responses for ${facts.domain.unicode} have different CNAME records: to ${targets}. Only one is allowed.`,
      fix: areTogether ? fix : withFirst(fix, RECENT_CHANGE),
      evidence: evidenceOfAliases(facts, lookups, aliases),
    }),
  ];
}

/** One response with all aliases or, without one, a response for each. */
function evidenceOfAliases(
  facts: Facts,
  lookups: readonly Lookup[],
  aliases: readonly DnsRecord[],
): Evidence[] {
  const all = lookups.find((lookup) => aliasesIn(facts, lookup).length > 1);
  if (all !== undefined) return [evidenceOf(all)];
  const shows = (lookup: Lookup, alias: DnsRecord): boolean =>
    aliasesIn(facts, lookup).some((own) => aliasTarget(own) === aliasTarget(alias));
  return evidenceOfAll(aliases.map((alias) => lookups.find((lookup) => shows(lookup, alias))));
}
