import { answerWithAuthority, replyOf } from './authority.js';
import type { Circumstances, DnsFaultAction, DnsFaults } from './fault.js';
import type { DnsJournal } from './journal.js';
import { readQuery, writeRefusal, writeReply, type Query, type Reply } from './message.js';
import type { Name } from './name.js';
import type { NameServers } from './name-servers.js';
import { createRecursor, type Recursor, type Upstream } from './recursor.js';
import type { Question } from './record.js';
import type { RememberedRecord } from './zone-file.js';

/** What the handler works on. */
export interface DnsHandlerContext {
  nameServers: NameServers;
  /** What the recursive resolver at 127.0.0.1 remembers from the start. Those at other addresses begin empty. */
  remembered: readonly RememberedRecord[];
  faults: DnsFaults;
  journal: DnsJournal;
  /** When it starts, in milliseconds since the epoch. */
  now: number;
}

/** How a query came. */
export interface Arrival {
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
export type DnsHandler = (packet: Uint8Array, arrival: Arrival, now: number) => DnsOutcome | undefined;

/** The resolver whose memory the built-in zones fill. */
const FIRST_RECURSOR = '127.0.0.1';
/** An ALIAS may lead to another one, but not for ever. */
const EXPANSIONS_MAX = 4;

/**
 * One address plays several parts. A question without RD is for the authoritative server there, one with RD for the
 * recursive resolver there, which has a memory of its own.
 */
export function createDnsHandler(context: DnsHandlerContext): DnsHandler {
  const authority = createAuthority(context);
  const recursors = new Map<string, Recursor>();
  const recursorAt = (address: string): Recursor => {
    const known = recursors.get(address);
    if (known !== undefined) return known;
    const recursor = createRecursor(upstreamOf(context, authority));
    recursor.restart(address === FIRST_RECURSOR ? context.remembered : [], context.now);
    recursors.set(address, recursor);
    return recursor;
  };

  return (packet, { server, over }, now) => {
    const query = readQuery(packet);
    if (query === 'ignore') return undefined;
    if ('rcode' in query) return { packet: writeRefusal(query), delayMs: 0 };
    const { question, recursionDesired } = query;
    const actions = context.faults.strike(
      circumstances(context.nameServers, question, server, recursionDesired),
    );
    const reply = spoiled(actions, query) ?? refusal(query) ?? answer();
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
    return { packet: sent(query, reply, actions, over), delayMs: delayOf(actions) };

    function answer(): Reply {
      return recursionDesired ? recursorAt(server).resolve(question, now) : authority(server, question, now);
    }
  };
}

type Authority = (address: string, question: Question, now: number) => Reply;

function createAuthority(context: DnsHandlerContext): Authority {
  const { nameServers } = context;
  let expansions = 0;
  const authority: Authority = (address, question, now) => {
    return answerWithAuthority(
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

function upstreamOf({ nameServers, faults }: DnsHandlerContext, authority: Authority): Upstream {
  return {
    get roots() {
      return nameServers.roots;
    },
    soaOf: (name: Name) => nameServers.soaOf(name),
    ask(address, question, now) {
      const actions = faults.lasting(circumstances(nameServers, question, address, false));
      return actions.some((action) => UNUSABLE.has(action)) ? undefined : authority(address, question, now);
    },
  };
}

/** What leaves a resolver without an answer; the others cost it but a second try. */
const UNUSABLE: ReadonlySet<DnsFaultAction> = new Set([
  'servfail',
  'refused',
  'lame',
  'drop',
  'wrong-id',
  'malformed',
] as const);

function circumstances(
  nameServers: NameServers,
  { name, type }: Question,
  address: string,
  recursive: boolean,
): Circumstances {
  return { name, type, servers: recursive ? ['recursor'] : [address, ...nameServers.hostsAt(address)] };
}

/** What faults put in place of an answer. */
function spoiled(actions: readonly DnsFaultAction[], { edns }: Query): Reply | 'drop' | undefined {
  if (actions.includes('drop')) return 'drop';
  if (actions.includes('formerr-edns') && edns !== undefined) return replyOf('FORMERR');
  if (actions.includes('servfail')) return replyOf('SERVFAIL');
  if (actions.includes('refused')) return replyOf('REFUSED');
  return actions.includes('lame') ? replyOf('NOERROR') : undefined;
}

const TRANSFERS = ['AXFR', 'IXFR'];

function refusal({ edns, question: { type } }: Query): Reply | undefined {
  if (edns !== undefined && edns.version > 0) return replyOf('BADVERS');
  // RFC 8482: nobody needs ANY any more.
  if (type === 'ANY') return replyOf('NOTIMP');
  return TRANSFERS.includes(type) ? replyOf('REFUSED') : undefined;
}

function sent(
  query: Query,
  reply: Reply,
  actions: readonly DnsFaultAction[],
  over: 'udp' | 'tcp',
): Uint8Array {
  const packet = writeReply(query, reply, {
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
