import { recordText } from './evidence.js';
import { isWithin, lacksAuthority } from '../facts/classify.js';
import type { Facts, ServerFacts, ServerRecords } from '../facts/facts.js';
import type { Lookup } from '../facts/lookup.js';
import { reservedRange } from '../name/ip-address.js';
import type { DnsRecord, DnsServer } from '../resolver/dns.js';

/** The records of a lookup that the domain itself has: not those of an alias's target, not those of a wildcard. */
export function ownRecords(facts: Facts, lookup: Lookup): DnsRecord[] {
  return isFromWildcard(facts, lookup.server) ? [] : recordsAt(facts, lookup);
}

/** The records of a lookup under the domain's name, its own or from a wildcard. */
export function recordsAt(facts: Facts, lookup: Lookup): DnsRecord[] {
  return [...lookup.records, ...(lookup.nextToAlias ?? [])].filter(
    ({ name, data }) => data.type === lookup.question.type && name.toLowerCase() === facts.domain.ascii,
  );
}

/** The A and AAAA records of the domain itself at this server. */
export function ownAddresses(facts: Facts, server: ServerFacts): DnsRecord[] {
  return [...ownRecords(facts, server.a), ...ownRecords(facts, server.aaaa)];
}

/** Lookups of the domain made at only one server: less common types, and CAA. */
export function sharedLookups({ domain, relatedNames, caa }: Facts): readonly Lookup[] {
  const ofCaa = caa.steps.filter(({ name }) => name === domain.ascii).map(({ lookup }) => lookup);
  return [...(relatedNames.others ?? []), ...ofCaa];
}

/** The address of an A or AAAA record, in lower case; the empty string for any other record. */
export function addressOf(record: DnsRecord): string {
  const { data } = record;
  return data.type === 'A' || data.type === 'AAAA' ? data.address.toLowerCase() : '';
}

/** Whether an address is unreachable from the Internet and not the target's. */
export function isReserved(facts: Facts, record: DnsRecord): boolean {
  return reservedRange(addressOf(record)) !== undefined && !isTargetAddress(facts, addressOf(record));
}

/** Whether an address is one of the target's. */
export function isTargetAddress(facts: Facts, address: string): boolean {
  return facts.platform.addresses.some((known) => known.toLowerCase() === address.toLowerCase());
}

/** Whether a server's records of the domain come from a wildcard. Then the domain has no record to change or remove. */
export function isFromWildcard(facts: Facts, server: DnsServer): boolean {
  const { wildcard } = facts.relatedNames;
  if (wildcard === undefined) return false;
  const own = facts.servers.find((one) => one.server === server);
  const lookup =
    own && lookupsOf(own).find(({ question }) => question.type === wildcard.lookup.question.type);
  return lookup !== undefined && hasSameRecords(wildcard.lookup, lookup);
}

/** Whether two lookups have the same records. False if there are none. */
export function hasSameRecords(one: Lookup, other: Lookup): boolean {
  const texts = new Set(ownTexts(other));
  const seen = ownTexts(one);
  return seen.length > 0 && seen.every((text) => texts.has(text));
}

/** Whether a lookup shows a record at the queried name. */
export function showsRecord({ chain, outcome }: Lookup): boolean {
  return outcome === 'value' || chain.length > 0;
}

/** All lookups of the domain at one server. */
export function lookupsOf({ cname, a, aaaa, mx, txt, https }: ServerRecords): readonly Lookup[] {
  return [cname, a, aaaa, mx, txt, https];
}

/** Whether a server has the zone, but does not set AA in its responses. */
export function servesWithoutAuthority(server: ServerRecords): boolean {
  return [...lookupsOf(server), ...(server.soa ? [server.soa] : [])].some(lacksAuthority);
}

/** The records of the queried name itself: its alias, or its records. */
function ownTexts({ chain, records }: Lookup): string[] {
  return (chain.length > 0 ? chain.slice(0, 1) : records).map(({ data }) => recordText(data).toLowerCase());
}

/** Whether a response says that the queried name does not exist, and not the target of its alias. */
export function isDenial({ outcome, chain }: Lookup): boolean {
  return outcome === 'nxdomain' && chain.length === 0;
}

