import { respondAuthoritatively, emptyResponse } from './authority.js';
import type { QueryDetails, DnsFaultAction, DnsFaults } from './fault.js';
import type { DnsJournal } from './journal.js';
import { decodeQuery, encodeError, encodeResponse, type Query, type DnsResponse } from './message.js';
import type { Name } from './name.js';
import type { NameServers } from './name-servers.js';
import { createRecursor, type Recursor, type Upstream } from './recursor.js';
import type { Question } from './record.js';
import type { CachedRecord } from './zone-file.js';

/** What the handler works on. */
export interface DnsHandlerContext {
  nameServers: NameServers;
  /** What the recursive resolver at 127.0.0.1 remembers from the start. Those at other addresses begin empty. */
  cached: readonly CachedRecord[];
  faults: DnsFaults;
  journal: DnsJournal;
  /** When it starts, in milliseconds since the epoch. */
  now: number;
}

/** How a query came. */
export interface LocalEndpoint {
  /** The address it was sent to. */
  server: string;
  over: 'udp' | 'tcp';
}

/** What goes back, and how much later. */
export interface DnsOutcome {
  packet: Uint8Array;
  delayMs: number;
}

/** From query to answer; `undefined` where none is sent. */
export type DnsHandler = (packet: Uint8Array, arrival: LocalEndpoint, now: number) => DnsOutcome | undefined;

/** The resolver whose memory the built-in zones fill. */
const FIRST_RECURSOR = '127.0.0.1';
/** An ALIAS may lead to another one, but not for ever. */
const EXPANSIONS_MAX = 4;

/**
 * One address plays several parts. A question without RD is for the authoritative server there, one with RD for the
 * recursive resolver there, which has a memory of its own.
 */
export function createDnsHandler(context: DnsHandlerContext): DnsHandler {
  const authority = createAuthoritativeResponder(context);
  const recursors = new Map<string, Recursor>();
  const recursorAt = (address: string): Recursor => {
    const known = recursors.get(address);
    if (known !== undefined) return known;
    const recursor = createRecursor(upstreamOf(context, authority));
    recursor.restart(address === FIRST_RECURSOR ? context.cached : [], context.now);
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
    const reply = injectedResponse(actions, query) ?? unsupportedResponse(query) ?? answer();
    context.journal.record({
      at: now,
      over,
      server,
      ...question,
      recursionDesired,
      edns: query.edns !== undefined,
      ...(reply === 'drop' ? {} : { rcode: reply.rcode }),
      answers: reply === 'drop' ? 0 : reply.answers.length,
      ...(actions.length === 0 ? {} : { faults: actions.map(actionText) }),
    });
    if (reply === 'drop') return undefined;
    return { packet: encodeWithFaults(query, reply, actions, over), delayMs: delayOf(actions) };

    function answer(): DnsResponse {
      return recursionDesired ? recursorAt(server).resolve(question, now) : authority(server, question, now);
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
            const { rcode, answers } = expander.resolve({ name: target, type }, now);
            return rcode === 'NOERROR' ? answers.filter((record) => record.type === type) : undefined;
          } finally {
            expansions -= 1;
          }
        },
      },
      question,
    );
  };
  // With a memory, so that the TTL of what it is made of counts down, as PowerDNS does it.
  const expander = createRecursor(upstreamOf(context, authority));
  return authority;
}

function upstreamOf({ nameServers, faults }: DnsHandlerContext, authority: AuthoritativeResponder): Upstream {
  return {
    get roots() {
      return nameServers.roots;
    },
    soaOf: (name: Name) => nameServers.soaOf(name),
    query(address, question, now) {
      const actions = faults.permanent(queryDetails(nameServers, question, address, false));
      return actions.some((action) => UNANSWERED.has(action)) ? undefined : authority(address, question, now);
    },
  };
}

/** What leaves a resolver without an answer; the others cost it but a second try. */
const UNANSWERED: ReadonlySet<DnsFaultAction> = new Set([
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

/** What faults put in place of an answer. */
function injectedResponse(
  actions: readonly DnsFaultAction[],
  { edns }: Query,
): DnsResponse | 'drop' | undefined {
  if (actions.includes('drop')) return 'drop';
  if (actions.includes('formerr-edns') && edns !== undefined) return emptyResponse('FORMERR');
  if (actions.includes('servfail')) return emptyResponse('SERVFAIL');
  if (actions.includes('refused')) return emptyResponse('REFUSED');
  return actions.includes('lame') ? emptyResponse('NOERROR') : undefined;
}

const TRANSFERS = ['AXFR', 'IXFR'];

function unsupportedResponse({ edns, question: { type } }: Query): DnsResponse | undefined {
  if (edns !== undefined && edns.version > 0) return emptyResponse('BADVERS');
  // RFC 8482: nobody needs ANY any more.
  if (type === 'ANY') return emptyResponse('NOTIMP');
  return TRANSFERS.includes(type) ? emptyResponse('REFUSED') : undefined;
}

function encodeWithFaults(
  query: Query,
  reply: DnsResponse,
  actions: readonly DnsFaultAction[],
  over: 'udp' | 'tcp',
): Uint8Array {
  const packet = encodeResponse(query, reply, {
    over,
    recursionAvailable: query.recursionDesired,
    truncated: over === 'udp' && actions.includes('truncate'),
    plain: reply.rcode === 'FORMERR',
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
