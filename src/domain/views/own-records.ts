import type { Facts, ServerFacts } from '../facts/facts.js';
import type { Lookup } from '../facts/lookup.js';
import type { DnsRecord } from '../resolver/dns.js';
import { isFromWildcard } from './wildcard.js';

/** The records of a lookup that the domain itself has: not those of an alias's target, not those of a wildcard. */
export function ownRecords(facts: Facts, lookup: Lookup): DnsRecord[] {
  return isFromWildcard(facts, lookup.server) ? [] : recordsAt(facts, lookup);
}

/** The records of a lookup under the domain's name, its own or from a wildcard. */
export function recordsAt(facts: Facts, lookup: Lookup): DnsRecord[] {
  return lookup.records.filter(
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

/** Whether an address is one of the target's. */
export function isTargetAddress(facts: Facts, address: string): boolean {
  return facts.platform.addresses.some((known) => known.toLowerCase() === address.toLowerCase());
}
