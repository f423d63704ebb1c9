import { respondAuthoritatively, emptyResponse } from './authority.js';
import type { QueryDetails, DnsFaultAction, DnsFaults } from './dns-faults.js';
import { decodeQuery, encodeError, encodeResponse, type Query, type DnsResponse } from './dns-message.js';
import type { NameServers } from './name-servers.js';
import { createRecursor, type Recursor, type Upstream } from './recursor.js';
import type { Question } from './record.js';
import type { CachedRecord } from './zone-file.js';

/** A query in the journal of the mock DNS. */
export interface DnsJournalEntry {
  /** 1 for the first query since the start or the last reset. */
  sequence: number;
  /** Time of the query, by the mock's clock. */
  at: Date;
  over: 'udp' | 'tcp';
  /** The address that received the query. */
  server: string;
  /** Without the final dot. Bytes other than visible ASCII are written as `\DDD`. */
  name: string;
  type: string;
  /** RD: `true` for the recursive resolver, `false` for the authoritative server. */
  recursionDesired: boolean;
  /** Whether the query had an OPT record. */
  edns: boolean;
  /** Such as `NXDOMAIN`. Absent without a response. */
  rcode?: string;
  /** Number of records in the answer section. */
  answers: number;
  /** The faults that were applied. */
  faults?: readonly string[];
}

export interface DnsHandlerContext {
  nameServers: NameServers;
  /** Initial cache of the recursive resolver at 127.0.0.1. The resolvers at other addresses start empty. */
  cached: readonly CachedRecord[];
  faults: DnsFaults;
  /** Receives each query. */
  journal: { record(entry: Omit<DnsJournalEntry, 'sequence'>): void };
  /** Start time, in milliseconds since the epoch. */
  now: number;
}

/** The endpoint that received a query. */
export interface LocalEndpoint {
  /** Its address. */
  server: string;
  over: 'udp' | 'tcp';
}

/** A response packet, and the delay before it. */
export interface DnsOutcome {
  packet: Uint8Array;
  delayMs: number;
}

/** Handles a packet. Returns `undefined` if there is no response. */
export type DnsHandler = (packet: Uint8Array, endpoint: LocalEndpoint, now: number) => DnsOutcome | undefined;

/** Address of the resolver with the initial cache. */
const CACHED_RECURSOR = '127.0.0.1';
/** Maximum nesting of ALIAS records that point to each other. */
const EXPANSIONS_MAX = 4;

/**
 * Creates the DNS service. Each address has an authoritative server, for queries without RD, and a recursive resolver with
 * its own cache, for queries with RD.
 */
export function createDnsHandler(context: DnsHandlerContext): DnsHandler {
  const authority = createAuthoritativeResponder(context);
  const recursors = new Map<string, Recursor>();
  const recursorAt = (address: string): Recursor => {
    const known = recursors.get(address);
    if (known !== undefined) return known;
    const cached = address === CACHED_RECURSOR ? context.cached : [];
    const recursor = createRecursor(upstreamOf(context, authority), cached, context.now);
    recursors.set(address, recursor);
    return recursor;
  };

  return (packet, { server, over }, now) => {
    const query = decodeQuery(packet);
    if (query === 'ignore') return undefined;
    if ('rcode' in query) return { packet: encodeError(query), delayMs: 0 };
    const { question, recursionDesired } = query;
    const actions = context.faults.apply(
      queryDetails(context.nameServers, question, server, recursionDesired),
    );
    const response = injectedResponse(actions, query) ?? unsupportedResponse(query) ?? respond();
    context.journal.record({
      at: new Date(now),
      over,
      server,
      ...question,
      recursionDesired,
      edns: query.edns !== undefined,
      ...(response === 'drop' ? {} : { rcode: response.rcode }),
      answers: response === 'drop' ? 0 : response.answers.length,
      ...(actions.length === 0 ? {} : { faults: actions.map(actionText) }),
    });
    if (response === 'drop') return undefined;
    return { packet: encodeWithFaults(query, response, actions, over), delayMs: delayOf(actions) };

    function respond(): DnsResponse {
      return recursionDesired ? recursorAt(server)(question, now) : authority(server, question, now);
    }
  };
}

