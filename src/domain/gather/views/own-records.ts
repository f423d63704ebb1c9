import { recordText } from './evidence.js';
import { lacksAuthority } from '../facts/classify.js';
import type { Facts, ServerFacts, ServerRecords } from '../facts/facts.js';
import type { Lookup } from '../facts/lookup.js';
import { reservedRange } from '../../names/ip-address.js';
import type { DnsRecord, DnsServer } from '../../dns/dns.js';

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
