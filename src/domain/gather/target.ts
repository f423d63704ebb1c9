import { walkAliases } from './aliases.js';
import { addressesIn } from './facts/classify.js';
import type { DnssecFacts, ServerRecords, TargetFacts } from './facts/facts.js';
import type { CheckContext } from './check-context.js';
import type { Lookup } from './facts/lookup.js';
import type { RecordType } from '../dns/dns.js';
import { querySignatures } from './zone-records.js';
import { COUNT_DOWN_MS, resolveTarget } from './resolvers.js';
import { startQueryForTarget } from './early-queries.js';
import { findZoneOfTarget } from './zone.js';
import type { FindServingTarget } from '../request/subject.js';
import { reservedRange } from '../names/ip-address.js';

/**
 * Finds the IPv4 addresses of the target, once for all domains that share it.
 *
 * @param next The type that the check queries next, so that this query is sent at the same time.
 */
export function findTarget(context: CheckContext, target: string, next?: RecordType): Promise<TargetFacts> {
  return context.run.get('target', target, async () => {
    if (next !== undefined) void startQueryForTarget(context, target, next);
    return targetFacts(await walkAliases(context, target, 'A'), undefined);
  });
}

/** Adds the IPv6 addresses. After IPv4, so that the zones on the path are in the cache. */
export function addIpv6(context: CheckContext, target: string, { a }: TargetFacts): Promise<TargetFacts> {
  return context.run.get('target', `${target} AAAA`, async () =>
    targetFacts(a, await walkAliases(context, target, 'AAAA')),
  );
}

function targetFacts(a: Lookup | undefined, aaaa: Lookup | undefined): TargetFacts {
  const records = [...(a?.records ?? []), ...(aaaa?.records ?? [])];
  const ttls = records.map(({ ttl }) => ttl);
  return {
    a,
    aaaa,
    addresses: [...new Set(addressesIn(records))],
    ttl: ttls.length === 0 ? undefined : Math.min(...ttls),
  };
}

/** Queries the signatures of the target's zone, once for all domains that share the target. */
export function querySignaturesOfTarget(context: CheckContext, target: string): Promise<DnssecFacts[]> {
  return context.run.get('signatures', target, async () => {
    const { zone } = await findZoneOfTarget(context, target);
    return querySignatures(context, zone, { name: target, type: 'A', owner: 'target' });
  });
}

/**
 * Adds the target's addresses from every resolver and from a second query. A provider resolves an ALIAS from another
 * network and at another time. It gets other addresses if the target rotates them or serves them by region. Done once
 * for all apex domains that share the target, and only if the domain has addresses that the target has not.
 *
 * @param seen The domain at its servers or at resolvers.
 */
export async function addAlternativeAddresses(
  context: CheckContext,
  target: string,
  platform: TargetFacts,
  seen: readonly Pick<ServerRecords, 'a' | 'aaaa'>[],
): Promise<TargetFacts> {
  const { addresses } = platform;
  const own = seen.flatMap(({ a, aaaa }) => addressesIn([...a.records, ...aaaa.records]));
  if (addresses.length === 0 || own.every((address) => addresses.includes(address))) return platform;
  const known = await context.run.get('target', `${target} alternatives`, async () => {
    const [byResolvers, again] = await Promise.all([
      resolveTarget(context, target),
      queryTargetAgain(context, target, platform),
    ]);
    // A filtering resolver returns reserved addresses instead of the target's.
    const isLocal = platform.addresses.some((address) => reservedRange(address) !== undefined);
    const further = byResolvers.filter((address) => isLocal || reservedRange(address) === undefined);
    return withAddresses(again, further);
  });
  return withAddresses(platform, known.addresses);
}

/** Adds the addresses of another query for the target. */
async function queryTargetAgain(
  context: CheckContext,
  target: string,
  platform: TargetFacts,
): Promise<TargetFacts> {
  const [a, aaaa] = await Promise.all([
    walkAliases(context, target, 'A'),
    walkAliases(context, target, 'AAAA'),
  ]);
  return withAddresses(platform, addressesIn([...(a?.records ?? []), ...(aaaa?.records ?? [])]));
}

/** Adds addresses from another response. New ones show that the addresses vary. */
function withAddresses(platform: TargetFacts, found: readonly string[]): TargetFacts {
  const addresses = [...new Set([...platform.addresses, ...found])];
  return addresses.length === platform.addresses.length
    ? platform
    : { ...platform, addresses, isVarying: true };
}

/** What to compare with the records of the domain. */
export interface AliasTarget {
  /** Host name. */
  target: string;
  platform: TargetFacts;
  /** Absent if certificates are not checked. */
  findServingTarget?: FindServingTarget | undefined;
}

/** The records of the servers and the target, with the evidence for an ALIAS. */
export interface AliasFacts {
  servers: readonly ServerRecords[];
  platform: TargetFacts;
}

/**
 * Looks for evidence that the domain's addresses come from an ALIAS, which DNS does not show. Queries A again a second
 * later: a TTL that counted down proves an ALIAS. The target of a CDN returns other addresses in each response, so its
 * addresses are queried again too, and then compared by certificate.
 */
export async function gatherAliasEvidence(
  context: CheckContext,
  servers: readonly ServerRecords[],
  { target, platform, findServingTarget }: AliasTarget,
): Promise<AliasFacts> {
  const repeated = await repeatAddressQueries(context, servers, platform);
  if (foreignAddresses(servers, platform).length === 0) return { servers: repeated, platform };
  const again = await queryTargetAgain(context, target, platform);
  const foreign = foreignAddresses(servers, again);
  if (foreign.length === 0 || findServingTarget === undefined) return { servers: repeated, platform: again };
  const serving = await findServingTarget(foreign);
  if (serving.length === 0) return { servers: repeated, platform: again };
  const addresses = [...again.addresses, ...serving];
  return { servers: repeated, platform: { ...again, addresses, byCertificate: serving } };
}

async function repeatAddressQueries(
  context: CheckContext,
  servers: readonly ServerRecords[],
  platform: TargetFacts,
): Promise<readonly ServerRecords[]> {
  if (!servers.some((server) => mayCountDown(server, platform))) return servers;
  await context.pause(COUNT_DOWN_MS);
  return Promise.all(
    servers.map(async (facts) => {
      if (!mayCountDown(facts, platform)) return facts;
      const { name, type } = facts.a.question;
      return { ...facts, aRepeated: await context.queryServer(facts.server, name, type) };
    }),
  );
}

/**
 * Whether the addresses may be an ALIAS: those of the target, or others whose TTL is not above the target's. A provider
 * resolves an ALIAS, so its TTL starts with the target's.
 */
function mayCountDown({ a }: ServerRecords, platform: TargetFacts): boolean {
  const { addresses, ttl } = platform;
  if (a.chain.length > 0 || a.outcome !== 'value' || addresses.length === 0) return false;
  const isTargets = addressesIn(a.records).every((address) => addresses.includes(address));
  return isTargets || (ttl !== undefined && a.records.every((record) => record.ttl <= ttl));
}

/** Addresses of the domain that are not the target's. */
function foreignAddresses(servers: readonly ServerRecords[], { addresses }: TargetFacts): string[] {
  if (addresses.length === 0) return [];
  const own = servers.flatMap(({ a, aaaa }) =>
    [a, aaaa].flatMap(({ chain, records }) => (chain.length === 0 ? addressesIn(records) : [])),
  );
  return [...new Set(own)].filter((address) => !addresses.includes(address));
}
