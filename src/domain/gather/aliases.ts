import { addressesIn, targetOf } from './facts/classify.js';
import type { ChainStep, RelatedNames, ServerRecords } from './facts/facts.js';
import { isKnown, type Lookup } from './facts/lookup.js';
import { type Evidence, withPrintableTexts } from '../report/finding.js';
import { registrableOf } from '../names/name.js';
import type { FoundAddresses } from '../request/options.js';
import type { DnsRecord, DnsServer, RecordType } from '../dns/dns.js';
import { digCommand, evidenceOf } from './views/evidence.js';
import { isOlderCopy } from './views/server-view.js';
import type { CheckContext } from './check-context.js';
import { findZoneOfTarget } from './zone.js';

/** Zones visited on the way to the end of a chain. Resolvers stop after about as many aliases. */
const ZONES_MAX = 12;
/** Aliases followed from the domain. No resolver follows more. */
const STEPS_MAX = 16;

/** Queries one name of an alias chain. */
export type QueryName = (
  context: CheckContext,
  name: string,
  type: RecordType,
) => Promise<Lookup | undefined>;

/** Queries only the servers of the name's zone: for names that may not exist yet. */
export const queryZone: QueryName = async (context, name, type) => {
  const { zone } = await findZoneOfTarget(context, name);
  const spare = zone.servers.map((server) => context.spareLookups.take(server, name, type)).find(isKnown);
  return spare ?? (await context.queryAny(zone.servers, name, type)) ?? absenceOf(zone.delegation);
};

/**
 * Queries the servers of the name's zone and, if all of them fail, a resolver. For names that exist already, never for
 * the checked domain or other hosts of the project.
 */
export const queryZoneOrResolver: QueryName = async (context, name, type) => {
  const lookup = await queryZone(context, name, type);
  if (isKnown(lookup)) return lookup;
  return (await context.resolve(name, type)) ?? lookup;
};

/**
 * Follows the aliases from a name to the records at their end, across zones.
 *
 * @returns The last lookup, with its own question. Its chain has the aliases of all lookups.
 */
export async function walkAliases(
  context: CheckContext,
  name: string,
  type: RecordType,
  query: QueryName = queryZoneOrResolver,
): Promise<Lookup | undefined> {
  const seen = new Set<string>();
  let lookup: Lookup | undefined;
  let next: string | undefined = name;
  for (let zones = 0; zones < ZONES_MAX && next !== undefined && !seen.has(next); zones += 1) {
    seen.add(next);
    const before: Lookup | undefined = lookup;
    lookup = await query(context, next, type);
    if (lookup === undefined) return before && withoutNameServer(before, next);
    const end = targetOf(lookup.chain.at(-1));
    if (before !== undefined) lookup = { ...lookup, chain: [...before.chain, ...lookup.chain] };
    next = lookup.outcome === 'nodata' || lookup.outcome === 'nxdomain' ? end : undefined;
  }
  return lookup;
}

/** Returns the delegation lookup if it shows that the zone, and so every name in it, does not exist. */
function absenceOf(delegation: Lookup | undefined): Lookup | undefined {
  return delegation?.outcome === 'nxdomain' || delegation?.outcome === 'nodata' ? delegation : undefined;
}

/** A failed lookup, for an alias whose target has no known name server. */
function withoutNameServer({ server, question, exchange, chain }: Lookup, name: string): Lookup {
  const failure = `no name servers known for ${name}`;
  return { question, server, exchange, outcome: 'failed', records: [], chain, failure };
}

/**
 * Follows the domain's CNAME alias by alias: first in the responses of the zone's servers, then with one query for each
 * name. Ends at the target, at a repeated name, or at a name without an alias.
 */
