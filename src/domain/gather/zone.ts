import { getDomain } from 'tldts';
import { isWithin, referralIn, soaIn } from '../facts/classify.js';
import { findDelegation, glueIn } from './delegation.js';
import type { ZoneFacts } from '../facts/facts.js';
import type { Inquiry } from './inquiry.js';
import { isTold, type Lookup } from '../facts/lookup.js';
import { hostsIn, locate } from './name-servers.js';
import type { DnsServer } from '../resolver/dns.js';
import type { Cut, ZoneView } from '../facts/zone-view.js';

/** Cuts that are followed from the registrable domain down. A name has at most 127 labels; real ones have one or two cuts. */
const CUTS_MAX = 8;

/** The zone that a name lies in. */
export interface Place {
  zone: ZoneView;
  /** Whether a server said so; else it is the registrable domain by the public suffix list. */
  isSure: boolean;
}

/**
 * The name below its public suffix, such as `example.co.uk` for `shop.example.co.uk`. Under a suffix that is not in the
 * list it is the name with two labels; for a public suffix it is the suffix itself.
 */
export function registrableOf(name: string): string {
  return getDomain(name) ?? name;
}

/**
 * Finds the zone that a name lies in, without asking any resolver for the name: from the public suffix list to the
 * registrable domain, to its servers, and down the cuts that these show.
 */
export async function findZone(inquiry: Inquiry, name: string): Promise<Place> {
  const registrable = registrableOf(name);
  const top = await inquiry.zones.get(registrable, () => topZone(inquiry, registrable));
  const beyond = name === registrable ? undefined : await findPastGap(inquiry, top, name);
  return beyond ?? followCuts(inquiry, top, name);
}

async function followCuts(inquiry: Inquiry, top: ZoneView, name: string): Promise<Place> {
  let zone = top;
  for (let cuts = 0; cuts < CUTS_MAX; cuts += 1) {
    const step = await inquiry.cuts.get(`${zone.name} ${name}`, () => lookForCut(inquiry, zone, name));
    if (step === undefined) return { zone, isSure: false };
    if (step.zone === zone.name) return { zone, isSure: true };
    const above = zone;
    zone = await inquiry.zones.get(step.zone, () => lowerZone(inquiry, above, step));
  }
  return { zone, isSure: false };
}

/** What the report says of the zone. */
export function zoneFacts(place: Place, name: string, override: ZoneFacts['kind'] | undefined): ZoneFacts {
  const { zone, isSure } = place;
  const { registrable, delegation, keptByParent, parentHosts, ownHosts, unresolvedHosts, untoldHosts } = zone;
  const kind = override ?? (zone.name === name ? 'apex' : 'subdomain');
  return {
    name: kind === 'apex' ? name : zone.name === name ? parentOf(name) : zone.name,
    kind,
    decidedBy: override !== undefined ? 'override' : isSure ? 'zone-cut' : 'public-suffix',
    registrable,
    delegation,
    ...(keptByParent.length === 0 ? {} : { keptByParent }),
    ...(zone.cut !== undefined && { cut: zone.cut }),
    parentHosts,
    ownHosts,
    unresolvedHosts,
    ...(untoldHosts.length === 0 ? {} : { untoldHosts }),
  };
}

async function topZone(inquiry: Inquiry, registrable: string): Promise<ZoneView> {
  const { lookup: delegation, hosts, glue } = await findDelegation(inquiry, registrable);
  const parentView = await locate(inquiry, hosts, glue);
  const keptByParent = await askForKept(inquiry, delegation);
  const base = { name: registrable, registrable, delegation, keptByParent, parentHosts: hosts };
  return completeZone(inquiry, base, parentView.servers, parentView);
}

/** Asks the parent itself, which alone can tell: a resolver would have to be asked for a domain that may be yet to come. */
async function askForKept(inquiry: Inquiry, delegation: Lookup | undefined): Promise<Lookup[]> {
  if (delegation?.outcome !== 'nodata' || delegation.exchange.kind !== 'reply') return [];
  if (!delegation.exchange.reply.authoritative) return [];
  const { server, question } = delegation;
  const types = ['A', 'AAAA', 'MX'] as const;
  const lookups = await Promise.all(types.map((type) => inquiry.ask(server, question.name, type)));
  return lookups.filter(({ outcome }) => outcome === 'value');
}

/**
 * Where the parent delegates nothing at the registrable domain, that may be no more than a part of longer names, such as
 * those that are registered below `smith.name`: each of them is delegated by itself, or a record of the parent's own zone.
 */
