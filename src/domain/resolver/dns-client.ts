import { randomInt } from 'node:crypto';
import { answersQuestion, decodeAnswer, encodeQuestion, questionTrouble } from './wire/codec.js';
import {
  type Delivery,
  type Limits,
  type ResolverClock,
  silence,
  type Silence,
} from './transport/delivery.js';
import type { AskOptions, DnsClient, DnsQuestion, DnsReply, DnsServer } from './dns.js';
import { createHttpsExchange } from './transport/https.js';
import { ipFamily } from './ip-family.js';
import { createStops, type Stop } from '../concurrency/stop.js';
import { exchangeOverTcp } from './transport/tcp.js';
import { createTurns, type Turns } from '../concurrency/turns.js';
import { createUdpSockets } from './transport/udp.js';

export interface DnsClientOptions {
  /** Limit of one try over one transport, in milliseconds. Default 2,000. */
  timeoutMs?: number;
  /** Questions over UDP before TCP is tried as a last resort. Default 2. */
  triesMax?: number;
  /** Questions on their way to one server at once, over UDP. Default 100: more answers than that overrun a socket. */
  parallelMax?: number;
  /** At least 0 and less than 1: chooses the ids. Default from `node:crypto`, so that they can't be foretold. */
  random?: () => number;
  clock?: ResolverClock;
  /** Ends everything, now and later. */
  budget?: AbortSignal | undefined;
}

/** Connections to one server at once: servers allow far fewer of these than datagrams. */
const CONNECTIONS_MAX = 8;
const IDS = 0x1_0000;

/** Answers of a server that does not know EDNS (RFC 6891, section 7). */
const EDNS_REFUSALS: ReadonlySet<string> = new Set(['FORMERR', 'NOTIMP', 'BADVERS']);

type Answer = { kind: 'reply'; reply: DnsReply } | { kind: 'truncated' } | Silence;

/** One call of `ask`. */
interface Inquiry {
  server: DnsServer;
  question: DnsQuestion;
  options: AskOptions;
  limits: Limits;
  /** When its first turn came: before that it waited for this program, not for the server. */
  startedAt: number | undefined;
}