export async function followChain(
  context: CheckContext,
  servers: readonly ServerRecords[],
  target: string,
): Promise<Pick<RelatedNames, 'chain' | 'chainEnd'>> {
  const steps = knownSteps(servers, target);
  const seen = new Set(steps.map(({ from }) => from));
  let last = steps.at(-1);
  while (last !== undefined && last.to !== target && !seen.has(last.to) && steps.length < STEPS_MAX) {
    seen.add(last.to);
    const lookup = await queryZoneOrResolver(context, last.to, 'CNAME');
    last = lookup?.records.map((record) => stepOf(record, lookup.server))[0];
    if (last !== undefined) steps.push(last);
    else if (lookup !== undefined) return { chain: steps, chainEnd: lookup };
  }
  return { chain: steps };
}

/** The aliases in the newest copy of the zone, up to the target. */
function knownSteps(servers: readonly ServerRecords[], target: string): ChainStep[] {
  const [found, ...others] = servers.filter(({ cname }) => cname.outcome === 'value');
  if (found === undefined) return [];
  const server = others.reduce((best, one) => (isNewer(one, best, target) ? one : best), found);
  const toStep = (record: DnsRecord): ChainStep => stepOf(record, server.server);
  const first = server.cname.records.slice(0, 1).map(toStep);
  const chain = server.a.chain.map(toStep);
  const steps = chain[0]?.to === first[0]?.to ? chain : first;
  const end = steps.findIndex(({ to }) => to === target);
  return end === -1 ? steps : steps.slice(0, end + 1);
}

/** Whether a server has a newer copy of the zone than another or, of copies with the same serial, the right record. */
function isNewer(one: ServerRecords, other: ServerRecords, target: string): boolean {
  if (isOlderCopy(one, other)) return false;
  const leads = ({ cname }: ServerRecords): boolean =>
    cname.records.some((record) => targetOf(record) === target);
  return isOlderCopy(other, one) || (leads(one) && !leads(other));
}

function stepOf(record: DnsRecord, server: DnsServer): ChainStep {
  const to = record.data.type === 'CNAME' ? record.data.target.toLowerCase() : '';
  return { from: record.name.toLowerCase(), to, ttl: record.ttl, server };
}

/** The addresses of a name, with evidence. */
export interface NameAddresses extends FoundAddresses {
  /** Results of the A and AAAA queries, with `dig` commands that show them. Safe to print. */
  evidence: readonly Evidence[];
}

/**
 * Finds the addresses of a name.
 *
 * @param query By default queries only the servers of each zone on the path, because a resolver would cache an absence.
 */
export async function findAddresses(
  context: CheckContext,
  name: string,
  query: QueryName = queryZone,
): Promise<NameAddresses> {
  return (await findAddressesAndAliases(context, name, query)).found;
}

/** As {@link findAddresses}, with the names that its aliases lead to. */
export async function findAddressesAndAliases(
  context: CheckContext,
  name: string,
  query: QueryName = queryZone,
): Promise<{ found: NameAddresses; aliases: readonly string[] }> {
  // In sequence, so that the second query finds the zones on the path in the cache.
  const lookups = [
    await walkAliases(context, name, 'A', query),
    await walkAliases(context, name, 'AAAA', query),
  ];
  const addresses = [...new Set(lookups.flatMap((lookup) => addressesIn(lookup?.records ?? [])))];
  const outcome = addresses.length > 0 ? 'found' : lookups.every(isKnown) ? 'missing' : 'unknown';
  const ranOut = outcome === 'unknown' && context.signal?.aborted === true;
  const evidence = withPrintableTexts(lookups.map((lookup) => evidenceFor(name, lookup)));
  return {
    found: { outcome, addresses, ...(ranOut && { ranOut }), evidence },
    aliases: lookups.flatMap((lookup) => (lookup?.chain ?? []).flatMap((record) => targetOf(record) ?? [])),
  };
}

function evidenceFor(name: string, lookup: Lookup | undefined): Evidence {
  if (lookup !== undefined) return evidenceOf(lookup);
  // The command must not query the user's own resolver for the name: it would cache an absence.
  const command = `${digCommand(undefined, registrableOf(name), 'NS')} +trace`;
  return { text: `${name}: no name servers known for its zone`, command };
}
