import { ABSENCE_MAX, hostsIn, isWithin, soaIn } from '../facts/classify.js';
import { failureText } from './evidence.js';
import type { Facts, ResolverFacts, ZoneFacts } from '../facts/facts.js';
import { isKnown, type Lookup } from '../facts/lookup.js';
import { memoizeEach } from './memoize.js';
import { addressOf, isTargetAddress } from './own-records.js';
import { isDenial } from './denials.js';
import { embeddedIpv4, isIpv6, reservedRange } from '../../names/ip-address.js';
import type { DnsRecord } from '../../dns/dns.js';
import { aliasTarget } from './server-view.js';

/** The state of the domain for the users of one resolver. */
export type ResolverView =
  | { kind: 'right' }
  /** The resolver may cache an old record, or its absence, for `remaining` more seconds. */
  | {
      kind: 'stale-positive' | 'stale-negative';
      remaining: number;
      /**
       * Why `remaining` may be too short: the resolver shows its lowest TTL for all records, another cache is behind it, or it
       * shows a TTL that does not count down, or showed a shorter time in an earlier check.
       */
      mayBeLonger?: 'equal-ttls' | 'second-cache' | 'fixed-ttl' | 'late';
      /** The name servers before a change, if the resolver still queries them. Until then, it gets old records again. */
      formerHosts?: readonly string[];
    }
  /** The resolver serves an expired record, for as long as its operator allows (RFC 8767). */
  | { kind: 'expired'; code: number }
  /** The resolver returns a reserved address: it filters, or is in a private network. */
  | { kind: 'filtered'; address: string }
  | { kind: 'error'; failure: string }
  /** The check ended before the resolver responded. */
  | { kind: 'aborted' };

/**
 * Returns the state of the domain at one resolver. Compares addresses, because users get those: a resolver may return a
 * cached A next to a new CNAME.
 */
export const resolverView = memoizeEach(({ resolvers }) => resolvers, viewOf);

function viewOf(facts: Facts, resolver: ResolverFacts): ResolverView {
  const view = viewWithCacheTimes(facts, resolver);
  return 'remaining' in view && resolver.isLate === true ? { mayBeLonger: 'late', ...view } : view;
}

function viewWithCacheTimes(facts: Facts, resolver: ResolverFacts): ResolverView {
  const view = viewOfCache(facts, resolver);
  if (!('remaining' in view) || resolver.behind === undefined) return view;
  const behind = viewOfCache(facts, { ...resolver, ...resolver.behind });
  const later = viewOfCache(facts, { ...resolver, ...resolver.later });
  if (behind.kind === 'expired') return behind;
  const longest = Math.max(...[behind, later].map((other) => ('remaining' in other ? other.remaining : 0)));
  // Within a second, both caches show the same time.
  if (longest > view.remaining + 1) return { ...view, remaining: longest, mayBeLonger: 'second-cache' };
  return hasFixedTtl(resolver, view.remaining) ? { ...view, mayBeLonger: 'fixed-ttl' } : view;
}

/** Whether the TTL is the same more than a second later: dnsmasq's max-ttl hides how long it keeps a record. */
function hasFixedTtl({ a, aaaa, later }: ResolverFacts, remaining: number): boolean {
  return (
    later !== undefined &&
    [[a, later.a] as const, [aaaa, later.aaaa] as const].some(
      ([first, again]) =>
        first.outcome === again.outcome && shownTtl(first) === remaining && shownTtl(again) === remaining,
    )
  );
}

/** The time that a response shows. `undefined` for an absence without one, and for one that is only known to be long. */
function shownTtl(lookup: Lookup): number | undefined {
  const isAbsence = lookup.chain.length === 0 && lookup.records.length === 0;
  if (!isAbsence) return staleTtl(lookup);
  return lookup.negativeTtl === ABSENCE_MAX ? undefined : lookup.negativeTtl;
}

function viewOfCache(facts: Facts, resolver: ResolverFacts): ResolverView {
  const a = familyView(facts, resolver.a, isWanted(facts, 'a'));
  const isFilteredAaaa = a?.kind === 'right' && isFilteredAbsence(facts, resolver.aaaa);
  const views = [a, isFilteredAaaa ? undefined : familyView(facts, resolver.aaaa, isWanted(facts, 'aaaa'))];
  const filtered = views.find((view) => view?.kind === 'filtered');
  if (filtered !== undefined) return filtered;
  const expired = views.find((view) => view?.kind === 'expired');
  if (expired !== undefined) return expired;
  const stale = views.flatMap((view) =>
    view?.kind === 'stale-positive' || view?.kind === 'stale-negative' ? [view] : [],
  );
  if (stale.length > 0)
    return withDelegation(facts, resolver, {
      ...stale.reduce((worst, view) => (view.remaining > worst.remaining ? view : worst)),
      ...(stale.find(({ mayBeLonger }) => mayBeLonger) && { mayBeLonger: 'equal-ttls' }),
    });
  const unknown =
    views.find((view) => view?.kind === 'aborted') ?? views.find((view) => view?.kind === 'error');
  if (unknown !== undefined) return unknown;
  if (views.some((view) => view?.kind === 'right')) return { kind: 'right' };
  return withDelegation(facts, resolver, withoutAddresses(resolver));
}

