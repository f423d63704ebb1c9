import { randomInt } from 'node:crypto';
import { createSemaphore, type Semaphore } from '../concurrency/limiter.js';
import { createStopSignals, type StopSignal } from '../concurrency/stop-signal.js';
import type { DnsClient, DnsQuestion, DnsResponse, DnsServer, QueryOptions } from './dns.js';
import { ipFamily } from './server-address.js';
import { createHttpsExchange } from './transport/https.js';
import { exchangeOverTcp } from './transport/tcp.js';
import {
  type TransportResult,
  type QueryLimits,
  type ResolverClock,
  queryFailure,
  type QueryFailure,
} from './transport/transport-result.js';
import { createUdpSockets } from './transport/udp.js';
import { decodeResponse, isResponseTo } from './wire/decode-response.js';
import { encodeQuery, invalidQuestionReason } from './wire/encode-query.js';

export interface DnsClientOptions {
  /**
   * Limit of one attempt over one transport, in milliseconds.
   *
   * @default 2000
   */
  timeoutMs?: number;
  /**
   * Attempts over UDP before one over TCP.
   *
   * @default 2
   */
  triesMax?: number;
  /**
   * Queries in flight to one server over UDP. More responses than the default may overflow a socket's buffer.
   *
   * @default 100
   */
  parallelMax?: number;
  /**
   * Chooses query ids. Returns at least 0 and less than 1.
   *
   * @default `node:crypto`, so that ids are unpredictable
   */
  random?: () => number;
  clock?: ResolverClock;
  /** Closes the client when aborted. */
  budget?: AbortSignal | undefined;
}

/** TCP connections to one server at once. Servers allow far fewer connections than datagrams. */
const CONNECTIONS_MAX = 8;
const ID_COUNT = 0x1_0000;

/** Response codes of servers without EDNS (RFC 6891, section 7). */
const EDNS_REFUSALS: ReadonlySet<string> = new Set(['FORMERR', 'NOTIMP', 'BADVERS']);

type QueryResult = { kind: 'response'; response: DnsResponse } | { kind: 'truncated' } | QueryFailure;

/** One call of `query`. */
interface QueryCall {
  server: DnsServer;
  question: DnsQuestion;
  options: QueryOptions;
  limits: QueryLimits;
  /** When the first attempt was sent. The time in the queue before that does not count. */
  startedAt: number | undefined;
}

/**
 * Creates a client that queries DNS servers over UDP, TCP and HTTPS (RFC 8484), and decodes responses strictly.
 * Opens no socket before the first query.
 *
 * @example
 * const dns = createDnsClient({ timeoutMs: 1_000 });
 * const server = { address: '192.0.2.53', port: 53, transport: 'dns' } as const;
 * const exchange = await dns.query(server, { name: 'example.com', type: 'A' }, { recursive: true });
 * if (exchange.kind === 'response') console.log(exchange.response.answers);
 * dns.close();
 */