/**
 * The NXDOMAIN responses of servers that have records for the domain: resolvers may then forget the whole name (RFC 8020,
 * section 2). An old copy of the zone, at a server without any record, is not wrong.
 */
export function wrongDenials(facts: Facts): readonly Lookup[] {
  const lookups = new Set([...facts.servers.flatMap(lookupsOf), ...sharedLookups(facts)]);
  return [...lookups].filter((lookup) => isDenial(lookup) && recordAt([...lookups], lookup) !== undefined);
}

/** The same for the names between domain and zone: they exist too, as they have a name below. */
export function wrongDenialsAbove(facts: Facts): readonly Lookup[] {
  const { caa, domain, servers, zone } = facts;
  const own = servers.flatMap(lookupsOf);
  return caa.steps.flatMap(({ name, lookup }) =>
    name !== domain.ascii &&
    name !== zone.name &&
    isWithin(name, zone.name) &&
    isDenial(lookup) &&
    recordAt(own, lookup) !== undefined
      ? [lookup]
      : [],
  );
}

/** A response with a record, of the same server as another one. */
export function recordAt(lookups: readonly Lookup[], { server }: Lookup): Lookup | undefined {
  return lookups.find((lookup) => lookup.server.address === server.address && showsRecord(lookup));
}

/**
 * Caches the last result of a pure function, by its immutable argument. Nearly every rule needs the same views of the
 * facts, and the rules run synchronously. A `WeakMap` would take a tenth of the time of a check.
 */
export function memoizeLast<Key extends object, Value>(make: (key: Key) => Value): (key: Key) => Value {
  let last: { key: Key; value: Value } | undefined;
  return (key) => {
    if (last?.key !== key) last = { key, value: make(key) };
    return last.value;
  };
}

/** Caches the results of a pure function for each server or resolver of the last facts. */
export function memoizeEach<Item, Value>(
  itemsOf: (facts: Facts) => readonly Item[],
  make: (facts: Facts, item: Item) => Value,
): (facts: Facts, item: Item) => Value {
  const known = memoizeLast(
    (facts: Facts) => new Map(itemsOf(facts).map((item) => [item, make(facts, item)])),
  );
  return (facts, item) => known(facts).get(item) ?? make(facts, item);
}

/**
 * How certain it is that addresses come from an ALIAS or ANAME. Such records are not visible in DNS: the server returns
 * addresses, and their origin must be inferred.
 */
export type AliasEvidence =
  /** The authoritative TTL counts down between two queries, which only happens to resolved addresses. */
  | 'proved'
  /** The addresses are the target's; an ALIAS and a copy look the same. */
  | 'consistent'
  /** The target's addresses, with a constant TTL above the target's: probably copied by hand. */
  | 'looks-copied'
  /** An ALIAS with at least one address that the target did not return. It may be one to another host. */
  | 'uncertain'
  /** At least one address is not the target's. */
  | 'mismatch'
  /** The target's addresses are not known. */
  | 'incomparable'
  /** There is no address. */
  | 'none';

/** Seconds. The queries are one second apart, and retries take a few more. A larger drop is an edited record. */
const COUNTED_DOWN_MAX = 15;

/** Returns the evidence that the addresses at these servers come from an ALIAS. */
export function aliasEvidence(facts: Facts, servers: readonly ServerFacts[]): AliasEvidence {
  const addresses = servers.flatMap((server) => ownAddresses(facts, server));
  if (addresses.length === 0) return 'none';
  if (facts.platform.addresses.length === 0) return 'incomparable';
  const isCountingDown = servers.some((server) => countsDown(facts, server));
  const foreign = addresses.filter((record) => !isTargetAddress(facts, addressOf(record)));
  const strangers = foreign.filter((record) => !mayBeTargets(facts, record));
  if (strangers.length > 0) {
    const isOtherAlias = isCountingDown && strangers.length === addresses.length;
    return isOtherAlias && facts.platform.isVarying !== true ? 'uncertain' : 'mismatch';
  }
  if (foreign.length > 0 && !isCountingDown) {
    return servers.some((server) => hasChanged(facts, server)) ? 'consistent' : 'mismatch';
  }
  if (isCountingDown) return 'proved';
  return servers.some((server) => looksCopied(facts, server)) ? 'looks-copied' : 'consistent';
}

