import type { Facts } from '../facts/facts.js';
import { isWithin } from '../facts/classify.js';
import type { Lookup } from '../facts/lookup.js';
import { lookupsOf, sharedLookups, showsRecord } from './own-records.js';

/** Whether a response says that the queried name does not exist, and not the target of its alias. */
export function isDenial({ outcome, chain }: Lookup): boolean {
  return outcome === 'nxdomain' && chain.length === 0;
}

/**
 * The NXDOMAIN responses of servers that have records for the domain: resolvers may then forget the whole name (RFC 8020,
 * section 2). An old copy of the zone, at a server without any record, is not wrong.
 */
export function wrongDenials(facts: Facts): readonly Lookup[] {
  const lookups = new Set([...facts.servers.flatMap(lookupsOf), ...sharedLookups(facts)]);
  return [...lookups].filter((lookup) => isDenial(lookup) && recordAt([...lookups], lookup) !== undefined);
}

/** The same for the names between domain and zone: they exist too, as they have a name below. */
export function wrongDenialsAbove(facts: Facts): readonly Lookup[] {
  const { caa, domain, servers, zone } = facts;
  const own = servers.flatMap(lookupsOf);
  return caa.steps.flatMap(({ name, lookup }) =>
    name !== domain.ascii &&
    name !== zone.name &&
    isWithin(name, zone.name) &&
    isDenial(lookup) &&
    recordAt(own, lookup) !== undefined
      ? [lookup]
      : [],
  );
}

/** A response with a record, of the same server as another one. */
export function recordAt(lookups: readonly Lookup[], { server }: Lookup): Lookup | undefined {
  return lookups.find((lookup) => lookup.server.address === server.address && showsRecord(lookup));
}
