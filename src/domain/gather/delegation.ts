import { isWithin, referralIn, soaIn } from '../facts/classify.js';
import type { CheckContext } from './check-context.js';
import { isIpv6 } from '../name/ip-address.js';
import { isKnown, type Lookup } from '../facts/lookup.js';
import { hostsIn, resolveNameServers } from './name-servers.js';
import type { DnsRecord, DnsServer } from '../resolver/dns.js';

/** Servers of the parent that are tried before a resolver is asked instead. */
const PARENT_TRIES = 3;

/** Who is responsible for the registrable domain, by its parent. */
export interface Delegation {
  /** What the parent said of its NS records or, where none of its servers answered, a resolver; or why that did not either. */
  lookup: Lookup | undefined;
  hosts: readonly string[];
  glue: readonly DnsRecord[];
}

/**
 * Asks the parent who is responsible for a registrable domain. The parent goes first because a resolver would remember
 * that a domain is not registered, or has no name servers yet.
 */
export async function findDelegation(context: CheckContext, registrable: string): Promise<Delegation> {
  const parent = await parentServers(context, registrable);
  const lookup = asDelegation(await context.queryAny(parent, registrable, 'NS'));
  if (!isKnown(lookup)) return byResolver(context, registrable);
  return delegationOf(lookup);
}

/** The servers of the zone above: of the public suffix or, where that is no zone, of the one it lies in. */
async function parentServers(context: CheckContext, registrable: string): Promise<DnsServer[]> {
  const suffix = registrable.slice(registrable.indexOf('.') + 1);
  if (suffix === registrable) return [];
  let names = await context.resolve(suffix, 'NS');
  const zone = names?.outcome === 'nodata' ? soaIn(names.exchange)?.name.toLowerCase() : undefined;
  if (zone !== undefined && isAbove(zone, suffix)) names = await context.resolve(zone, 'NS');
  if (names?.outcome !== 'value') return [];
  const hosts = hostsIn(names.records).slice(0, PARENT_TRIES);
  const { servers } = await resolveNameServers(context, hosts, glueIn(names));
  // IPv4 first: a machine without IPv6 would spend its tries on it.
  const rank = ({ address }: DnsServer): number => Number(isIpv6(address));
  return servers.toSorted((one, other) => rank(one) - rank(other)).slice(0, PARENT_TRIES);
}

async function byResolver(context: CheckContext, registrable: string): Promise<Delegation> {
  const lookup = await context.resolve(registrable, 'NS');
  if (!isKnown(lookup)) return { lookup, hosts: [], glue: [] };
  return delegationOf(lookup);
}

function delegationOf(lookup: Lookup): Delegation {
  return { lookup, hosts: hostsIn(lookup.records), glue: glueIn(lookup) };
}

/** A referral for the very name is the parent's answer about it. */
function asDelegation(lookup: Lookup | undefined): Lookup | undefined {
  if (lookup === undefined || isKnown(lookup)) return lookup;
  const referral = referralIn(lookup.exchange);
  if (referral?.zone !== lookup.question.name) return lookup;
  const { question, server, exchange } = lookup;
  return { question, server, exchange, outcome: 'value', records: referral.records, chain: [] };
}

/** Addresses that came along with NS records. */
export function glueIn(lookup: Lookup): readonly DnsRecord[] {
  return lookup.exchange.kind === 'response' ? lookup.exchange.response.additional : [];
}

/** Whether the name lies below the zone, and the zone is not the root. */
function isAbove(zone: string, name: string): boolean {
  return zone !== '' && zone !== name && isWithin(name, zone);
}
