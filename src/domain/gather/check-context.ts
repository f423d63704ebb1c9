import { classify } from './facts/classify.js';
import { internalReason } from '../names/ip-address.js';
import { isRegistrySuffix } from '../names/name.js';
import { systemClock, type Clock } from '../../time/clock.js';
import { isKnown, type Lookup } from './facts/lookup.js';
import { firstUsable } from '../dns/concurrency/first-usable.js';
import {
  createMemo,
  createSpareLookups,
  createStartedQueries,
  type Memo,
  serverKey,
  type SpareLookups,
} from './memo.js';
import { publicHttpsResolvers, type Resolver } from '../dns/public-resolvers.js';
import type { CheckOptions } from '../request/options.js';
import type { DnsClient, DnsExchange, DnsServer, QueryOptions, RecordType } from '../dns/dns.js';
import type { Cut, DnssecFacts, TargetFacts, ZoneView } from './facts/facts.js';

/** Shared by the checks of one checker: queries and caches. Each zone is looked up once. */
export interface CheckContext {
  readonly clock: Clock;
  readonly random: () => number;
  /** Aborted by the caller or at the time limit. */
  readonly signal: AbortSignal | undefined;
  readonly authoritativePort: number;
  /** In the order to query them. */
  readonly resolvers: readonly Resolver[];
  /** The resolver that is queried in place of every name server, if the network blocks or intercepts DNS. */
  readonly view?: Resolver;
  /** Queries an authoritative server, without recursion. Fails for an internal address that the user did not permit. */
  queryServer(server: DnsServer, name: string, type: RecordType, flags?: QueryFlags): Promise<Lookup>;
  /**
   * Sends a query to an authoritative server before its result is needed. The next `queryServer` with the same arguments
   * returns that result.
   */
  startQuery(server: DnsServer, name: string, type: RecordType, flags?: QueryFlags): void;
  /**
   * The last query to a server that did not respond, or not for this type. `undefined` if the server responded, or was not
   * queried.
   */
  silenceOf(server: DnsServer, type?: RecordType): Lookup | undefined;
  /** Servers that did not respond, or not for this type, come last. */
  respondingFirst(servers: readonly DnsServer[], type?: RecordType): readonly DnsServer[];
  /**
   * Queries servers of one zone in turn, until one gives a usable response. Otherwise returns the last failure;
   * `undefined` without servers. Does not wait for a slow server before it queries the next one.
   */
  queryAny(
    servers: readonly DnsServer[],
    name: string,
    type: RecordType,
    flags?: QueryFlags,
  ): Promise<Lookup | undefined>;
  /** Queries one resolver, at its other address family if this machine lacks the first. */
  queryReachable(resolver: Resolver, name: string, type: RecordType, flags?: QueryFlags): Promise<Lookup>;
  /** Queries one resolver. */
  queryResolver(server: DnsServer, name: string, type: RecordType, flags?: QueryFlags): Promise<Lookup>;
  /**
   * Queries the resolvers in turn, until one gives a usable response. Only for names that exist already:
   * top-level domains, name server hosts, the target. Never for the checked domain: a resolver would cache its absence.
   */
  resolve(name: string, type: RecordType): Promise<Lookup | undefined>;
  /** Waits. Ends early when `signal` is aborted. */
  pause(delayMs: number): Promise<void>;
  readonly zoneCache: ZoneCache;
  /** Results that the domains of this run share. */
  readonly run: Memo<{
    /** SOA, NS and DNSKEY records of zones at their own servers, by type, server and zone. */
    atServer: Lookup;
    /** CAA records of names that many domains share. */
    caa: Lookup | undefined;
    /** Lookups of random names, which reveal a wildcard, by type and parent name. */
    wildcard: Lookup;
    target: TargetFacts;
    /** Signatures of the targets' zones. */
    signatures: DnssecFacts[];
    /** Contexts that query a resolver in place of the name servers, by its label. */
    view: CheckContext;
  }>;
  /** A query that found a zone, for one reuse as the query for the records. */
  readonly spareLookups: SpareLookups;
}

