import { acceptAbsence, isWithin, targetOf } from './facts/classify.js';
import type { CaaFacts, QueriedServers, ServerRecords, ZoneView } from './facts/facts.js';
import { isKnown, type Lookup } from './facts/lookup.js';
import type { DnsQuestion, DnsServer } from '../dns/dns.js';
import { walkAliases } from './aliases.js';
import type { CheckContext } from './check-context.js';
import { servesWithoutAuthority } from './views/own-records.js';
import { learnSoa } from './zone-records.js';
import { parentOf } from './zone-cut.js';

/**
 * Looks up CAA as a certificate authority does (RFC 8659, section 3): at the domain, then at each parent, until one has
 * CAA records. Queries the top-level domain only if the check is thorough: registries publish none there. Keeps failed lookups among the steps, because an authority does not
 * issue then.
 *
 * Queries names in the zone at its servers, and follows aliases from server to server, so that no resolver caches the
 * domain. Queries a resolver for names above the zone, which exist already.
 */
export async function climbCaaTree(
  context: CheckContext,
  zone: ZoneView,
  name: string,
  { servers, isThorough }: QueriedServers,
): Promise<Omit<CaaFacts, 'issuer'>> {
  if (servers.length === 0) return { steps: [], owner: undefined, records: [] };
  const responding = servers.filter(({ cname }) => isKnown(cname)).map(({ server }) => server);
  const withoutAuthority = new Set(servers.filter(servesWithoutAuthority).map(({ server }) => server));
  const lookupAt = (at: string): Promise<Lookup | undefined> => {
    if (!isWithin(at, zone.name)) return context.resolve(at, 'CAA');
    if (responding.length === 0) return Promise.resolve(failedLookup(servers, at));
    return at === name
      ? findCaaInZone(context, zone.name, responding, at)
      : findCaaAbove(context, zone.name, responding, at);
  };
  const steps: { name: string; lookup: Lookup }[] = [];
  for (let at = name; at !== '' && (isThorough || at.includes('.')); at = parentOf(at)) {
    const found = await lookupAt(at);
    if (found === undefined) continue;
    const lookup = withoutAuthority.has(found.server) ? acceptAbsence(found) : found;
    steps.push({ name: at, lookup });
    if (lookup.records.length > 0) return { steps, owner: at, records: lookup.records };
  }
  return { steps, owner: undefined, records: [] };
}

async function findCaaInZone(
  context: CheckContext,
  zone: string,
  servers: readonly DnsServer[],
  name: string,
): Promise<Lookup | undefined> {
  const lookup = await queryCaa(context, await context.queryAny(servers, name, 'CAA'));
  if (lookup !== undefined) learnSoa(context, zone, lookup);
  return lookup;
}

/** Looks up CAA at a name above the domain, once for all domains below it. */
export function findCaaAbove(
  context: CheckContext,
  zone: string,
  servers: readonly DnsServer[],
  name: string,
): Promise<Lookup | undefined> {
  return context.run.get('caa', `${name} in ${zone}`, () => findCaaInZone(context, zone, servers, name));
}

/** The failure of the first server, as the result of a CAA query. */
function failedLookup(servers: readonly ServerRecords[], at: string): Lookup | undefined {
  const [first] = servers;
  return first === undefined ? undefined : { ...first.cname, question: { name: at, type: 'CAA' } };
}

/** Follows an alias that leads out of the zone. */
async function queryCaa(context: CheckContext, lookup: Lookup | undefined): Promise<Lookup | undefined> {
  const end = targetOf(lookup?.chain.at(-1));
  if (lookup === undefined || lookup.records.length > 0) return lookup;
  // In a loop, the end is a name that the chain already has.
  if (end === undefined || lookup.chain.some((record) => record.name.toLowerCase() === end)) return lookup;
  const atEnd = await context.run.get('caa', end, () => walkAliases(context, end, 'CAA'));
  if (atEnd === undefined) return lookup;
  const { nextToAlias } = lookup;
  const chain = [...lookup.chain, ...atEnd.chain];
  return {
    ...atEnd,
    question: lastQuestion(atEnd),
    chain,
    ...(nextToAlias !== undefined && { nextToAlias }),
  };
}

/** The question of the last query: the first alias in its response, or the end of the chain. */
function lastQuestion({ question, exchange, chain }: Lookup): DnsQuestion {
  const answers = exchange.kind === 'response' ? exchange.response.answers : [];
  const first = chain.find((record) => answers.includes(record));
  return { ...question, name: first?.name ?? targetOf(chain.at(-1)) ?? question.name };
}
