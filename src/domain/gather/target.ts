import { walkAliases } from './aliases.js';
import { addressesIn } from '../facts/classify.js';
import type { DnssecFacts, ServerRecords, TargetFacts } from '../facts/facts.js';
import type { CheckContext } from './check-context.js';
import type { Lookup } from '../facts/lookup.js';
import { querySignatures } from './zone-records.js';
import { resolveTarget } from './resolvers.js';
import { findZoneOfTarget } from './zone.js';
import { reservedRange } from '../name/ip-address.js';

/** Finds the IPv4 addresses of the target, once for all domains that share it. */
export function findTarget(context: CheckContext, target: string): Promise<TargetFacts> {
  return context.run.get('target', target, async () =>
    targetFacts(await walkAliases(context, target, 'A'), undefined),
  );
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
export async function queryTargetAgain(
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