/** Flags of a query: CD and DO. */
export type QueryFlags = Pick<QueryOptions, 'checkingDisabled' | 'dnssec' | 'limitMs' | 'onSlow'>;

/** Cache of zones and their servers. */
export type ZoneCache = Memo<{
  zone: ZoneView;
  delegated: DelegatedZone;
  cut: Cut | undefined;
  host: HostAddresses;
  /** Responses of resolvers. */
  resolved: Lookup | undefined;
}>;

/** A zone as its parent describes it. */
export interface DelegatedZone {
  zone: ZoneView;
  /** The last lookup at the parent's servers, if all of them failed. */
  failedParent: Lookup | undefined;
}

/** The name servers of a zone: one for each address, and the hosts that have none. */
export type NameServers = Pick<ZoneView, 'servers' | 'unresolvedHosts' | 'failedHosts' | 'aliasHosts'>;

/** The addresses of a name server's host. */
export interface HostAddresses {
  addresses: readonly string[];
  /** False if a query failed, so that addresses may be missing. */
  isComplete: boolean;
  /** Where its CNAME points, if it has one. */
  alias?: string | undefined;
}

/** Input of a context, in addition to the options. */
export interface ContextParts extends Pick<CheckContext, 'resolvers' | 'signal' | 'pause'> {
  dns: DnsClient;
  /** Zones known from earlier checks. */
  zoneCache?: ZoneCache | undefined;
}

export function createCheckContext(parts: ContextParts, options: CheckOptions): CheckContext {
  const { dns, resolvers, signal, zoneCache = createMemo() } = parts;
  const responding = new Set<string>();
  /** By server or, if that responded to another query, by server and type: some servers drop a type. */
  const silent = new Map<string, Lookup>();
  const mayQueryInternal =
    options.authoritativePort !== undefined ||
    resolvers.some(
      ({ server: { address, transport }, isDefault }) =>
        isDefault !== true && transport === 'dns' && internalReason(address) !== undefined,
    );

  const query = async (
    server: DnsServer,
    name: string,
    type: RecordType,
    recursive: boolean,
    flags?: QueryFlags,
  ): Promise<Lookup> => {
    const question = { name, type };
    const why = recursive || mayQueryInternal ? undefined : internalReason(server.address);
    const exchange: DnsExchange =
      why === undefined
        ? await dns.query(server, question, { ...flags, recursive, signal })
        : { kind: 'failure', reason: 'unreachable', detail: `not queried: ${why}`, elapsedMs: 0 };
    const classified = classify(question, server, exchange, recursive);
    const lookup: Lookup = why === undefined ? classified : { ...classified, isNotSent: true };
    const key = serverKey(server);
    if (exchange.kind === 'response') {
      responding.add(key);
      for (const known of silent.size > 0 ? [key, `${key} ${type}`] : []) silent.delete(known);
    } else if (exchange.reason === 'timeout' || exchange.reason === 'unreachable') {
      silent.set(responding.has(key) ? `${key} ${type}` : key, lookup);
    }
    return lookup;
  };
  const started = createStartedQueries();
  const send: CheckContext['queryServer'] = (server, name, type, flags) =>
    query(server, name, type, false, flags);
  const queryServer: CheckContext['queryServer'] = (server, name, type, flags) =>
    started.take(server, name, type, flags) ?? send(server, name, type, flags);
  const queryResolver: CheckContext['queryResolver'] = (server, name, type, flags) =>
    query(server, name, type, true, flags);

  const queryReachable: CheckContext['queryReachable'] = async (resolver, name, type, flags) => {
    const { server, otherFamily } = resolver;
    const lookup = await queryResolver(server, name, type, flags);
    const { exchange } = lookup;
    const isUnreachable = exchange.kind === 'failure' && exchange.reason === 'unreachable';
    return otherFamily !== undefined && isUnreachable
      ? queryResolver(otherFamily, name, type, flags)
      : lookup;
  };

  const silenceOf = (server: DnsServer, type?: RecordType): Lookup | undefined =>
    silent.get(serverKey(server)) ?? silent.get(`${serverKey(server)} ${String(type)}`);
  const respondingFirst: CheckContext['respondingFirst'] = (servers, type) => [
    ...servers.filter((server) => silenceOf(server, type) === undefined),
    ...servers.filter((server) => silenceOf(server, type) !== undefined),
  ];
  const resolveUncached = queryInTurn(resolvers, queryReachable, silenceOf);

  return {
    clock: options.clock ?? systemClock,
    random: options.random ?? Math.random,
    signal,
    authoritativePort: options.authoritativePort ?? 53,
    resolvers,
    queryServer,
    startQuery(server, name, type, flags) {
      started.start(send, server, name, type, flags);
    },
    silenceOf,
    respondingFirst,
    queryAny(servers, name, type, flags) {
      // Servers that were all silent once would cost seconds for each query.
      const silences = servers.map((server) => silenceOf(server, type));
      const [failed] = silences.every((silence) => silence !== undefined) ? silences : [];
      if (failed !== undefined) return Promise.resolve({ ...failed, question: { name, type } });
      const query = (server: DnsServer, onSlow: () => void): Promise<Lookup> =>
        queryServer(server, name, type, { ...flags, onSlow });
      return firstUsable(respondingFirst(servers, type), query, isKnown);
    },
    queryReachable,
    queryResolver,
    resolve: (name, type) => zoneCache.get('resolved', `${type} ${name}`, () => resolveUncached(name, type)),
    pause: parts.pause,
    zoneCache,
    run: createMemo(),
    spareLookups: createSpareLookups(),
  };
}