async function findPastGap(inquiry: Inquiry, top: ZoneView, name: string): Promise<Place | undefined> {
  const { registrable, delegation, keptByParent } = top;
  if (delegation?.outcome !== 'nodata' || delegation.exchange.kind !== 'reply') return undefined;
  const owner = soaIn(delegation.exchange)?.name.toLowerCase() ?? '';
  if (!delegation.exchange.reply.authoritative || owner === '' || !isBelow(registrable, owner))
    return undefined;
  const above = await inquiry.zones.get(`${owner} above ${registrable}`, () => {
    const base = { name: owner, registrable, delegation: undefined, keptByParent: [], parentHosts: [] };
    return completeZone(inquiry, base, [delegation.server]);
  });
  const place = await followCuts(inquiry, above, name);
  if (place.zone.name !== owner) return place;
  // A zone that answers for the registrable domain itself may do so for every name.
  const isHeld = keptByParent.length === 0 && (await leadsSomewhere(inquiry, above, name));
  return isHeld ? place : undefined;
}

async function leadsSomewhere(inquiry: Inquiry, { servers }: ZoneView, name: string): Promise<boolean> {
  for (const type of ['A', 'AAAA'] as const) {
    const lookup = await inquiry.askAny(servers, name, type);
    if (lookup?.outcome === 'value' || (lookup?.chain.length ?? 0) > 0) return true;
  }
  return false;
}

async function lowerZone(inquiry: Inquiry, above: ZoneView, cut: Cut): Promise<ZoneView> {
  const { delegation } = above;
  const registrable = isBelow(above.registrable, above.name) ? cut.zone : above.registrable;
  const found = { name: cut.zone, registrable, delegation, keptByParent: [], parentHosts: cut.hosts };
  const { referral } = cut;
  const base = referral === undefined ? found : { ...found, cut: { above: above.name, referral } };
  if (cut.hosts.length === 0) return completeZone(inquiry, base, above.servers);
  const parentView = await locate(inquiry, cut.hosts, cut.glue);
  return completeZone(inquiry, base, parentView.servers, parentView);
}

/** Adds what the zone says of its own servers: those that it lists beside its parent are asked as well. */
async function completeZone(
  inquiry: Inquiry,
  base: Omit<ZoneView, 'ownHosts' | 'unresolvedHosts' | 'untoldHosts' | 'servers' | 'isSilent'>,
  known: readonly DnsServer[],
  parentView: { unresolved: readonly string[]; untold: readonly string[] } = { unresolved: [], untold: [] },
): Promise<ZoneView> {
  const names = await inquiry.askAny(known, base.name, 'NS');
  const ownHosts = names?.outcome === 'value' ? hostsIn(names.records) : [];
  const listed = base.parentHosts.length === 0 ? [] : known;
  const further = ownHosts.filter((host) => !base.parentHosts.includes(host));
  const own = await locate(inquiry, further, names === undefined ? [] : glueIn(names));
  const servers = [...listed, ...own.servers];
  return {
    ...base,
    ownHosts,
    unresolvedHosts: [...parentView.unresolved, ...own.unresolved].sort(),
    untoldHosts: [...parentView.untold, ...own.untold].sort(),
    servers: distinctServers(servers.length === 0 ? known : servers),
    isSilent: names?.exchange.kind === 'silence' && own.servers.length === 0,
  };
}

/** @returns undefined where no server of the zone could be asked. */
async function lookForCut(inquiry: Inquiry, zone: ZoneView, name: string): Promise<Cut | undefined> {
  if (name === zone.name) return zone.servers.length === 0 ? undefined : here(zone.name);
  if (zone.isSilent) return undefined;
  for (const server of inquiry.inOrder(zone.servers)) {
    const lookup = await inquiry.ask(server, name, 'SOA');
    const referral = referralIn(lookup.exchange);
    if (referral !== undefined && isBelow(referral.zone, zone.name) && isWithin(name, referral.zone)) {
      return { zone: referral.zone, hosts: hostsIn(referral.records), glue: referral.glue, referral: lookup };
    }
    if (!isTold(lookup)) continue;
    // A start of authority that comes through an alias is somebody else's.
    if (lookup.chain.length > 0) return findZoneOfAlias(inquiry, zone, name);
    const owner = soaIn(lookup.exchange)?.name.toLowerCase();
    return owner !== undefined && isWithin(name, owner) && isBelow(owner, zone.name)
      ? here(owner)
      : here(zone.name);
  }
  return undefined;
}

/** An alias has nothing below it and is no zone itself, so that the zone is that of the name above. */
async function findZoneOfAlias(inquiry: Inquiry, zone: ZoneView, name: string): Promise<Cut | undefined> {
  const above = parentOf(name);
  if (above === zone.name) return here(zone.name);
  return inquiry.cuts.get(`${zone.name} ${above}`, () => lookForCut(inquiry, zone, above));
}

function here(zone: string): Cut {
  return { zone, hosts: [], glue: [] };
}

function isBelow(name: string, zone: string): boolean {
  return name !== zone && isWithin(name, zone);
}

/** The name without its first label. */
export function parentOf(name: string): string {
  const dot = name.indexOf('.');
  return dot === -1 ? '' : name.slice(dot + 1);
}

function distinctServers(servers: readonly DnsServer[]): DnsServer[] {
  return [...new Map([...servers].reverse().map((server) => [server.address, server])).values()].reverse();
}
