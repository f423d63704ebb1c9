import { hostsIn, isWithin, type Referral, referralIn, soaIn } from './facts/classify.js';
import type { Cut, ZoneView } from './facts/facts.js';
import { isKnown, type Lookup } from './facts/lookup.js';
import type { CheckContext } from './check-context.js';
import { firstUsable } from '../dns/concurrency/first-usable.js';

/** Finds the zone of a name, as one server of a zone reports it. `undefined` if all servers of the zone failed. */
export async function findCut(
  context: CheckContext,
  zone: ZoneView,
  name: string,
  isAnyServerEnough = false,
): Promise<Cut | undefined> {
  if (name === zone.name) return zone.servers.length === 0 ? undefined : cutWithoutReferral(zone.name);
  if (zone.isSilent) return undefined;
  const referralOf = (lookup: Lookup | undefined): Referral | undefined => {
    const referral = lookup && referralIn(lookup.exchange);
    return referral && isBelow(referral.zone, zone.name) && isWithin(name, referral.zone)
      ? referral
      : undefined;
  };
  // Every name needs its addresses, and a referral, an alias or the SOA record of an absence shows the zone too.
  const lookup = await firstUsable(
    context.respondingFirst(zone.servers),
    async (server, onSlow) => {
      const queried = await context.queryServer(server, name, 'A', { dnssec: true, onSlow });
      if (referralOf(queried) === undefined) context.spareLookups.keep(queried);
      return queried;
    },
    (queried) => isKnown(queried) || referralOf(queried) !== undefined,
  );
  if (lookup === undefined) return undefined;
  const referral = referralOf(lookup);
  if (referral !== undefined) {
    return { zone: referral.zone, hosts: hostsIn(referral.records), glue: referral.glue, referral: lookup };
  }
  if (!isKnown(lookup)) return undefined;
  // An SOA record behind an alias belongs to another zone.
  if (lookup.chain.length > 0) return findZoneOfAlias(context, zone, name);
  if (isAnyServerEnough && lookup.outcome === 'value') return cutWithoutReferral(zone.name);
  const owner = await ownerOf(context, lookup);
  return owner !== undefined && isWithin(name, owner) && isBelow(owner, zone.name)
    ? cutWithoutReferral(owner)
    : cutWithoutReferral(zone.name);
}

/** The zone that has the looked up name. A response with addresses does not show it. */
async function ownerOf(
  context: CheckContext,
  { server, question, outcome, exchange }: Lookup,
): Promise<string | undefined> {
  if (outcome !== 'value') return soaIn(exchange)?.name.toLowerCase();
  const soa = await context.queryServer(server, question.name, 'SOA');
  return isKnown(soa) && soa.chain.length === 0 ? soaIn(soa.exchange)?.name.toLowerCase() : undefined;
}

/** Finds the zone of an alias: that of the name above, because an alias is not a zone itself. */
async function findZoneOfAlias(
  context: CheckContext,
  zone: ZoneView,
  name: string,
): Promise<Cut | undefined> {
  const above = parentOf(name);
  if (above === zone.name) return cutWithoutReferral(zone.name);
  return context.zoneCache.get('cut', `${zone.name} ${above}`, () => findCut(context, zone, above));
}

function cutWithoutReferral(zone: string): Cut {
  return { zone, hosts: [], glue: [] };
}

export function isBelow(name: string, zone: string): boolean {
  return name !== zone && isWithin(name, zone);
}

/** The name without its first label. */
export function parentOf(name: string): string {
  const dot = name.indexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1);
}
