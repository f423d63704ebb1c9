import { recordText } from './evidence.js';
import type { Facts, ServerRecords } from '../facts/facts.js';
import type { Lookup } from '../facts/lookup.js';
import type { DnsServer } from '../resolver/dns.js';

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

/** The records of the queried name itself: its alias, or its records. */
function ownTexts({ chain, records }: Lookup): string[] {
  return (chain.length > 0 ? chain.slice(0, 1) : records).map(({ data }) => recordText(data).toLowerCase());
}
