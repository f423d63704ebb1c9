import { classify } from '../facts/classify.js';
import { pause, systemClock, type DomainClock } from '../concurrency/clock.js';
import { isKnown, type Lookup } from '../facts/lookup.js';
import { createMemo, type Memo } from '../concurrency/memo.js';
import type { CheckOptions } from '../report/options.js';
import type { DnsClient, DnsServer, RecordType } from '../resolver/dns.js';
import type { TargetFacts } from '../facts/facts.js';
import type { Cut, ZoneView } from '../facts/zone-view.js';

/** Values that each memo of a run holds at most. */
const MEMO_MAX = 4_096;

/** Zones and their servers, as far as they are known. */
export interface ZoneCache {
  readonly zones: Memo<ZoneView>;
  readonly cuts: Memo<Cut | undefined>;
  readonly hosts: Memo<HostAddresses>;
  /** What resolvers said. */
  readonly lookups: Memo<Lookup | undefined>;
}

/** Makes an empty memory. */
export function createZoneCache(): ZoneCache {
  return {
    zones: createMemo(MEMO_MAX),
    cuts: createMemo(MEMO_MAX),
    hosts: createMemo(MEMO_MAX),
    lookups: createMemo(MEMO_MAX),
  };
}

/** What one run shares: how to ask, and what was learnt already. Zones are looked up once, however many domains they hold. */
export interface CheckContext extends ZoneCache {
  readonly clock: DomainClock;
  readonly random: () => number;
  /** Aborted at the end of the run's time, and by the caller. */
  readonly signal: AbortSignal | undefined;
  readonly authoritativePort: number;
  /** In the order to ask. */
  readonly resolvers: readonly Resolver[];
  /** Asks an authoritative server, without recursion. */
  queryServer(server: DnsServer, name: string, type: RecordType): Promise<Lookup>;
  /** The servers in the order to try them: those that were silent before come last. */
  respondingFirst(servers: readonly DnsServer[]): readonly DnsServer[];
  /** Asks servers of one zone in turn, until one answers. The last one's trouble where none does; undefined without servers. */
  queryAny(servers: readonly DnsServer[], name: string, type: RecordType): Promise<Lookup | undefined>;
  /** Asks one resolver. */
  queryResolver(server: DnsServer, name: string, type: RecordType): Promise<Lookup>;
  /**
   * Asks the resolvers in turn, until one answers. For names that exist by themselves: top-level domains, name server
   * hosts, the target. Never for the domain that is checked, since a resolver remembers its absence.
   */
  resolve(name: string, type: RecordType): Promise<Lookup | undefined>;
  /** Waits. Ends early with the run. */
  pause(delayMs: number): Promise<void>;
  /** What servers say of their zones themselves, by type, server and zone. */
  readonly zoneLookups: Memo<Lookup>;
  /** CAA records of names that many domains share. */
  readonly caaLookups: Memo<Lookup | undefined>;
  /** Random names beside others, by type and parent. */
  readonly wildcardLookups: Memo<Lookup>;
  readonly targets: Memo<TargetFacts>;
}

/** A recursive resolver, and what to call it. */
export interface Resolver {
  server: DnsServer;
  /** Such as `1.1.1.1` or `system (192.168.1.1)`. */
  label: string;
}

/** The addresses of a name server's host. */
export interface HostAddresses {
  addresses: readonly string[];
  /** Whether a missing address is known to be missing, and not just not told. */
  isComplete: boolean;
}

/** What a run is made of, beyond its options. */
export interface ContextParts {
  dns: DnsClient;
  resolvers: readonly Resolver[];
  signal: AbortSignal | undefined;
  /** Waits instead of the run's own way of doing so. */
  pause?: (delayMs: number) => Promise<void>;
  /** Zones known from an earlier run. */
  zoneCache?: ZoneCache | undefined;
}

/** Makes what one run shares. */
export function createCheckContext(parts: ContextParts, options: CheckOptions): CheckContext {
  const { dns, resolvers, signal, zoneCache: memory = createZoneCache() } = parts;
  // Those that answered last go first, so that a dead one costs its time-out once and not at every question.
  let preferred = resolvers;
  const silent = new Set<string>();
  const clock = options.clock ?? systemClock;

  const askAs = async (
    server: DnsServer,
    name: string,
    type: RecordType,
    recursive: boolean,
  ): Promise<Lookup> => {
    const question = { name, type };
    const exchange = await dns.query(server, question, { recursive, signal });
    if (exchange.kind === 'response') {
      if (silent.size > 0) silent.delete(serverKey(server));
    } else if (exchange.reason === 'timeout' || exchange.reason === 'unreachable') {
      silent.add(serverKey(server));
    }
    return classify(question, server, exchange, recursive);
  };
  const ask: CheckContext['queryServer'] = (server, name, type) => askAs(server, name, type, false);
  const askResolver: CheckContext['queryResolver'] = (server, name, type) => askAs(server, name, type, true);

  const isSilent = (server: DnsServer): boolean => silent.has(serverKey(server));
  const inOrder: CheckContext['respondingFirst'] = (servers) => [
    ...servers.filter((server) => !isSilent(server)),
    ...servers.filter(isSilent),
  ];
  const recurseNow = async (name: string, type: RecordType): Promise<Lookup | undefined> => {
    let last: Lookup | undefined;
    for (const resolver of preferred) {
      last = await askResolver(resolver.server, name, type);
      if (isKnown(last)) return last;
      if (last.exchange.kind === 'failure') {
        preferred = [...preferred.filter((other) => other !== resolver), resolver];
      }
    }
    return last;
  };

  return {
    clock,
    random: options.random ?? Math.random,
    signal,
    authoritativePort: options.authoritativePort ?? 53,
    resolvers,
    queryServer: ask,
    respondingFirst: inOrder,
    async queryAny(servers, name, type) {
      let last: Lookup | undefined;
      for (const server of inOrder(servers)) {
        last = await ask(server, name, type);
        if (isKnown(last)) return last;
      }
      return last;
    },
    queryResolver: askResolver,
    resolve: (name, type) => memory.lookups.get(`${type} ${name}`, () => recurseNow(name, type)),
    pause: parts.pause ?? ((delayMs) => pause(clock, delayMs, signal)),
    ...memory,
    zoneLookups: createMemo(MEMO_MAX),
    caaLookups: createMemo(MEMO_MAX),
    wildcardLookups: createMemo(MEMO_MAX),
    targets: createMemo(MEMO_MAX),
  };
}

function serverKey({ address, port }: DnsServer): string {
  return `${address} ${String(port)}`;
}