function isNegative({ outcome }: Lookup): boolean {
  return outcome === 'nxdomain' || outcome === 'nodata';
}

/** Whether a resolver denies the zone of a registry. A suffix of several labels may have no zone of its own. */
function deniesSuffix({ outcome, question: { name, type } }: Lookup): boolean {
  return type === 'NS' && isRegistrySuffix(name) && (outcome === 'nxdomain' || !name.includes('.'));
}

/** The absence of a name by a resolver that does not know the public DNS: nothing is known. */
function notPublic({ question, server, exchange }: Lookup, suffix: string): Lookup {
  const failure = `this resolver does not know .${suffix}, so it does not serve the public DNS`;
  return { question, server, exchange, outcome: 'failed', records: [], chain: [], failure };
}

/**
 * Returns a function that queries the resolvers in turn. The one that responded last comes first, so that a resolver that is
 * down costs one time-out, not one for each query.
 */
function queryInTurn(
  resolvers: readonly Resolver[],
  queryReachable: CheckContext['queryReachable'],
  silenceOf: CheckContext['silenceOf'],
): CheckContext['resolve'] {
  const fallbacks = resolvers.some(({ isPublic }) => isPublic) ? publicHttpsResolvers() : [];
  let preferred = resolvers;
  let lastFailure: Lookup | undefined;
  /** What a resolver denied although it exists: such a resolver does not serve the public DNS. */
  const denied = new Map<Resolver, string>();
  return async (name, type) => {
    // Resolvers that were all silent once would cost seconds for each name.
    if (lastFailure !== undefined && preferred.every(({ server }) => silenceOf(server, type) !== undefined))
      return { ...lastFailure, question: { name, type } };
    const query = async (resolver: Resolver, onSlow: () => void): Promise<Lookup> => {
      const lookup = await queryReachable(resolver, name, type, { onSlow });
      if (lookup.exchange.kind === 'failure') {
        preferred = [...preferred.filter((other) => other !== resolver), resolver];
        lastFailure = lookup;
      }
      if (!isNegative(lookup)) return lookup;
      if (deniesSuffix(lookup)) denied.set(resolver, name);
      const suffix = denied.get(resolver);
      return suffix === undefined ? lookup : notPublic(lookup, suffix);
    };
    return firstUsable([...preferred, ...fallbacks], query, isKnown);
  };
}