/** Whether an address is the target's, or comes from an ALIAS to a target with varying addresses. */
export function isFromTarget(facts: Facts, servers: readonly ServerFacts[], record: DnsRecord): boolean {
  if (isTargetAddress(facts, addressOf(record))) return true;
  return mayBeTargets(facts, record) && servers.some((server) => countsDown(facts, server));
}

/** Whether a target with varying addresses may have returned this one, with at most its own TTL. */
function mayBeTargets({ platform }: Facts, { ttl, data }: DnsRecord): boolean {
  const family = data.type === 'A' ? platform.a : platform.aaaa;
  return (
    platform.isVarying === true &&
    family?.outcome === 'value' &&
    (platform.ttl === undefined || ttl <= platform.ttl)
  );
}

/** Whether the addresses differ between the two queries. */
function hasChanged(facts: Facts, server: ServerFacts): boolean {
  if (server.aRepeated === undefined || !isAuthoritativeTwice(server)) return false;
  const [before, after] = [server.a, server.aRepeated].map((lookup) =>
    ownRecords(facts, lookup).map(addressOf).sort().join(' '),
  );
  return before !== '' && after !== '' && before !== after;
}

function countsDown(facts: Facts, server: ServerFacts): boolean {
  const drop = ttlDrop(facts, server);
  // A cache in front of the server counts down too. A longer TTL than the target's does not come from the target.
  if (hasLongerTtl(facts, server)) return false;
  return drop !== undefined && drop > 0 && drop <= COUNTED_DOWN_MAX && isAuthoritativeTwice(server);
}

/** A constant TTL alone proves nothing: some providers return an ALIAS's addresses with the ALIAS record's TTL. */
function looksCopied(facts: Facts, server: ServerFacts): boolean {
  if (isFlattenedByCloudflare(facts, ownRecords(facts, server.a))) return false;
  const drop = ttlDrop(facts, server);
  return drop !== undefined && drop >= 0 && drop <= COUNTED_DOWN_MAX && hasLongerTtl(facts, server);
}

function hasLongerTtl(facts: Facts, server: ServerFacts): boolean {
  const ttl = ownRecords(facts, server.a)[0]?.ttl;
  const { ttl: targetTtl } = facts.platform;
  return ttl !== undefined && targetTtl !== undefined && ttl > targetTtl;
}

function ttlDrop(facts: Facts, server: ServerFacts): number | undefined {
  const before = ownRecords(facts, server.a)[0];
  const after = server.aRepeated === undefined ? undefined : ownRecords(facts, server.aRepeated)[0];
  return before === undefined || after === undefined ? undefined : before.ttl - after.ttl;
}

/** An intercepting resolver counts down too, but it is not authoritative. */
function isAuthoritativeTwice(server: ServerFacts): boolean {
  return [server.a, server.aRepeated].every(
    (lookup) => lookup?.exchange.kind === 'response' && lookup.exchange.response.authoritative,
  );
}

/**
 * Whether the DNS provider itself runs the CDN of the addresses. Then its servers make the A, AAAA and HTTPS records of a
 * proxied record, and its panel does not have them.
 */
export function isProxied({ provider }: Facts): boolean {
  return provider?.cdn !== undefined && provider.dns?.name === provider.cdn.name;
}

/** Seconds. Cloudflare flattens a CNAME to addresses with this TTL, which does not count down ("Auto"). */
const FLATTENED_TTL = 300;

/** Whether addresses look like a CNAME that Cloudflare flattens, as at an apex. Fixed records with TTL "Auto" look the same. */
export function isFlattenedByCloudflare({ provider }: Facts, addresses: readonly DnsRecord[]): boolean {
  return provider?.dns?.name === 'Cloudflare' && addresses.every(({ ttl }) => ttl === FLATTENED_TTL);
}
