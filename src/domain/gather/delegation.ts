import { addressesIn, hostsIn, isWithin, referralIn, soaIn, targetOf } from './facts/classify.js';
import type { GlueDifference, ZoneView } from './facts/facts.js';
import type { CheckContext, HostAddresses, NameServers } from './check-context.js';
import { isKnown, type Lookup } from './facts/lookup.js';
import type { DnsRecord, DnsServer } from '../dns/dns.js';

/** Servers of the parent zone that are queried. If all of them fail, a resolver is. */
const PARENT_SERVERS_MAX = 3;

/**
 * Limit of queries that show whether the network lets DNS pass, in milliseconds. Servers of a registry respond much
 * sooner.
 */
export const ACCESS_LIMIT_MS = 1_200;

/** The delegation of a registrable domain by its parent. */
export interface Delegation {
  /** The NS lookup at the parent or, if all servers of the parent failed, at a resolver. */
  lookup: Lookup | undefined;
  hosts: readonly string[];
  glue: readonly DnsRecord[];
  /** The last lookup at the parent's servers, if all of them failed. */
  failedParent?: Lookup | undefined;
}

/**
 * Queries the parent zone for the name servers of a registrable domain. The parent comes first: a resolver would cache
 * the absence of a domain that is not registered yet.
 */
export async function findDelegation(context: CheckContext, registrable: string): Promise<Delegation> {
  if (context.view !== undefined) return delegationByResolver(context, registrable);
  const parent = await parentHosts(context, registrable);
  // IPv4 first, because more machines have it. Then IPv6, for a machine that has only that.
  const byIpv4 = await queryParent(context, parent, registrable, 'A');
  const lookup = isUnreachable(byIpv4)
    ? ((await queryParent(context, parent, registrable, 'AAAA')) ?? byIpv4)
    : byIpv4;
  if (isKnown(lookup)) return delegationOf(lookup);
  return { ...(await delegationByResolver(context, registrable)), failedParent: lookup };
}

async function queryParent(
  context: CheckContext,
  { hosts, glue }: ParentHosts,
  registrable: string,
  family: 'A' | 'AAAA',
): Promise<Lookup | undefined> {
  const { servers } = await resolveNameServers(context, hosts, glue, [family]);
  // With signatures, because a referral then has the DS records too.
  const flags = { limitMs: ACCESS_LIMIT_MS, dnssec: true };
  const queried = servers.slice(0, PARENT_SERVERS_MAX);
  return withReferralRecords(await context.queryAny(queried, registrable, 'NS', flags));
}

function isUnreachable(lookup: Lookup | undefined): boolean {
  return (
    lookup === undefined || (lookup.exchange.kind === 'failure' && lookup.exchange.reason === 'unreachable')
  );
}

interface ParentHosts {
  hosts: readonly string[];
  glue: readonly DnsRecord[];
}

/** The name servers of the parent zone: the public suffix or, if that is not a zone itself, the zone above it. */
async function parentHosts(context: CheckContext, registrable: string): Promise<ParentHosts> {
  const suffix = registrable.slice(registrable.indexOf('.') + 1);
  if (suffix === registrable) return { hosts: [], glue: [] };
  let names = await context.resolve(suffix, 'NS');
  const zone = names?.outcome === 'nodata' ? soaIn(names.exchange)?.name.toLowerCase() : undefined;
  if (zone !== undefined && isAbove(zone, suffix)) names = await context.resolve(zone, 'NS');
  if (names?.outcome !== 'value') return { hosts: [], glue: [] };
  return { hosts: hostsIn(names.records).slice(0, PARENT_SERVERS_MAX), glue: glueIn(names) };
}

async function delegationByResolver(context: CheckContext, registrable: string): Promise<Delegation> {
  const { view } = context;
  const lookup = await (view === undefined
    ? context.resolve(registrable, 'NS')
    : context.queryReachable(view, registrable, 'NS'));
  if (!isKnown(lookup)) return { lookup, hosts: [], glue: [] };
  return delegationOf(lookup);
}

function delegationOf(lookup: Lookup): Delegation {
  return { lookup, hosts: hostsIn(lookup.records), glue: glueIn(lookup) };
}

/** Turns a referral for the queried name itself into a lookup with its NS records. */
function withReferralRecords(lookup: Lookup | undefined): Lookup | undefined {
  if (lookup === undefined || isKnown(lookup)) return lookup;
  const referral = referralIn(lookup.exchange);
  if (referral?.zone !== lookup.question.name) return lookup;
  const { question, server, exchange } = lookup;
  return { question, server, exchange, outcome: 'value', records: referral.records, chain: [] };
}

