import { hostsIn, soaIn } from './facts/classify.js';
import { accessProblem } from './access.js';
import {
  ACCESS_LIMIT_MS,
  findDelegation,
  glueDifferences,
  glueIn,
  resolveNameServers,
} from './delegation.js';
import { queryDs } from './zone-records.js';
import type { Cut, ZoneFacts, ZoneView } from './facts/facts.js';
import type { CheckContext, DelegatedZone } from './check-context.js';
import type { Lookup } from './facts/lookup.js';
import { registrableOf } from '../names/name.js';
import type { DnsServer } from '../dns/dns.js';
import { findCut, isBelow, parentOf } from './zone-cut.js';

/** Zone cuts followed down from the registrable domain. Real names have one or two. */
const CUTS_MAX = 8;

/** The zone of a name. */
export interface FoundZone {
  zone: ZoneView;
  /** Whether a server confirmed it. Otherwise it comes from the public suffix list. */
  isConfirmed: boolean;
  /** A referral for the name itself to the target. The zone is then the one above. */
  typedNs?: Lookup;
}

/**
 * Finds the zone of a name without querying any resolver for the name. The public suffix list gives the registrable
 * domain. Its servers report the zone cuts below.
 */
export async function findZone(context: CheckContext, name: string, target?: string): Promise<FoundZone> {
  const registrable = registrableOf(name);
  return findZoneBelow(
    context,
    await context.zoneCache.get('zone', registrable, () => topZone(context, registrable)),
    name,
    { target },
  );
}

/**
 * Finds the zone of a name that exists already, at the servers that the parent lists. Does not query which servers the
 * zone itself lists: any of them responds.
 */
export async function findZoneOfTarget(context: CheckContext, name: string): Promise<FoundZone> {
  const { zone } = await delegatedZone(context, registrableOf(name));
  // Only a signed zone may have a signed zone below, whose exact name matters.
  return findZoneBelow(context, zone, name, { isAnyServerEnough: zone.ds?.outcome !== 'value' });
}

async function findZoneBelow(
  context: CheckContext,
  top: ZoneView,
  name: string,
  search: CutSearch,
): Promise<FoundZone> {
  const { registrable } = top;
  const below = name === registrable ? undefined : await findBelowUndelegated(context, top, name);
  return below ?? followCuts(context, top, name, search);
}

/** How to follow zone cuts. */
interface CutSearch {
  /** Whether any server that knows the name is enough, also one with another zone. */
  isAnyServerEnough?: boolean;
  /** The target of the domain, which is no name server. */
  target?: string | undefined;
}

async function followCuts(
  context: CheckContext,
  top: ZoneView,
  name: string,
  { isAnyServerEnough = false, target }: CutSearch = {},
): Promise<FoundZone> {
  let zone = top;
  for (let cuts = 0; cuts < CUTS_MAX; cuts += 1) {
    const key = `${isAnyServerEnough ? 'any ' : ''}${zone.name} ${name}`;
    const step = await context.zoneCache.get('cut', key, () =>
      findCut(context, zone, name, isAnyServerEnough),
    );
    if (step === undefined) return { zone, isConfirmed: false };
    if (step.zone === zone.name) return { zone, isConfirmed: true };
    if (step.referral !== undefined && step.zone === name && step.hosts.some((host) => host === target))
      return { zone, isConfirmed: true, typedNs: step.referral };
    const above = zone;
    zone = await context.zoneCache.get('zone', step.zone, () => childZone(context, above, step));
  }
  return { zone, isConfirmed: false };
}

/** The facts of the zone for the report. */
export function zoneFacts(
  { zone, isConfirmed, typedNs }: FoundZone,
  name: string,
  override: ZoneFacts['kind'] | undefined,
): ZoneFacts {
  const kind = override ?? (zone.name === name ? 'apex' : 'subdomain');
  return {
    ...zone,
    name: kind === 'apex' ? name : zone.name === name ? parentOf(name) : zone.name,
    kind,
    decidedBy: override !== undefined ? 'override' : isConfirmed ? 'zone-cut' : 'public-suffix',
    ...(typedNs !== undefined && { typedNs }),
  };
}

async function topZone(context: CheckContext, registrable: string): Promise<ZoneView> {
  const { zone: delegated, failedParent } = await delegatedZone(context, registrable);
  const zone = await completeZone(context, delegated, failedParent !== undefined);
  const access = failedParent && accessProblem(failedParent, zone);
  return access === undefined ? zone : { ...zone, access };
}

/** The zone as its parent describes it. */
export function delegatedZone(context: CheckContext, registrable: string): Promise<DelegatedZone> {
  return context.zoneCache.get('delegated', registrable, async () => {
    const { lookup: delegation, hosts, glue, failedParent } = await findDelegation(context, registrable);
    const zone: ZoneView = {
      ...EMPTY_ZONE,
      ...(await resolveNameServers(context, hosts, glue)),
      name: registrable,
      registrable,
      delegation,
      parentHosts: hosts,
      parentGlue: glue,
    };
    return { zone: await withDs(context, delegation, zone), failedParent };
  });
}

