import type { AccessFacts, Facts, ServerFacts, ZoneView } from './facts/facts.js';
import { isKnown, type Lookup } from './facts/lookup.js';
import type { CheckContext } from './check-context.js';
import { createMemo, createSpareLookups } from './memo.js';
import { firstUsable } from '../dns/concurrency/first-usable.js';
import { publicHttpsResolvers, type Resolver } from '../dns/public-resolvers.js';

/**
 * Returns how the network treats queries to name servers, after all servers of the parent zone failed. A registry's
 * server neither refuses its own zone nor offers recursion, so something else responded. If it and the zone's own
 * servers are silent, port 53 is blocked.
 */
export function accessProblem(failedParent: Lookup, zone: ZoneView): AccessFacts | undefined {
  if (failedParent.outcome === 'aborted') return undefined;
  if (failedParent.exchange.kind === 'failure') {
    const isSilent = failedParent.exchange.reason === 'timeout' && zone.isSilent;
    return isSilent ? { problem: 'blocked', lookup: failedParent } : undefined;
  }
  return isIntercepted(failedParent) ? { problem: 'intercepted', lookup: failedParent } : undefined;
}

/** Whether a resolver responded in place of every server of the zone: with recursion, without authority. */
export function accessProblemAt(servers: readonly ServerFacts[]): AccessFacts | undefined {
  const lookups = servers.flatMap(({ soa, cname }) => [soa, cname]).filter((lookup) => !isKnown(lookup));
  const [lookup] = lookups;
  const isEvery = servers.every(({ soa, cname }) => [soa, cname].some(offersRecursion));
  return lookup !== undefined && isEvery ? { problem: 'intercepted', lookup } : undefined;
}

function isIntercepted(lookup: Lookup): boolean {
  const { exchange } = lookup;
  return exchange.kind === 'response' && (exchange.response.rcode === 'REFUSED' || offersRecursion(lookup));
}

function offersRecursion({ exchange }: Lookup): boolean {
  if (exchange.kind !== 'response') return false;
  const { rcode, authoritative, recursionAvailable } = exchange.response;
  return recursionAvailable && !authoritative && (rcode === 'NOERROR' || rcode === 'NXDOMAIN');
}

/**
 * Chooses the resolver whose view replaces that of the name servers. One over HTTPS comes first: it is not intercepted,
 * and shares no cache with this network.
 */
export async function chooseView(
  context: CheckContext,
  { problem }: AccessFacts,
  { zone: { registrable } }: Facts,
): Promise<Resolver | undefined> {
  const isOverHttps = ({ server }: Resolver): boolean => server.transport === 'https';
  const named = context.resolvers.filter(({ isDefault }) => isDefault !== true);
  const plain = context.resolvers.filter((resolver) => !isOverHttps(resolver));
  const candidates = [
    ...context.resolvers.filter(isOverHttps),
    ...(named.length === 0 && context.resolvers.some(({ isPublic }) => isPublic)
      ? publicHttpsResolvers()
      : []),
    ...(problem === 'blocked' ? plain : []),
  ];
  const lookup = await firstUsable(
    candidates,
    (resolver, onSlow) =>
      context.queryReachable(resolver, registrable, 'NS', { onSlow, limitMs: VIEW_LIMIT_MS }),
    isKnown,
  );
  if (!isKnown(lookup)) return undefined;
  return candidates.find(
    ({ server, otherFamily }) => server === lookup.server || otherFamily === lookup.server,
  );
}

const VIEW_LIMIT_MS = 3_000;

/** A context that queries one resolver in place of every name server, with caches of its own. */
export function throughResolver(context: CheckContext, view: Resolver): CheckContext {
  const query: CheckContext['queryServer'] = (_server, name, type, flags) =>
    context.queryReachable(view, name, type, flags);
  return {
    ...context,
    zoneCache: createMemo(),
    run: createMemo(),
    spareLookups: createSpareLookups(),
    view,
    queryServer: query,
    // The resolver would cache an absence.
    startQuery: () => undefined,
    queryAny: (servers, name, type, flags) =>
      servers.length === 0 ? Promise.resolve(undefined) : query(view.server, name, type, flags),
    respondingFirst: (servers) => servers,
  };
}
