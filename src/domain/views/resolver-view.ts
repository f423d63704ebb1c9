import { failureText } from './evidence.js';
import type { Facts, ResolverFacts } from '../facts/facts.js';
import { isKnown, type Lookup } from '../facts/lookup.js';
import { memoize } from './memoize.js';
import { addressOf, isTargetAddress } from './own-records.js';
import { reservedRange } from '../name/reserved-ranges.js';
import type { DnsRecord } from '../resolver/dns.js';
import { aliasTarget } from './server-view.js';

/** Seconds that the usual resolvers remember at most that there is no record (BIND: 3 h; others: 1 h). */
export const NEGATIVE_CACHE_MAX = 10_800;

/** What one resolver's users get. */
export type ResolverView =
  | { kind: 'right' }
  /** It remembers an old answer, or that there was none, for `remaining` seconds more. */
  | { kind: 'stale-positive' | 'stale-negative'; remaining: number }
  /** It answers with an address that can't be reached from outside: a filter, or another view of the network. */
  | { kind: 'filtered'; address: string }
  | { kind: 'error'; trouble: string }
  /** There was no time to ask it. */
  | { kind: 'aborted' };

/** Judges by addresses, for those are what users get: an old A is served beside a new CNAME until it expires. */
export function resolverView(facts: Facts, resolver: ResolverFacts): ResolverView {
  return viewsByResolver(facts).get(resolver) ?? judge(facts, resolver);
}

const viewsByResolver = memoize(
  (facts: Facts) => new Map(facts.resolvers.map((resolver) => [resolver, judge(facts, resolver)])),
);

function judge(facts: Facts, resolver: ResolverFacts): ResolverView {
  const views = [
    familyView(facts, resolver.a, isWanted(facts, 'a')),
    familyView(facts, resolver.aaaa, isWanted(facts, 'aaaa')),
  ];
  const filtered = views.find((view) => view?.kind === 'filtered');
  if (filtered !== undefined) return filtered;
  const stale = views.flatMap((view) =>
    view?.kind === 'stale-positive' || view?.kind === 'stale-negative' ? [view] : [],
  );
  if (stale.length > 0)
    return stale.reduce((worst, view) => (view.remaining > worst.remaining ? view : worst));
  const untold =
    views.find((view) => view?.kind === 'aborted') ?? views.find((view) => view?.kind === 'error');
  if (untold !== undefined) return untold;
  return views.some((view) => view?.kind === 'right') ? { kind: 'right' } : nothingAtAll(facts, resolver);
}

/**
 * Whether users are to get an address of this family: through an alias where the target has one, else where the zone's
 * own servers have one. An apex need not carry every family of its target.
 */
function isWanted({ servers, platform }: Facts, family: 'a' | 'aaaa'): boolean {
  const hasAlias = servers.some(({ cname }) => cname.outcome === 'value');
  return hasAlias
    ? platform[family]?.outcome === 'value'
    : servers.some((server) => server[family].outcome === 'value');
}

/** One family, A or AAAA; `undefined` where nothing is there and nothing is wanted. */
function familyView(facts: Facts, lookup: Lookup, wanted: boolean): ResolverView | undefined {
  if (lookup.outcome === 'aborted') return { kind: 'aborted' };
  if (!isKnown(lookup)) return { kind: 'error', trouble: failureText(lookup) };
  const throughTarget = lookup.chain.some((record) => aliasTarget(record) === facts.target);
  if (lookup.outcome === 'value') {
    const strangers = lookup.records.filter((record) => !isTargetAddress(facts, addressOf(record)));
    if (strangers.length === 0) return { kind: 'right' };
    const reserved = strangers.map(addressOf).find((address) => isOutOfPlace(facts, address));
    if (reserved !== undefined) return { kind: 'filtered', address: reserved };
    if (throughTarget) return { kind: 'right' };
    return { kind: 'stale-positive', remaining: staleTtl(lookup) };
  }
  if (throughTarget || !wanted) return undefined;
  if (lookup.chain.length > 0) return { kind: 'stale-positive', remaining: staleTtl(lookup) };
  return { kind: 'stale-negative', remaining: lookup.negativeTtl ?? negativeTtlAtMost(facts) };
}

/** A platform in a private network has such addresses itself. */
function isOutOfPlace(facts: Facts, address: string): boolean {
  const isLocalPlatform = facts.platform.addresses.some((known) => reservedRange(known) !== undefined);
  return !isLocalPlatform && reservedRange(address) !== undefined;
}

/** The record at the domain itself is what is old; what it leads to may expire earlier without doing any good. */
function staleTtl(lookup: Lookup): number {
  const own = lookup.chain.slice(0, 1).concat(lookup.chain.length === 0 ? lookup.records : []);
  return Math.max(0, ...own.map((record) => record.ttl));
}

function nothingAtAll(facts: Facts, resolver: ResolverFacts): ResolverView {
  if (resolver.a.chain.length > 0) return { kind: 'error', trouble: 'the target has no address there' };
  const told = resolver.a.negativeTtl ?? resolver.aaaa.negativeTtl;
  return { kind: 'stale-negative', remaining: told ?? negativeTtlAtMost(facts) };
}

/** How long a resolver can remember an absence that comes without its TTL: as long as the zone's servers let it. */
function negativeTtlAtMost({ servers }: Facts): number {
  const known = servers.flatMap(({ soa, zoneSoa }) =>
    zoneSoa === undefined
      ? []
      : [Math.min(zoneSoa.minimum, ...soa.records.filter(isStartOfAuthority).map(({ ttl }) => ttl))],
  );
  return known.length === 0 ? NEGATIVE_CACHE_MAX : Math.min(Math.max(...known), NEGATIVE_CACHE_MAX);
}

function isStartOfAuthority({ data }: DnsRecord): boolean {
  return data.type === 'SOA';
}