type AuthoritativeResponder = (address: string, question: Question, now: number) => DnsResponse;

function createAuthoritativeResponder(context: DnsHandlerContext): AuthoritativeResponder {
  const { nameServers } = context;
  let expansions = 0;
  const authority: AuthoritativeResponder = (address, question, now) => {
    return respondAuthoritatively(
      {
        zones: nameServers.zonesAt(address),
        addressesOf: (host) => nameServers.addressesOf(host),
        expand(target, type) {
          if (expansions >= EXPANSIONS_MAX) return undefined;
          expansions += 1;
          try {
            const { rcode, answers } = expander({ name: target, type }, now);
            return rcode === 'NOERROR' ? answers.filter((record) => record.type === type) : undefined;
          } finally {
            expansions -= 1;
          }
        },
      },
      question,
    );
  };
  // Its cache makes the TTL of ALIAS addresses count down, as PowerDNS does.
  const expander = createRecursor(upstreamOf(context, authority));
  return authority;
}

function upstreamOf({ nameServers, faults }: DnsHandlerContext, authority: AuthoritativeResponder): Upstream {
  return {
    serversOf: nameServers.serversOf,
    soaOf: nameServers.soaOf,
    query(address, question, now) {
      const actions = faults.permanent(queryDetails(nameServers, question, address, false));
      return actions.some((action) => FAILING_ACTIONS.has(action))
        ? undefined
        : authority(address, question, now);
    },
  };
}

/** Faults after which a resolver tries the next server. For the others, a second query to the same server succeeds. */
const FAILING_ACTIONS: ReadonlySet<DnsFaultAction> = new Set([
  'servfail',
  'refused',
  'lame',
  'drop',
  'wrong-id',
  'malformed',
] as const);

function queryDetails(
  nameServers: NameServers,
  { name, type }: Question,
  address: string,
  recursive: boolean,
): QueryDetails {
  return { name, type, servers: recursive ? ['recursor'] : [address, ...nameServers.hostsAt(address)] };
}

/** Returns the response that faults inject instead of the normal one. */
function injectedResponse(
  actions: readonly DnsFaultAction[],
  { edns, checkingDisabled }: Query,
): DnsResponse | 'drop' | undefined {
  if (actions.includes('drop')) return 'drop';
  if (actions.includes('formerr-edns') && edns !== undefined) return emptyResponse('FORMERR');
  if (actions.includes('servfail') || (actions.includes('bogus') && !checkingDisabled))
    return emptyResponse('SERVFAIL');
  if (actions.includes('refused')) return emptyResponse('REFUSED');
  if (actions.includes('nxdomain')) return { ...emptyResponse('NXDOMAIN'), authoritative: true };
  return actions.includes('lame') ? emptyResponse('NOERROR') : undefined;
}

const TRANSFERS = ['AXFR', 'IXFR'];

function unsupportedResponse({ edns, question: { type } }: Query): DnsResponse | undefined {
  if (edns !== undefined && edns.version > 0) return emptyResponse('BADVERS');
  // RFC 8482: a server may reject ANY.
  if (type === 'ANY') return emptyResponse('NOTIMP');
  return TRANSFERS.includes(type) ? emptyResponse('REFUSED') : undefined;
}

function encodeWithFaults(
  query: Query,
  response: DnsResponse,
  actions: readonly DnsFaultAction[],
  over: 'udp' | 'tcp',
): Uint8Array {
  const packet = encodeResponse(query, response, {
    over,
    recursionAvailable: query.recursionDesired,
    truncated: over === 'udp' && actions.includes('truncate'),
    plain: response.rcode === 'FORMERR',
  });
  if (actions.includes('wrong-id')) packet[1] = (packet[1] ?? 0) ^ 1;
  return actions.includes('malformed') ? packet.slice(0, -3) : packet;
}

function delayOf(actions: readonly DnsFaultAction[]): number {
  return actions.reduce((sum, action) => sum + (typeof action === 'object' ? action.delayMs : 0), 0);
}

function actionText(action: DnsFaultAction): string {
  return typeof action === 'object' ? `delay ${String(action.delayMs)} ms` : action;
}
