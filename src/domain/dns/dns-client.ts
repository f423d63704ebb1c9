import { randomInt } from 'node:crypto';
import { checkOptions } from '../../options/check-argument.js';
import { type Check, mustBe, mustBeClock, mustBeFunction } from '../../options/check-options.js';
import { type Clock, systemClock } from '../../time/clock.js';
import { createSemaphore, type Semaphore } from './concurrency/limiter.js';
import { type ExchangeLimits, stopSignalOf, type StopSignal } from './concurrency/stop-signal.js';
import {
  type DnsClient,
  type DnsQuestion,
  type DnsResponse,
  type DnsServer,
  type QueryOptions,
  SLOW_MS,
} from './dns.js';
import { ipFamily } from './server-address.js';
import { createHttpsExchange } from './https.js';
import { exchangeOverTcp } from './tcp.js';
import { type TransportResult, queryFailure, type QueryFailure } from './transport-result.js';
import { createUdpSockets } from './udp.js';
import { decodeResponse, isResponseTo } from './decode-response.js';
import { encodeQuery, invalidQuestionReason } from './encode-query.js';

export interface DnsClientOptions {
  /**
   * Limit of one attempt over one transport, in milliseconds.
   *
   * @default 2000
   */
  timeoutMs?: number | undefined;
  /**
   * Attempts over UDP. With the second one, an attempt over TCP starts too.
   *
   * @default 2
   */
  triesMax?: number | undefined;
  /**
   * Queries in flight to one server over UDP. More responses than the default may overflow a socket's buffer.
   *
   * @default 100
   */
  parallelMax?: number | undefined;
  /**
   * Chooses query ids. Returns at least 0 and less than 1.
   *
   * @default `node:crypto`, so that ids are unpredictable
   */
  random?: (() => number) | undefined;
  clock?: Pick<Clock, 'monotonic' | 'setTimeout'> | undefined;
}

const atLeastOne = mustBe(
  'a whole number of at least 1',
  (value) => Number.isSafeInteger(value) && (value as number) >= 1,
);
const CHECKS: Readonly<Record<keyof DnsClientOptions, Check>> = {
  timeoutMs: mustBe('a number above 0', (value) => typeof value === 'number' && value > 0),
  triesMax: atLeastOne,
  parallelMax: atLeastOne,
  random: mustBeFunction,
  clock: mustBeClock('an object with the methods monotonic and setTimeout', 'monotonic', 'setTimeout'),
};

/** TCP connections to one server at once. Servers allow far fewer connections than datagrams. */
const CONNECTIONS_MAX = 8;
const ID_COUNT = 0x1_0000;

/** Response codes of servers without EDNS (RFC 6891, section 7). */
const EDNS_REFUSALS: ReadonlySet<string> = new Set(['FORMERR', 'NOTIMP', 'BADVERS']);

/** One call of `query`. */
interface QueryCall {
  server: DnsServer;
  question: DnsQuestion;
  options: QueryOptions;
  limits: ExchangeLimits;
  /** When the first attempt was sent. The time in the queue before that does not count. */
  startedAt: number | undefined;
  cancelSlow: (() => void) | undefined;
}

/**
 * Creates a client that queries DNS servers over UDP, TCP and HTTPS (RFC 8484), and decodes responses strictly.
 * Opens no socket before the first query.
 *
 * @throws InvalidInputError for an unknown option or an invalid value.
 * @example
 * const dns = createDnsClient({ timeoutMs: 1_000 });
 * const server = { address: '192.0.2.53', port: 53, transport: 'dns' } as const;
 * const exchange = await dns.query(server, { name: 'example.com', type: 'A' }, { recursive: true });
 * if (exchange.kind === 'response') console.log(exchange.response.answers);
 * dns.close();
 */
