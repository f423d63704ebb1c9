import { targetOf } from './classify.js';
import type { Inquiry } from './inquiry.js';
import type { Lookup } from './lookup.js';
import type { RecordType } from './resolver/dns.js';
import { findZone } from './zone.js';

/** Zones that are visited on the way to the end of a chain. Resolvers give up after about as many aliases. */
const HOPS_MAX = 12;

/**
 * Asks whoever is responsible for the name: the servers of its zone and, where none of them answers, a resolver. For names
 * that somebody else has set up already, never for the domain that is checked.
 */
export async function askResponsible(
  inquiry: Inquiry,
  name: string,
  type: RecordType,
): Promise<Lookup | undefined> {
  const { zone } = await findZone(inquiry, name);
  const lookup = await inquiry.askAny(zone.servers, name, type);
  if (lookup !== undefined && lookup.outcome !== 'could-not-ask') return lookup;
  return (await inquiry.recurse(name, type)) ?? lookup;
}

/**
 * Follows the aliases from a name to the records at their end, across zones.
 *
 * @returns the last answer; with the aliases of all answers on the way as its chain.
 */
export async function walkAliases(
  inquiry: Inquiry,
  name: string,
  type: RecordType,
): Promise<Lookup | undefined> {
  const seen = new Set<string>();
  let lookup: Lookup | undefined;
  let at: string | undefined = name;
  for (let hops = 0; hops < HOPS_MAX && at !== undefined && !seen.has(at); hops += 1) {
    seen.add(at);
    const before: Lookup | undefined = lookup;
    lookup = await askResponsible(inquiry, at, type);
    if (lookup === undefined) return before;
    const end = targetOf(lookup.chain.at(-1));
    if (before !== undefined) {
      lookup = { ...lookup, question: before.question, chain: [...before.chain, ...lookup.chain] };
    }
    at = lookup.outcome === 'nodata' || lookup.outcome === 'nxdomain' ? end : undefined;
  }
  return lookup;
}