export function createDnsClient(options: DnsClientOptions = {}): DnsClient {
  const { timeoutMs = 2_000, triesMax = 2, parallelMax = 100, clock = systemClock, budget } = options;
  const random = options.random ?? secureRandom;
  const udp = createUdpSockets(random);
  const https = createHttpsExchange();
  const stops = createStopSignals();
  const closing = new AbortController();
  const semaphores = new Map<string, Semaphore>();
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

  /** Makes one attempt with EDNS and, if the server refuses that, one without. */
  async function attempt(call: QueryCall, over: DnsResponse['over'], edns = true): Promise<QueryResult> {
    const { server, question, limits } = call;
    const semaphore = semaphoreFor(server, over);
    if (!(await semaphore.acquire(limits.stop))) return queryFailure('aborted', 'stopped');
    call.startedAt ??= clock.now();
    // Over HTTPS 0, which caches need (RFC 8484, section 4.1). Over UDP the socket sets an id.
    const id = over === 'tcp' ? Math.floor(random() * ID_COUNT) : 0;
    const { recursive, checkingDisabled, dnssec } = call.options;
    const query = encodeQuery({ question, id, edns, recursive, checkingDisabled, dnssec });
    const received = await send(call, over, query);
    semaphore.release();
    if (received.kind === 'failure') return received;
    // The UDP socket passes on only messages with the id of the query.
    const result = decodeResponse(received.message, question, over === 'udp' ? { over } : { over, id });
    if (result.kind === 'malformed') return queryFailure('malformed', `malformed response: ${result.detail}`);
    const isRefused = edns && result.kind === 'response' && EDNS_REFUSALS.has(result.response.rcode);
    if (isRefused) return attempt(call, over, false);
    if (edns || result.kind !== 'response') return result;
    return { ...result, response: { ...result.response, withoutEdns: true } };
  }

  function stopFor(signal: AbortSignal | undefined): StopSignal {
    if (signal === undefined) return closed;
    const stop = stopBySignal.get(signal) ?? stops.join([closing.signal, signal]);
    stopBySignal.set(signal, stop);
    return stop;
  }

  function semaphoreFor({ address, port }: DnsServer, over: DnsResponse['over']): Semaphore {
    const key = `${over} ${address} ${port}`;
    const semaphore = semaphores.get(key) ?? createSemaphore(over === 'udp' ? parallelMax : CONNECTIONS_MAX);
    semaphores.set(key, semaphore);
    return semaphore;
  }

  function send(
    { server, question, limits }: QueryCall,
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

  async function queryOverDns(call: QueryCall): Promise<QueryResult> {
    const invalid = invalidServerReason(call.server);
    if (invalid !== undefined) return queryFailure('unreachable', invalid);
    let tries = 0;
    let result: QueryResult;
    do {
      result = await attempt(call, 'udp');
      tries += 1;
    } while (hasFailed(result, 'timeout') && tries < triesMax);
    if (result.kind === 'truncated') {
      const overTcp = await attempt(call, 'tcp');
      return overTcp.kind === 'failure'
        ? { ...overTcp, detail: `truncated over UDP; over TCP: ${overTcp.detail}` }
        : overTcp;
    }
    if (hasFailed(result, 'timeout') || hasFailed(result, 'unreachable')) {
      const attempts = tries > 1 ? ` (${tries} attempts)` : '';
      return afterTcp({ ...result, detail: `${result.detail}${attempts}` }, await attempt(call, 'tcp'));
    }
    return result;
  }

  return {
    async query(server, question, queryOptions) {
      const invalid = invalidQuestionReason(question);
      if (invalid !== undefined) return { ...queryFailure('malformed', invalid), elapsedMs: 0 };
      const call: QueryCall = {
        server,
        question,
        options: queryOptions,
        limits: { timeoutMs, clock, stop: stopFor(queryOptions.signal) },
        startedAt: undefined,
      };
      const result = server.transport === 'https' ? await attempt(call, 'https') : await queryOverDns(call);
      const elapsedMs = Math.round(Math.max(0, clock.now() - (call.startedAt ?? clock.now())));
      // Only UDP may truncate.
      if (result.kind === 'truncated')
        return { ...queryFailure('malformed', 'truncated response'), elapsedMs };
      return { ...result, elapsedMs };
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

/** Returns one of as many values as there are ids. */
function secureRandom(): number {
  return randomInt(ID_COUNT) / ID_COUNT;
}

function hasFailed(result: QueryResult, reason: QueryFailure['reason']): result is QueryFailure {
  return result.kind === 'failure' && result.reason === reason;
}

/** The reason why a server can't be queried. Host names are invalid: the system's resolver would cache the lookup. */
function invalidServerReason({ address, port }: DnsServer): string | undefined {
  if (ipFamily(address) === 0) return 'not an IP address';
  return Number.isInteger(port) && port > 0 && port < 0x1_0000 ? undefined : 'invalid port';
}

/** Combines a failure over UDP with the result over TCP. */
function afterTcp(failed: QueryFailure, result: QueryResult): QueryResult {
  if (result.kind !== 'failure' || result.reason === 'aborted' || result.reason === 'malformed')
    return result;
  return { ...failed, detail: `${failed.detail}; over TCP: ${result.detail}` };
}
