import { targetOf } from '../facts/classify.js';
import type { CheckContext } from './check-context.js';
import { isKnown, type Lookup } from '../facts/lookup.js';
import type { RecordType } from '../resolver/dns.js';
import { findZone } from './zone.js';

/** Zones that are visited on the way to the end of a chain. Resolvers give up after about as many aliases. */
const HOPS_MAX = 12;

/** How one name on the way is asked for. */
export type QueryName = (
  context: CheckContext,
  name: string,
  type: RecordType,
) => Promise<Lookup | undefined>;

/**
 * Asks the servers of the name's zone, and nobody else: for names that may not exist yet. What the parent keeps of a name
 * that it does not delegate is known already.
 */
export const queryZone: QueryName = async (context, name, type) => {
  const { zone } = await findZone(context, name);
  const kept = zone.parentRecords.find(({ question }) => question.name === name && question.type === type);
  return kept ?? (await context.queryAny(zone.servers, name, type)) ?? absenceOf(zone.delegation);
};

/**
 * Asks whoever is responsible for the name: the servers of its zone and, where none of them answers, a resolver. For names
 * that somebody else has set up already, never for the domain that is checked or other hosts of the project.
 */
export const queryZoneOrResolver: QueryName = async (context, name, type) => {
  const lookup = await queryZone(context, name, type);
  if (isKnown(lookup)) return lookup;
  return (await context.resolve(name, type)) ?? lookup;
};

/**
 * Follows the aliases from a name to the records at their end, across zones.
 *
 * @param ask Default `askResponsible`.
 * @returns the last answer, with its own question; the aliases of all answers on the way are its chain.
 */
export async function walkAliases(
  context: CheckContext,
  name: string,
  type: RecordType,
  ask: QueryName = queryZoneOrResolver,
): Promise<Lookup | undefined> {
  const seen = new Set<string>();
  let lookup: Lookup | undefined;
  let at: string | undefined = name;
  for (let hops = 0; hops < HOPS_MAX && at !== undefined && !seen.has(at); hops += 1) {
    seen.add(at);
    const before: Lookup | undefined = lookup;
    lookup = await ask(context, at, type);
    if (lookup === undefined) return before && unknownBeyond(before, at);
    const end = targetOf(lookup.chain.at(-1));
    if (before !== undefined) lookup = { ...lookup, chain: [...before.chain, ...lookup.chain] };
    at = lookup.outcome === 'nodata' || lookup.outcome === 'nxdomain' ? end : undefined;
  }
  return lookup;
}

/** What the parent said of a zone that has no servers: nobody is to be asked, and nothing is below it. */
function absenceOf(delegation: Lookup | undefined): Lookup | undefined {
  return delegation?.outcome === 'nxdomain' || delegation?.outcome === 'nodata' ? delegation : undefined;
}

/** The alias is known, and nobody who would know where it leads. */
function unknownBeyond({ server, question, exchange, chain }: Lookup, name: string): Lookup {
  const trouble = `no name server of ${name} is known`;
  return { question, server, exchange, outcome: 'failed', records: [], chain, failure: trouble };
}