export function createDnsClient(options: DnsClientOptions = {}): DnsClient {
  checkOptions(options, CHECKS);
  const { timeoutMs = 2_000, triesMax = 2, parallelMax = 100, clock = systemClock } = options;
  const random = options.random ?? secureRandom;
  const udp = createUdpSockets(random);
  const https = createHttpsExchange();
  const closing = new AbortController();
  const semaphores = new Map<string, Semaphore>();
  // What a server can't do is tried once.
  const withoutEdns = new Set<string>();
  const withoutTcp = new Set<string>();
  const closed = stopSignalOf(closing.signal);
  const stopBySignal = new WeakMap<AbortSignal, StopSignal>();

  /** Makes one attempt with EDNS and, if the server refuses that, one without. */
  async function attempt(
    call: QueryCall,
    over: DnsResponse['over'],
    edns = !withoutEdns.has(serverKey(call.server)),
  ): Promise<QueryResult> {
    const { server, question } = call;
    const limits = { ...call.limits, timeoutMs: Math.min(call.limits.timeoutMs, remainingMs(call)) };
    if (limits.timeoutMs <= 0) return queryFailure('timeout', 'no time left');
    const semaphore = semaphoreFor(server, over);
    if (!(await semaphore.acquire(limits.stop))) return queryFailure('aborted', 'stopped');
    if (call.startedAt === undefined) start(call);
    // Over HTTPS 0, which caches need (RFC 8484, section 4.1). Over UDP the socket sets an id.
    const id = over === 'tcp' ? Math.floor(random() * ID_COUNT) : 0;
    const { recursive, checkingDisabled, dnssec } = call.options;
    const query = encodeQuery({ question, id, edns, recursive, checkingDisabled, dnssec });
    const received = await send(call, over, query, limits);
    semaphore.release();
    if (received.kind === 'failure') return received;
    // The UDP socket passes on only messages with the id of the query.
    const result = decodeResponse(received.message, question, over === 'udp' ? { over } : { over, id });
    if (result.kind === 'malformed')
      return queryFailure('malformed', `malformed response (${result.detail})`);
    const isRefused = edns && result.kind === 'response' && EDNS_REFUSALS.has(result.response.rcode);
    if (isRefused) return attempt(call, over, false);
    if (edns || result.kind !== 'response') return result;
    if (!EDNS_REFUSALS.has(result.response.rcode)) withoutEdns.add(serverKey(server));
    return { ...result, response: { ...result.response, withoutEdns: true } };
  }

  function start(call: QueryCall): void {
    call.startedAt = clock.monotonic();
    const { onSlow } = call.options;
    if (onSlow !== undefined) call.cancelSlow = clock.setTimeout(onSlow, SLOW_MS);
  }

  function remainingMs({ startedAt, options: { limitMs } }: QueryCall): number {
    if (limitMs === undefined) return Number.POSITIVE_INFINITY;
    return startedAt === undefined ? limitMs : startedAt + limitMs - clock.monotonic();
  }

  function stopFor(signal: AbortSignal | undefined): StopSignal {
    if (signal === undefined) return closed;
    const stop = stopBySignal.get(signal) ?? stopSignalOf(closing.signal, signal);
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
    { server, question }: QueryCall,
    over: DnsResponse['over'],
    query: Buffer,
    limits: ExchangeLimits,
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
    const first = await attempt(call, 'udp');
    if (first.kind === 'truncated') return overTcpAfterTruncation(call);
    if (!isUnanswered(first)) return first;
    if (first.reason === 'unreachable') return afterTcp(first, await attemptTcp(call));
    // A lost datagram is repeated. A server whose UDP is blocked may respond over TCP, so both start now.
    const losers = new AbortController();
    const stop = stopSignalOf(closing.signal, call.options.signal, losers.signal);
    const rest = { ...call, limits: { ...call.limits, stop } };
    const retries = retryUdp(rest, first);
    const overTcp = attemptTcp(rest);
    const answered = await Promise.any([retries, overTcp].map(rejectUnanswered)).catch(() => undefined);
    losers.abort();
    if (answered?.kind === 'truncated') return overTcpAfterTruncation(call);
    if (answered !== undefined) return answered;
    const attempts = triesMax > 1 ? ` (${triesMax} attempts)` : '';
    return afterTcp(queryFailure('timeout', `${first.detail}${attempts}`), await overTcp);
  }

  async function retryUdp(call: QueryCall, first: QueryResult): Promise<QueryResult> {
    let result = first;
    for (let tries = 1; tries < triesMax && hasFailed(result, 'timeout'); tries += 1) {
      result = await attempt(call, 'udp');
    }
    return result;
  }

  async function attemptTcp(call: QueryCall): Promise<QueryResult> {
    const key = serverKey(call.server);
    if (withoutTcp.has(key)) return queryFailure('timeout', 'not available');
    const result = await attempt(call, 'tcp');
    if (isUnanswered(result)) withoutTcp.add(key);
    return result;
  }

  async function overTcpAfterTruncation(call: QueryCall): Promise<QueryResult> {
    const overTcp = await attempt(call, 'tcp');
    return overTcp.kind === 'failure'
      ? { ...overTcp, detail: `truncated over UDP; over TCP: ${overTcp.detail}`, isTruncated: true }
      : overTcp;
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
        cancelSlow: undefined,
      };
      const result = server.transport === 'https' ? await attempt(call, 'https') : await queryOverDns(call);
      call.cancelSlow?.();
      const elapsedMs = Math.round(Math.max(0, clock.monotonic() - (call.startedAt ?? clock.monotonic())));
      // Only UDP may truncate.
      if (result.kind === 'truncated')
        return { ...queryFailure('malformed', 'truncated response'), elapsedMs };
      return { ...result, elapsedMs };
    },
    close() {
      closing.abort();
      udp.close();
      https.close();
    },
  };
}

/** Returns one of as many values as there are ids. */
function secureRandom(): number {
  return randomInt(ID_COUNT) / ID_COUNT;
}

/** The reason why a server can't be queried. Host names are invalid: the system's resolver would cache the lookup. */
function invalidServerReason({ address, port }: DnsServer): string | undefined {
  if (ipFamily(address) === 0) return 'not an IP address';
  return Number.isInteger(port) && port > 0 && port < 0x1_0000 ? undefined : 'invalid port';
}

function serverKey({ address, port }: DnsServer): string {
  return `${address} ${port}`;
}

/** The result of one attempt. */
export type QueryResult = { kind: 'response'; response: DnsResponse } | { kind: 'truncated' } | QueryFailure;

function hasFailed(result: QueryResult, reason: QueryFailure['reason']): result is QueryFailure {
  return result.kind === 'failure' && result.reason === reason;
}

/** Whether there was no response. The server may respond to another attempt. */
function isUnanswered(result: QueryResult): result is QueryFailure {
  return hasFailed(result, 'timeout') || hasFailed(result, 'unreachable');
}

/** Rejects if there was no response, so that the first response is awaited. */
async function rejectUnanswered(pending: Promise<QueryResult>): Promise<QueryResult> {
  const result = await pending;
  if (isUnanswered(result)) throw new Error('no response');
  return result;
}

/** Combines a failure over UDP with the result over TCP. */
function afterTcp(failed: QueryFailure, result: QueryResult): QueryResult {
  if (result.kind !== 'failure' || result.reason === 'aborted' || result.reason === 'malformed')
    return result;
  return { ...failed, detail: `${failed.detail}; over TCP: ${result.detail}` };
}
