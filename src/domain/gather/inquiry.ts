import { classify } from '../facts/classify.js';
import { pause, systemClock, type DomainClock } from '../concurrency/clock.js';
import { isTold, type Lookup } from '../facts/lookup.js';
import { createMemo, type Memo } from '../concurrency/memo.js';
import type { CheckOptions } from '../report/options.js';
import type { DnsClient, DnsServer, RecordType } from '../resolver/dns.js';
import type { TargetFacts } from '../facts/facts.js';
import type { Cut, ZoneView } from '../facts/zone-view.js';

/** Values that each memo of a run holds at most. */
const MEMO_MAX = 4_096;

/** Zones and their servers, as far as they are known. */
export interface ZoneMemory {
  readonly zones: Memo<ZoneView>;
  readonly cuts: Memo<Cut | undefined>;
  readonly hosts: Memo<HostAddresses>;
  /** What resolvers said. */
  readonly lookups: Memo<Lookup | undefined>;
}

/** Makes an empty memory. */
export function createZoneMemory(): ZoneMemory {
  return {
    zones: createMemo(MEMO_MAX),
    cuts: createMemo(MEMO_MAX),
    hosts: createMemo(MEMO_MAX),
    lookups: createMemo(MEMO_MAX),
  };
}

/** What one run shares: how to ask, and what was learnt already. Zones are looked up once, however many domains they hold. */
export interface Inquiry extends ZoneMemory {
  readonly clock: DomainClock;
  readonly random: () => number;
  /** Aborted at the end of the run's time, and by the caller. */
  readonly signal: AbortSignal | undefined;
  readonly authoritativePort: number;
  /** In the order to ask. */
  readonly resolvers: readonly Resolver[];
  /** Asks an authoritative server, without recursion. */
  ask(server: DnsServer, name: string, type: RecordType): Promise<Lookup>;
  /** The servers in the order to try them: those that were silent before come last. */
  inOrder(servers: readonly DnsServer[]): readonly DnsServer[];
  /** Asks servers of one zone in turn, until one answers. The last one's trouble where none does; undefined without servers. */
  askAny(servers: readonly DnsServer[], name: string, type: RecordType): Promise<Lookup | undefined>;
  /** Asks one resolver. */
  askResolver(server: DnsServer, name: string, type: RecordType): Promise<Lookup>;
  /**
   * Asks the resolvers in turn, until one answers. For names that exist by themselves: top-level domains, name server
   * hosts, the target. Never for the domain that is checked, since a resolver remembers its absence.
   */
  recurse(name: string, type: RecordType): Promise<Lookup | undefined>;
  /** Waits. Ends early with the run. */
  rest(delayMs: number): Promise<void>;
  /** What servers say of their zones themselves, by type, server and zone. */
  readonly ofZones: Memo<Lookup>;
  /** CAA records of names that many domains share. */
  readonly authorizations: Memo<Lookup | undefined>;
  /** Random names beside others, by type and parent. */
  readonly wildcards: Memo<Lookup>;
  readonly platforms: Memo<TargetFacts>;
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
  told: boolean;
}

/** What a run is made of, beyond its options. */
export interface InquiryParts {
  dns: DnsClient;
  resolvers: readonly Resolver[];
  signal: AbortSignal | undefined;
  /** Waits instead of the run's own way of doing so. */
  rest?: (delayMs: number) => Promise<void>;
  /** Zones known from an earlier run. */
  memory?: ZoneMemory | undefined;
}

/** Makes what one run shares. */
export function createInquiry(parts: InquiryParts, options: CheckOptions): Inquiry {
  const { dns, resolvers, signal, memory = createZoneMemory() } = parts;
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
    const exchange = await dns.ask(server, question, { recursive, signal });
    if (exchange.kind === 'reply') {
      if (silent.size > 0) silent.delete(placeOf(server));
    } else if (exchange.reason === 'timeout' || exchange.reason === 'unreachable') {
      silent.add(placeOf(server));
    }
    return classify(question, server, exchange, recursive);
  };
  const ask: Inquiry['ask'] = (server, name, type) => askAs(server, name, type, false);
  const askResolver: Inquiry['askResolver'] = (server, name, type) => askAs(server, name, type, true);

  const isSilent = (server: DnsServer): boolean => silent.has(placeOf(server));
  const inOrder: Inquiry['inOrder'] = (servers) => [
    ...servers.filter((server) => !isSilent(server)),
    ...servers.filter(isSilent),
  ];
  const recurseNow = async (name: string, type: RecordType): Promise<Lookup | undefined> => {
    let last: Lookup | undefined;
    for (const resolver of preferred) {
      last = await askResolver(resolver.server, name, type);
      if (isTold(last)) return last;
      if (last.exchange.kind === 'silence') {
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
    ask,
    inOrder,
    async askAny(servers, name, type) {
      let last: Lookup | undefined;
      for (const server of inOrder(servers)) {
        last = await ask(server, name, type);
        if (isTold(last)) return last;
      }
      return last;
    },
    askResolver,
    recurse: (name, type) => memory.lookups.get(`${type} ${name}`, () => recurseNow(name, type)),
    rest: parts.rest ?? ((delayMs) => pause(clock, delayMs, signal)),
    ...memory,
    ofZones: createMemo(MEMO_MAX),
    authorizations: createMemo(MEMO_MAX),
    wildcards: createMemo(MEMO_MAX),
    platforms: createMemo(MEMO_MAX),
  };
}

function placeOf({ address, port }: DnsServer): string {
  return `${address} ${String(port)}`;
}