/**
 * Extends the time of a stale record by that of the former name servers: until its last second, the resolver may get their
 * record again.
 */
function withDelegation(facts: Facts, resolver: ResolverFacts, view: ResolverView): ResolverView {
  if (!('remaining' in view)) return view;
  const former = formerServers(facts.zone, resolver.ns);
  if (former.length === 0) return view;
  const kept = (resolver.former ?? []).map((lookup) => {
    const seen = familyView(facts, lookup, isWanted(facts, lookup.question.type === 'A' ? 'a' : 'aaaa'));
    return seen !== undefined && 'remaining' in seen ? seen.remaining : 0;
  });
  const remaining = Math.max(view.remaining, ...former.map(({ ttl }) => ttl + Math.max(0, ...kept)));
  return { ...view, remaining, formerHosts: hostsIn(former) };
}

/** The NS records of a resolver that are neither in the parent zone nor in the zone itself. */
export function formerServers(
  { parentHosts, ownHosts }: ZoneFacts,
  ns: Lookup | undefined,
): readonly DnsRecord[] {
  if (ns?.outcome !== 'value' || parentHosts.length === 0) return [];
  const current = new Set([...parentHosts, ...ownHosts].map((host) => host.toLowerCase()));
  return ns.records.filter(({ data }) => data.type === 'NS' && !current.has(data.target.toLowerCase()));
}

/**
 * Whether users should get an address of this family: with an alias, if the target has one; otherwise, if the zone's
 * own servers have one. An apex need not have every family of its target.
 */
function isWanted({ servers, platform }: Facts, family: 'a' | 'aaaa'): boolean {
  const hasAlias = servers.some(({ cname }) => cname.outcome === 'value');
  return hasAlias
    ? platform[family]?.outcome === 'value'
    : servers.some((server) => server[family].outcome === 'value');
}

/** The view for one address family, A or AAAA. `undefined` if it has no address and needs none. */
function familyView(facts: Facts, lookup: Lookup, wanted: boolean): ResolverView | undefined {
  if (lookup.outcome === 'aborted') return { kind: 'aborted' };
  if (!isKnown(lookup)) return { kind: 'error', failure: failureText(lookup) };
  const own = (lookup.nextToAlias ?? []).filter(
    (record) => addressOf(record) !== '' && !isTargetAddress(facts, addressOf(record)),
  );
  // Clients use an address of the queried name, whatever alias is next to it.
  if (own.length > 0) {
    const remaining = Math.max(...own.map(({ ttl }) => ttl));
    return explainedView(lookup) ?? { kind: 'stale-positive', remaining };
  }
  const throughTarget = lookup.chain.some((record) => aliasTarget(record) === facts.target);
  if (lookup.outcome === 'value') {
    const others = lookup.records.filter(
      (record) =>
        !isTargetAddress(facts, addressOf(record)) &&
        !isSynthesised(facts, addressOf(record)) &&
        !mayBeAliased(facts, record),
    );
    if (others.length === 0) return { kind: 'right' };
    const reserved = others.map(addressOf).find((address) => isFiltered(facts, address));
    if (reserved !== undefined) return { kind: 'filtered', address: reserved };
    if (throughTarget) return { kind: 'right' };
    return explainedView(lookup) ?? stalePositive(lookup);
  }
  // The domain exists, whatever families it has.
  if (throughTarget || (!wanted && !isDenial(lookup))) return undefined;
  const explained = explainedView(lookup);
  if (explained !== undefined) return explained;
  if (lookup.chain.length > 0) return stalePositive(lookup);
  if (hasForeignSoa(facts, lookup)) return { kind: 'error', failure: FOREIGN };
  return lookup.negativeTtl === undefined
    ? { kind: 'error', failure: isDenial(lookup) ? DENIED : EMPTY }
    : { kind: 'stale-negative', remaining: lookup.negativeTtl };
}

/** The view of a response whose extended error says that its TTL does not end it. */
function explainedView(lookup: Lookup): ResolverView | undefined {
  const filtered = extendedErrorIn(lookup, FILTERED);
  if (filtered !== undefined) return { kind: 'error', failure: `filtered (EDE ${filtered})` };
  const code = extendedErrorIn(lookup, EXPIRED);
  return code === undefined ? undefined : { kind: 'expired', code };
}

