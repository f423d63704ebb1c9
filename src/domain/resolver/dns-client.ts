import { randomInt } from 'node:crypto';
import { isResponseTo, decodeResponse, encodeQuery, unqueryableReason } from './wire/codec.js';
import {
  type TransportResult,
  type QueryLimits,
  type ResolverClock,
  queryFailure,
  type QueryFailure,
} from './transport/transport-result.js';
import type { QueryOptions, DnsClient, DnsQuestion, DnsResponse, DnsServer } from './dns.js';
import { createHttpsExchange } from './transport/https.js';
import { ipFamily } from './ip-family.js';
import { createStopSignals, type StopSignal } from '../concurrency/stop-signal.js';
import { exchangeOverTcp } from './transport/tcp.js';
import { createSemaphore, type Semaphore } from '../concurrency/limiter.js';
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

type Answer = { kind: 'response'; response: DnsResponse } | { kind: 'truncated' } | QueryFailure;

/** One call of `ask`. */
interface Inquiry {
  server: DnsServer;
  question: DnsQuestion;
  options: QueryOptions;
  limits: QueryLimits;
  /** When its first turn came: before that it waited for this program, not for the server. */
  startedAt: number | undefined;
}

/** Makes a client. Opens nothing before it is asked. */
export function createDnsClient(options: DnsClientOptions = {}): DnsClient {
  const { timeoutMs = 2_000, triesMax = 2, parallelMax = 100, clock = systemClock, budget } = options;
  const random = options.random ?? secureRandom;
  const udp = createUdpSockets(random);
  const https = createHttpsExchange();
  const stops = createStopSignals();
  const closing = new AbortController();
  const turnsByServer = new Map<string, Semaphore>();
  const closed = stops.join([closing.signal]);
  const stopBySignal = new WeakMap<AbortSignal, StopSignal>();

  const close = (): void => {
    budget?.removeEventListener('abort', close);
    closing.abort();
    udp.close();
    https.close();
  };
  if (budget?.aborted === true) close();
  else budget?.addEventListener('abort', close);

  /** Waits until the server may be asked once more, asks with EDNS, and without it where the server refuses that. */
  async function ask(context: Inquiry, over: DnsResponse['over'], edns = true): Promise<Answer> {
    const { server, question, options: asked, limits } = context;
    const turns = turnsFor(server, over);
    if (!(await turns.acquire(limits.stop))) return queryFailure('aborted', 'stopped');
    context.startedAt ??= clock.now();
    // RFC 8484, section 4.1: 0, for the sake of caches. Over UDP the socket chooses one.
    const id = over === 'tcp' ? Math.floor(random() * IDS) : 0;
    const { recursive, checkingDisabled } = asked;
    const delivery = await send(
      context,
      over,
      encodeQuery({ question, id, edns, recursive, checkingDisabled }),
    );
    turns.release();
    if (delivery.kind === 'failure') return delivery;
    // Over UDP nothing else than the answer to this id comes through.
    const answer = decodeResponse(delivery.message, question, over === 'udp' ? { over } : { over, id });
    if (answer.kind === 'malformed') return queryFailure('malformed', `a malformed answer: ${answer.detail}`);
    const refused = edns && answer.kind === 'response' && EDNS_REFUSALS.has(answer.response.rcode);
    if (refused) return ask(context, over, false);
    if (edns || answer.kind !== 'response') return answer;
    return { ...answer, response: { ...answer.response, withoutEdns: true } };
  }

  function stopFor(signal: AbortSignal | undefined): StopSignal {
    if (signal === undefined) return closed;
    const stop = stopBySignal.get(signal) ?? stops.join([closing.signal, signal]);
    stopBySignal.set(signal, stop);
    return stop;
  }

  function turnsFor({ address, port }: DnsServer, over: DnsResponse['over']): Semaphore {
    const key = `${over} ${address} ${port}`;
    const turns = turnsByServer.get(key) ?? createSemaphore(over === 'udp' ? parallelMax : CONNECTIONS_MAX);
    turnsByServer.set(key, turns);
    return turns;
  }

  function send(
    { server, question, limits }: Inquiry,
    over: DnsResponse['over'],
    query: Buffer,
  ): Promise<TransportResult> {
    switch (over) {
      case 'udp':
        return udp.exchange(server, query, (message) => isResponseTo(message, question), limits);
      case 'tcp':
        return exchangeOverTcp(server, query, limits);
      case 'https':
        return https.exchange(server, query, limits);
    }
  }

  async function askOverDns(context: Inquiry): Promise<Answer> {
    const unaskable = serverTrouble(context.server);
    if (unaskable !== undefined) return queryFailure('unreachable', unaskable);
    let tries = 0;
    let answer: Answer;
    do {
      answer = await ask(context, 'udp');
      tries += 1;
    } while (isSilent(answer, 'timeout') && tries < triesMax);
    if (answer.kind === 'truncated') {
      const whole = await ask(context, 'tcp');
      return whole.kind === 'failure'
        ? { ...whole, detail: `cut short over UDP; over TCP: ${whole.detail}` }
        : whole;
    }
    if (isSilent(answer, 'timeout') || isSilent(answer, 'unreachable')) {
      const asked = tries > 1 ? `, asked ${tries} times` : '';
      return lastResort({ ...answer, detail: `${answer.detail}${asked}` }, await ask(context, 'tcp'));
    }
    return answer;
  }

  return {
    async query(server, question, asked) {
      const trouble = unqueryableReason(question);
      if (trouble !== undefined) return { ...queryFailure('malformed', trouble), elapsedMs: 0 };
      const context: Inquiry = {
        server,
        question,
        options: asked,
        limits: { timeoutMs, clock, stop: stopFor(asked.signal) },
        startedAt: undefined,
      };
      const answer = server.transport === 'https' ? await ask(context, 'https') : await askOverDns(context);
      const elapsedMs = Math.round(Math.max(0, clock.now() - (context.startedAt ?? clock.now())));
      // Truncation is a matter of UDP; anywhere else it has no meaning.
      if (answer.kind === 'truncated')
        return { ...queryFailure('malformed', 'an answer cut short'), elapsedMs };
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

function isSilent(answer: Answer, reason: QueryFailure['reason']): answer is QueryFailure {
  return answer.kind === 'failure' && answer.reason === reason;
}

/** A name would be looked up by the system, and so planted in the user's resolver. */
function serverTrouble({ address, port }: DnsServer): string | undefined {
  if (ipFamily(address) === 0) return 'not an IP address';
  return Number.isInteger(port) && port > 0 && port < 0x1_0000 ? undefined : 'no such port';
}

/** What UDP's silence comes to after TCP was tried. */
function lastResort(silent: QueryFailure, answer: Answer): Answer {
  if (answer.kind !== 'failure' || answer.reason === 'aborted' || answer.reason === 'malformed')
    return answer;
  return { ...silent, detail: `${silent.detail}; over TCP: ${answer.detail}` };
}
