import type { QueriedServers, RelatedNames, ServerRecords, WildcardFacts } from './facts/facts.js';
import type { CheckContext } from './check-context.js';
import { isKnown, type Lookup } from './facts/lookup.js';
import type { DnsRecord, DnsServer, RecordType } from '../dns/dns.js';
import { aliasTarget, isOlderCopy } from './views/server-view.js';
import { hasSameRecords, lookupsOf, showsRecord } from './views/own-records.js';
import { serverKey } from './memo.js';
import { learnSoa } from './zone-records.js';
import { parentOf } from './zone-cut.js';

/** RFC 1035, section 2.3.4, without the final dot. */
const NAME_LENGTH_MAX = 253;

/**
 * Types that may exist at a host name and are queried at one server only. CAA has its own lookups. NS and DS are left
 * out: a name with those is a zone of its own.
 */
const OTHER_TYPES = ['SRV', 'NAPTR', 'SSHFP', 'TLSA'] as const satisfies readonly RecordType[];

/**
 * Queries names around a subdomain that explain its records, each at one server of the zone, and only if useful:
 *
 * - a wildcard, if the domain has records;
 * - the name with the zone twice, if the domain has no address and no alias: some providers append the zone to a full
 *   name;
 * - less common types, if the domain exists without an alias: they conflict with a CNAME too;
 * - MX of the zone, if the domain has records to change: it may be the mail server.
 *
 * @param isThorough Whether to query less common types next to an alias too.
 */
export async function gatherRelatedNames(
  context: CheckContext,
  zone: string,
  name: string,
  { servers, isThorough, target }: QueriedServers & { target: string },
): Promise<Omit<RelatedNames, 'chain' | 'chainEnd'>> {
  const responding = servers.filter(({ cname }) => isKnown(cname));
  const queried = responding.map(({ server }) => server);
  if (name === zone || queried.length === 0) return { doubled: undefined, doubledControl: undefined };
  const [wildcard, others, zoneMx, doubled] = await Promise.all([
    findWildcard(context, zone, name, responding),
    responding.some(exists) && (isThorough || !responding.some(hasAlias))
      ? queryOtherTypes(context, name, responding)
      : undefined,
    !responding.some(hasAliasOrAddress) ||
    responding.every((records) => hasOnlyAliasTo(target, name, records))
      ? undefined
      : context.queryAny(queried, zone, 'MX'),
    responding.some(hasAliasOrAddress) ? undefined : findDoubledName(context, zone, name, queried),
  ]);
  return {
    ...(wildcard !== undefined && { wildcard }),
    ...(others !== undefined && { others }),
    ...(zoneMx !== undefined && { zoneMx }),
    ...(doubled ?? { doubled: undefined, doubledControl: undefined }),
  };
}

/**
 * Queries a random sibling of the domain, once for all domains with the same parent. If it has the same records, a
 * random name below the domain decides. A wildcard does not apply below a name that exists (RFC 4592, section 2.2.1).
 */
async function findWildcard(
  context: CheckContext,
  zone: string,
  name: string,
  servers: readonly ServerRecords[],
): Promise<WildcardFacts | undefined> {
  const withRecords = servers.filter((server) => lookupsOf(server).some(showsRecord));
  // The last server, because its SOA record then comes with the absence of the sibling.
  const first = withRecords.at(-1);
  if (first === undefined) return undefined;
  const newest = withRecords.reduce((best, server) => (isOlderCopy(best, server) ? server : best), first);
  const own = lookupsOf(newest).find(showsRecord);
  if (own === undefined) return undefined;
  const above = await wildcardParent(context, zone, own);
  const below = `${randomLabel(context.random)}.${name}`;
  if (above === undefined || below.length > NAME_LENGTH_MAX) return undefined;
  const lookup = await context.queryServer(newest.server, below, own.question.type);
  return hasSameRecords(lookup, own) ? { name: `*.${above}`, lookup } : undefined;
}

/** The owner of the wildcard that gives siblings the domain's records, without `*.`. `undefined` without a wildcard. */
async function wildcardParent(context: CheckContext, zone: string, own: Lookup): Promise<string | undefined> {
  const { server, question } = own;
  let found: string | undefined;
  for (let parent = parentOf(question.name); parent !== ''; parent = parentOf(parent)) {
    const sibling = await querySibling(context, zone, server, { type: question.type, parent });
    if (!hasSameRecords(sibling, own)) break;
    found = parent;
    // If the parent has the same records, the wildcard may be above it.
    if (parent === zone || !hasSameRecords(await context.queryServer(server, parent, question.type), own))
      break;
  }
  return found;
}

/** Queries a random name below a parent, once for all domains with that parent. */
export function querySibling(
  context: CheckContext,
  zone: string,
  server: DnsServer,
  { type, parent }: { type: RecordType; parent: string },
): Promise<Lookup> {
  return context.run.get('wildcard', `${serverKey(server)} ${type} ${parent}`, async () => {
    const lookup = await context.queryServer(server, `${randomLabel(context.random)}.${parent}`, type);
    learnSoa(context, zone, lookup);
    return lookup;
  });
}

/** Queries less common types. Skips servers that failed for HTTPS, which mostly fail for other rare types too. */
async function queryOtherTypes(
  context: CheckContext,
  name: string,
  responding: readonly ServerRecords[],
): Promise<readonly Lookup[]> {
  const servers = responding.filter(({ https }) => isKnown(https)).map(({ server }) => server);
  const lookups = await Promise.all(OTHER_TYPES.map((type) => context.queryAny(servers, name, type)));
  return lookups.filter((lookup) => lookup !== undefined);
}

/** Queries the name with the zone twice, and a random sibling of that. */
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

function hasAlias({ cname }: ServerRecords): boolean {
  return cname.outcome === 'value';
}

/** Whether a server has the right alias, and no address next to it. */
function hasOnlyAliasTo(target: string, name: string, { cname, a, aaaa }: ServerRecords): boolean {
  const isOwn = (record: DnsRecord): boolean => record.name.toLowerCase() === name;
  const [alias, ...others] = cname.records;
  return (
    alias !== undefined &&
    aliasTarget(alias) === target &&
    others.length === 0 &&
    ![a, aaaa].some(({ records, nextToAlias }) => nextToAlias !== undefined || records.some(isOwn))
  );
}

function hasAliasOrAddress({ cname, a, aaaa }: ServerRecords): boolean {
  return [cname, a, aaaa].some(showsRecord);
}

/** Whether the name exists: every other response is NXDOMAIN. */
function exists(server: ServerRecords): boolean {
  return [server.cname, ...lookupsOf(server)].some(
    ({ outcome, chain }) => outcome === 'value' || outcome === 'nodata' || chain.length > 0,
  );
}

/** A label that certainly does not exist: 60 random bits. */
function randomLabel(random: () => number): string {
  return Array.from({ length: 12 }, () => Math.floor(random() * 32).toString(32)).join('');
}