/** Filters respond like this, for as long as they block the domain. So do some caches, whose time is not known then. */
const DENIED = 'NXDOMAIN without an SOA record, as for a blocked domain';
const EMPTY = 'no record and no SOA record, as for a blocked domain';

/** The same with an SOA record that the filter makes up. */
const FOREIGN = 'no record, with the SOA record of another zone, as for a blocked domain';

/** Extended errors of expired records (RFC 8914, sections 4.4 and 4.20). */
const EXPIRED: ReadonlySet<number> = new Set([3, 19]);
/** Extended errors of blocked, censored and filtered names (RFC 8914, sections 4.16 to 4.18). */
const FILTERED: ReadonlySet<number> = new Set([15, 16, 17]);

function extendedErrorIn({ exchange }: Lookup, codes: ReadonlySet<number>): number | undefined {
  const errors = exchange.kind === 'response' ? exchange.response.extendedErrors : [];
  return errors.find(({ code }) => codes.has(code))?.code;
}

/**
 * Whether a resolver removed IPv6 addresses: its response has neither records nor the SOA record of an absence in the
 * zone.
 */
function isFilteredAbsence(facts: Facts, lookup: Lookup): boolean {
  const { outcome, chain, negativeTtl } = lookup;
  if (outcome !== 'nodata' || chain.length > 0) return false;
  return (
    negativeTtl === undefined ||
    hasForeignSoa(facts, lookup) ||
    extendedErrorIn(lookup, FILTERED) !== undefined
  );
}

/** Whether the SOA record of an absence is not that of the zone or of a zone above. Filters make up such records. */
function hasForeignSoa({ zone }: Facts, { exchange, chain }: Lookup): boolean {
  const owner = soaIn(exchange)?.name;
  return chain.length === 0 && owner !== undefined && !isWithin(zone.name, owner);
}

/** Whether an IPv6 address embeds an IPv4 address of the target in its last 32 bits, as DNS64 does (RFC 6052). */
function isSynthesised({ platform }: Facts, address: string): boolean {
  if (!isIpv6(address)) return false;
  const embedded = embeddedIpv4(address);
  return platform.addresses.includes(embedded);
}

/**
 * Whether an unknown address may come from the ALIAS to a target whose addresses vary. An old record is mostly cached for
 * longer than the TTL of the zone's own servers.
 */
function mayBeAliased(facts: Facts, record: DnsRecord): boolean {
  const { platform, servers } = facts;
  const isVarying = platform.isVarying === true || platform.byCertificate !== undefined;
  if (!isVarying || isFiltered(facts, addressOf(record))) return false;
  const own = servers.flatMap(({ a, aaaa, aRepeated }) => [a, aaaa, ...(aRepeated ? [aRepeated] : [])]);
  const ttls = own.flatMap(({ chain, records }) => (chain.length === 0 ? records.map((one) => one.ttl) : []));
  return record.ttl <= Math.max(0, ...ttls, platform.ttl ?? 0);
}

/** Whether a reserved address is unexpected: a platform in a private network has such addresses itself. */
function isFiltered(facts: Facts, address: string): boolean {
  const isLocalPlatform = facts.platform.addresses.some((known) => reservedRange(known) !== undefined);
  return !isLocalPlatform && reservedRange(address) !== undefined;
}

/** systemd-resolved shows the lowest TTL for an alias and its addresses. Then the alias may be cached for longer. */
function stalePositive(lookup: Lookup): ResolverView {
  const ttls = [...lookup.chain, ...lookup.records].map(({ ttl }) => ttl);
  const areEqual = lookup.chain.length > 0 && ttls.length > 1 && new Set(ttls).size === 1;
  const view = { kind: 'stale-positive', remaining: staleTtl(lookup) } as const;
  return areEqual ? { ...view, mayBeLonger: 'equal-ttls' } : view;
}

/** The TTL of the record at the domain itself. Records at an alias's target may expire earlier, without effect. */
function staleTtl(lookup: Lookup): number {
  const own = lookup.chain.slice(0, 1).concat(lookup.chain.length === 0 ? lookup.records : []);
  return Math.max(0, ...own.map((record) => record.ttl));
}

function withoutAddresses({ a, aaaa }: ResolverFacts): ResolverView {
  if (a.chain.length > 0) return { kind: 'error', failure: 'the target has no address at this resolver' };
  const ttls = [a, aaaa].flatMap(({ negativeTtl }) => negativeTtl ?? []);
  return ttls.length > 0
    ? { kind: 'stale-negative', remaining: Math.max(...ttls) }
    : { kind: 'error', failure: EMPTY };
}