/** Makes a client. Opens nothing before it is asked. */
export function createDnsClient(options: DnsClientOptions = {}): DnsClient {
  const { timeoutMs = 2_000, triesMax = 2, parallelMax = 100, clock = systemClock, budget } = options;
  const random = options.random ?? secureRandom;
  const udp = createUdpSockets(random);
  const https = createHttpsExchange();
  const stops = createStops();
  const closing = new AbortController();
  const turnsByServer = new Map<string, Turns>();
  const closed = stops.join([closing.signal]);
  const stopBySignal = new WeakMap<AbortSignal, Stop>();

  const close = (): void => {
    budget?.removeEventListener('abort', close);
    closing.abort();
    udp.close();
    https.close();
  };
  if (budget?.aborted === true) close();
  else budget?.addEventListener('abort', close);

  /** Waits until the server may be asked once more, asks with EDNS, and without it where the server refuses that. */
  async function ask(inquiry: Inquiry, over: DnsReply['over'], edns = true): Promise<Answer> {
    const { server, question, options: asked, limits } = inquiry;
    const turns = turnsFor(server, over);
    if (!(await turns.take(limits.stop))) return silence('aborted', 'stopped');
    inquiry.startedAt ??= clock.now();
    // RFC 8484, section 4.1: 0, for the sake of caches. Over UDP the socket chooses one.
    const id = over === 'tcp' ? Math.floor(random() * IDS) : 0;
    const { recursive, checkingDisabled } = asked;
    const delivery = await send(
      inquiry,
      over,
      encodeQuestion({ question, id, edns, recursive, checkingDisabled }),
    );
    turns.giveBack();
    if (delivery.kind === 'silence') return delivery;
    // Over UDP nothing else than the answer to this id comes through.
    const answer = decodeAnswer(delivery.message, question, over === 'udp' ? { over } : { over, id });
    if (answer.kind === 'malformed') return silence('malformed', `a malformed answer: ${answer.detail}`);
    const refused = edns && answer.kind === 'reply' && EDNS_REFUSALS.has(answer.reply.rcode);
    if (refused) return ask(inquiry, over, false);
    if (edns || answer.kind !== 'reply') return answer;
    return { ...answer, reply: { ...answer.reply, withoutEdns: true } };
  }

  function stopFor(signal: AbortSignal | undefined): Stop {
    if (signal === undefined) return closed;
    const stop = stopBySignal.get(signal) ?? stops.join([closing.signal, signal]);
    stopBySignal.set(signal, stop);
    return stop;
  }

  function turnsFor({ address, port }: DnsServer, over: DnsReply['over']): Turns {
    const key = `${over} ${address} ${port}`;
    const turns = turnsByServer.get(key) ?? createTurns(over === 'udp' ? parallelMax : CONNECTIONS_MAX);
    turnsByServer.set(key, turns);
    return turns;
  }

  function send(
    { server, question, limits }: Inquiry,
    over: DnsReply['over'],
    query: Buffer,
  ): Promise<Delivery> {
    switch (over) {
      case 'udp':
        return udp.exchange(server, query, (message) => answersQuestion(message, question), limits);
      case 'tcp':
        return exchangeOverTcp(server, query, limits);
      case 'https':
        return https.exchange(server, query, limits);
    }
  }

  async function askOverDns(inquiry: Inquiry): Promise<Answer> {
    const unaskable = serverTrouble(inquiry.server);
    if (unaskable !== undefined) return silence('unreachable', unaskable);
    let tries = 0;
    let answer: Answer;
    do {
      answer = await ask(inquiry, 'udp');
      tries += 1;
    } while (isSilent(answer, 'timeout') && tries < triesMax);
    if (answer.kind === 'truncated') {
      const whole = await ask(inquiry, 'tcp');
      return whole.kind === 'silence'
        ? { ...whole, detail: `cut short over UDP; over TCP: ${whole.detail}` }
        : whole;
    }
    if (isSilent(answer, 'timeout') || isSilent(answer, 'unreachable')) {
      const asked = tries > 1 ? `, asked ${tries} times` : '';
      return lastResort({ ...answer, detail: `${answer.detail}${asked}` }, await ask(inquiry, 'tcp'));
    }
    return answer;
  }

  return {
    async ask(server, question, asked) {
      const trouble = questionTrouble(question);
      if (trouble !== undefined) return { ...silence('malformed', trouble), elapsedMs: 0 };
      const inquiry: Inquiry = {
        server,
        question,
        options: asked,
        limits: { timeoutMs, clock, stop: stopFor(asked.signal) },
        startedAt: undefined,
      };
      const answer = server.transport === 'https' ? await ask(inquiry, 'https') : await askOverDns(inquiry);
      const elapsedMs = Math.round(Math.max(0, clock.now() - (inquiry.startedAt ?? clock.now())));
      // Truncation is a matter of UDP; anywhere else it has no meaning.
      if (answer.kind === 'truncated') return { ...silence('malformed', 'an answer cut short'), elapsedMs };
      return { ...answer, elapsedMs };
    },
    close,
  };
}

const systemClock: ResolverClock = {
  now: () => performance.now(),
  setTimeout(callback, delayMs) {
    const timer = setTimeout(callback, delayMs);
    return () => {
      clearTimeout(timer);
    };
  },
};

/** As many values as there are ids. */
function secureRandom(): number {
  return randomInt(IDS) / IDS;
}

function isSilent(answer: Answer, reason: Silence['reason']): answer is Silence {
  return answer.kind === 'silence' && answer.reason === reason;
}

/** A name would be looked up by the system, and so planted in the user's resolver. */
function serverTrouble({ address, port }: DnsServer): string | undefined {
  if (ipFamily(address) === 0) return 'not an IP address';
  return Number.isInteger(port) && port > 0 && port < 0x1_0000 ? undefined : 'no such port';
}

/** What UDP's silence comes to after TCP was tried. */
function lastResort(silent: Silence, answer: Answer): Answer {
  if (answer.kind !== 'silence' || answer.reason === 'aborted' || answer.reason === 'malformed')
    return answer;
  return { ...silent, detail: `${silent.detail}; over TCP: ${answer.detail}` };
}
