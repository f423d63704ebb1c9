import type { RelatedNames, ServerFacts, WildcardFacts } from '../facts/facts.js';
import type { CheckContext } from './check-context.js';
import { isKnown, type Lookup } from '../facts/lookup.js';
import type { DnsServer, RecordType } from '../resolver/dns.js';
import { isOlderCopy } from '../views/server-view.js';
import { hasSameRecords, lookupsOf, showsRecord } from '../views/wildcard.js';
import { parentOf } from './zone.js';

/** RFC 1035, section 2.3.4, without the final dot. */
const NAME_LENGTH_MAX = 253;

/**
 * What may lie at a host name, and is not asked of every server. CAA is found in the climb for it. NS and DS are not among
 * them: where they lie the name is a zone of its own, or its parent's.
 */
const OTHER_TYPES = ['SRV', 'NAPTR', 'SSHFP', 'TLSA'] as const satisfies readonly RecordType[];

/**
 * Looks at the names around a subdomain that explain what was seen at it. Each is asked of one server of the zone, and
 * only where it can explain something: a wildcard where the domain has records, a name typed in full where it leads
 * nowhere, other types where it exists: a few servers give them out beside a CNAME too.
 */
export async function gatherRelatedNames(
  context: CheckContext,
  zone: string,
  name: string,
  servers: readonly ServerFacts[],
): Promise<Omit<RelatedNames, 'chain' | 'chainEnd'>> {
  const answering = servers.filter(({ cname }) => isKnown(cname));
  const asked = answering.map(({ server }) => server);
  if (name === zone || asked.length === 0) return { doubled: undefined, doubledControl: undefined };
  const [wildcard, others, doubled] = await Promise.all([
    findWildcard(context, zone, name, answering),
    answering.some(exists) ? queryOtherTypes(context, name, answering) : undefined,
    answering.some(leadsSomewhere) ? undefined : findDoubledName(context, zone, name, asked),
  ]);
  return {
    ...(wildcard !== undefined && { wildcard }),
    ...(others !== undefined && { others }),
    ...(doubled ?? { doubled: undefined, doubledControl: undefined }),
  };
}

/**
 * Asks for a name beside the domain that nobody has, once for all domains with the same parent. Where it is answered alike,
 * one below the domain decides: if the domain exists, no wildcard beside it reaches so far (RFC 4592, section 2.2.1).
 */
async function findWildcard(
  context: CheckContext,
  zone: string,
  name: string,
  servers: readonly ServerFacts[],
): Promise<WildcardFacts | undefined> {
  const holders = servers.filter((server) => lookupsOf(server).some(showsRecord));
  const [first] = holders;
  if (first === undefined) return undefined;
  const newest = holders.reduce((best, server) => (isOlderCopy(best, server) ? server : best), first);
  const own = lookupsOf(newest).find(showsRecord);
  if (own === undefined) return undefined;
  const above = await wildcardParent(context, zone, own);
  const below = `${randomLabel(context.random)}.${name}`;
  if (above === undefined || below.length > NAME_LENGTH_MAX) return undefined;
  const lookup = await context.queryServer(newest.server, below, own.question.type);
  return hasSameRecords(lookup, own) ? { name: `*.${above}`, lookup } : undefined;
}

/** The name whose wildcard answers beside the domain as the domain is answered; undefined where none does. */
async function wildcardParent(context: CheckContext, zone: string, own: Lookup): Promise<string | undefined> {
  const { server, question } = own;
  let found: string | undefined;
  for (let at = parentOf(question.name); at !== ''; at = parentOf(at)) {
    const beside = await context.wildcardLookups.get(`${question.type} ${at}`, () =>
      context.queryServer(server, `${randomLabel(context.random)}.${at}`, question.type),
    );
    if (!hasSameRecords(beside, own)) break;
    found = at;
    // A name above that exists has a wildcard of its own; one that does not is answered by the same as the domain.
    if (at === zone || !hasSameRecords(await context.queryServer(server, at, question.type), own)) break;
  }
  return found;
}

/** A server that does not answer for one rare type is not waited for with others. */
async function queryOtherTypes(
  context: CheckContext,
  name: string,
  answering: readonly ServerFacts[],
): Promise<readonly Lookup[]> {
  const open = answering.filter(({ https }) => isKnown(https));
  const servers = open.map(({ server }) => server);
  const lookups = await Promise.all(OTHER_TYPES.map((type) => context.queryAny(servers, name, type)));
  return lookups.filter((lookup) => lookup !== undefined);
}

/** Asks for the name typed in full where the provider appends the zone, and for one beside it that nobody has. */
async function findDoubledName(
  context: CheckContext,
  zone: string,
  name: string,
  servers: readonly DnsServer[],
): Promise<Pick<RelatedNames, 'doubled' | 'doubledControl'> | undefined> {
  const full = `${name}.${zone}`;
  if (full.length > NAME_LENGTH_MAX) return undefined;
  const control = `${randomLabel(context.random)}.${zone}.${zone}`;
  const [doubled, doubledControl] = await Promise.all([
    context.queryAny(servers, full, 'CNAME'),
    context.queryAny(servers, control, 'CNAME'),
  ]);
  return { doubled, doubledControl };
}

function leadsSomewhere({ cname, a, aaaa }: ServerFacts): boolean {
  return [cname, a, aaaa].some(showsRecord);
}

/** With an alias or without: NXDOMAIN is all else that a server can say of a name. */
function exists(server: ServerFacts): boolean {
  return [server.cname, ...lookupsOf(server)].some(
    ({ outcome, chain }) => outcome === 'value' || outcome === 'nodata' || chain.length > 0,
  );
}

/** A label that nobody has: 60 bits by chance. */
function randomLabel(random: () => number): string {
  return Array.from({ length: 12 }, () => Math.floor(random() * 32).toString(32)).join('');
}