/** The additional section of a response, which has addresses of name servers. */
export function glueIn(lookup: Lookup): readonly DnsRecord[] {
  return lookup.exchange.kind === 'response' ? lookup.exchange.response.additional : [];
}

/** Whether the zone is above the name, and is not the root. */
function isAbove(zone: string, name: string): boolean {
  return zone !== '.' && zone !== name && isWithin(name, zone);
}

/** Hosts within the zone whose addresses at the parent are not those that the zone's own response has. */
export function glueDifferences(
  { name, parentHosts, parentGlue = [] }: Pick<ZoneView, 'name' | 'parentHosts' | 'parentGlue'>,
  ownGlue: readonly DnsRecord[],
): GlueDifference[] {
  const within = parentHosts.filter((host) => isWithin(host, name));
  return within.flatMap((host) =>
    (['A', 'AAAA'] as const).flatMap((type) => {
      const [atParent = [], inZone = []] = [parentGlue, ownGlue].map((glue) =>
        addressesIn(glue.filter((record) => record.data.type === type && record.name.toLowerCase() === host)),
      );
      const isOutdated = inZone.length > 0 && atParent.some((address) => !inZone.includes(address));
      return isOutdated ? [{ host, atParent, inZone }] : [];
    }),
  );
}

/** Real zones have at most 13 hosts, each with an IPv4 and an IPv6 address. A hostile zone may list hundreds. */
const SERVERS_MAX = 32;

type AddressType = 'A' | 'AAAA';

/** Finds the addresses of name server hosts: from the glue records, otherwise by a resolver. */
export async function resolveNameServers(
  context: CheckContext,
  hosts: readonly string[],
  glue: readonly DnsRecord[],
  families: readonly AddressType[] = ['A', 'AAAA'],
): Promise<NameServers> {
  if (context.view !== undefined)
    return { servers: [context.view.server], unresolvedHosts: [], failedHosts: [], aliasHosts: [] };
  const found = await Promise.all(
    hosts.slice(0, SERVERS_MAX).map(async (host) => ({
      host,
      ...(await addressesOf(context, host, glue, families)),
    })),
  );
  const servers = found.flatMap(({ host, addresses }) =>
    addresses.map((address): DnsServer => ({
      address,
      port: context.authoritativePort,
      transport: 'dns',
      host,
    })),
  );
  const addressless = found.filter(({ addresses }) => addresses.length === 0);
  return {
    servers: servers.slice(0, SERVERS_MAX),
    unresolvedHosts: addressless.filter(({ isComplete }) => isComplete).map(({ host }) => host),
    failedHosts: addressless.filter(({ isComplete }) => !isComplete).map(({ host }) => host),
    aliasHosts: found.flatMap(({ host, alias }) => (alias === undefined ? [] : [{ host, target: alias }])),
  };
}

function addressesOf(
  context: CheckContext,
  host: string,
  glue: readonly DnsRecord[],
  families: readonly AddressType[],
): Promise<HostAddresses> {
  const isWanted = ({ name, data }: DnsRecord): boolean =>
    name.toLowerCase() === host && families.some((family) => family === data.type);
  const known = addressesIn(glue.filter(isWanted));
  if (known.length > 0) return Promise.resolve({ addresses: distinct(known), isComplete: true });
  return context.zoneCache.get('host', `${families.join()} ${host}`, async () => {
    const first = await Promise.all(families.map((family) => context.resolve(host, family)));
    const lookups = [...first, ...(await confirmAbsence(context, host, families, first))];
    return {
      addresses: distinct(lookups.flatMap((lookup) => addressesIn(lookup?.records ?? []))),
      isComplete: first.every(isKnown),
      alias: lookups.map((lookup) => targetOf(lookup?.chain[0])).find((target) => target !== undefined),
    };
  });
}

/** Queries the other resolvers for a host that one denies: it may have cached that, or filter. */
async function confirmAbsence(
  context: CheckContext,
  host: string,
  families: readonly AddressType[],
  first: readonly (Lookup | undefined)[],
): Promise<Lookup[]> {
  const isDenied = families.length > 1 && first.every((one) => isKnown(one) && one.outcome !== 'value');
  if (!isDenied) return [];
  const others = context.resolvers.filter(({ server }) => first.every((one) => one?.server !== server));
  return Promise.all(
    others.flatMap((resolver) => families.map((family) => context.queryReachable(resolver, host, family))),
  );
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)];
}