/** The parts of a zone that nothing is known about. */
export const EMPTY_ZONE = {
  delegation: undefined,
  parentHosts: [],
  ownHosts: [],
  unresolvedHosts: [],
  failedHosts: [],
  aliasHosts: [],
  glueDifferences: [],
  isSilent: false,
} as const;

/** Adds the DS records that the parent's server has for a delegated zone. */
async function withDs(context: CheckContext, parent: Lookup | undefined, zone: ZoneView): Promise<ZoneView> {
  if (zone.servers.length === 0) return zone;
  return { ...zone, ds: await queryDs(context, parent, zone.name) };
}

/**
 * Finds the zone of a name below an undelegated registrable domain. Some registries register longer names, such as
 * those below `smith.name`. Each of these is delegated by itself, or is a record in the parent's own zone.
 */
async function findBelowUndelegated(
  context: CheckContext,
  top: ZoneView,
  name: string,
): Promise<FoundZone | undefined> {
  const { registrable, delegation } = top;
  if (delegation?.outcome !== 'nodata' || delegation.exchange.kind !== 'response') return undefined;
  const owner = soaIn(delegation.exchange)?.name.toLowerCase() ?? '';
  if (!delegation.exchange.response.authoritative || owner === '' || !isBelow(registrable, owner))
    return undefined;
  const above = await context.zoneCache.get('zone', `${owner} above ${registrable}`, () => {
    return completeZone(context, { ...EMPTY_ZONE, name: owner, registrable, servers: [delegation.server] });
  });
  const found = await followCuts(context, above, name);
  if (found.zone.name !== owner) return found;
  // If the parent has records for the registrable domain, those for the name may come from a wildcard.
  const isInParentZone =
    (await hasAddressOrAlias(context, above, name)) &&
    !(await hasAddressOrAlias(context, above, registrable));
  return isInParentZone ? found : undefined;
}

async function hasAddressOrAlias(
  context: CheckContext,
  { servers }: ZoneView,
  name: string,
): Promise<boolean> {
  for (const type of ['A', 'AAAA'] as const) {
    const lookup = await context.queryAny(servers, name, type);
    if (lookup?.outcome === 'value' || (lookup?.chain.length ?? 0) > 0) return true;
  }
  return false;
}

async function childZone(context: CheckContext, above: ZoneView, cut: Cut): Promise<ZoneView> {
  const { referral, hosts, glue } = cut;
  const zone = await completeZone(context, {
    ...EMPTY_ZONE,
    ...(hosts.length === 0 ? { servers: above.servers } : await resolveNameServers(context, hosts, glue)),
    name: cut.zone,
    registrable: isBelow(above.registrable, above.name) ? cut.zone : above.registrable,
    delegation: above.delegation,
    parentHosts: hosts,
    parentGlue: glue,
    ...(referral !== undefined && { cut: { parentZone: above.name, referral } }),
  });
  return hosts.length === 0 ? zone : withDs(context, referral, zone);
}

/** Adds the zone's own NS records, and the servers that only the zone itself lists, to those that the parent lists. */
async function completeZone(
  context: CheckContext,
  base: ZoneView,
  isAccessUnclear = false,
): Promise<ZoneView> {
  const limits = isAccessUnclear ? { limitMs: ACCESS_LIMIT_MS } : {};
  const names = await context.queryAny(base.servers, base.name, 'NS', limits);
  const ownHosts = names?.outcome === 'value' ? hostsIn(names.records) : [];
  const listed = base.parentHosts.length === 0 ? [] : base.servers;
  const further = ownHosts.filter((host) => !base.parentHosts.includes(host));
  const own = await resolveNameServers(context, further, names === undefined ? [] : glueIn(names));
  const servers = [...listed, ...own.servers];
  return {
    ...base,
    ownHosts,
    unresolvedHosts: [...base.unresolvedHosts, ...own.unresolvedHosts].sort(),
    failedHosts: [...base.failedHosts, ...own.failedHosts].sort(),
    aliasHosts: [...base.aliasHosts, ...own.aliasHosts],
    glueDifferences: names?.outcome === 'value' ? glueDifferences(base, glueIn(names)) : [],
    servers:
      context.view === undefined
        ? distinctServers(servers.length === 0 ? base.servers : servers)
        : [context.view.server],
    isSilent: names?.exchange.kind === 'failure' && own.servers.length === 0,
  };
}

function distinctServers(servers: readonly DnsServer[]): DnsServer[] {
  return [...new Map([...servers].reverse().map((server) => [server.address, server])).values()].reverse();
}
