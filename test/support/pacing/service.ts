import type { Mock, MockResponse } from '../../../src/mock/index.js';
import type { VirtualClock } from '../virtual-clock.js';

type Fetch = typeof globalThis.fetch;

/** How often a connection fails on the way, each a chance from 0 to 1. */
export interface Loss {
  /** The connection ends before the service has the request. */
  request?: number;
  /** The service has carried it out and counted it, and the connection ends. */
  answer?: number;
  /** The same, and the connection stays open without a word. */
  hang?: number;
}

/** What an answer told of the limit, where it told it. */
export interface Told {
  remaining?: number;
  /** When the window ends, by the simulation's clock. */
  resetAt?: number;
  retryAfterMs?: number;
}

/** One request as everybody who was part of it saw it. Times are those of the simulation. */
export interface Exchange {
  /** The process that sent it; `FOREIGN` for the other user of the key. */
  process: number;
  sentAt: number;
  /** When the service counted or refused it. */
  arrivedAt?: number;
  receivedAt?: number;
  /** Place of the sending and of the receiving among all of them: much happens within one millisecond. */
  sentStep: number;
  receivedStep?: number;
  status?: number;
  told?: Told;
  banned?: boolean;
}

/** What a dead process waits for. */
const NEVER = new Promise<never>(() => undefined);

/** The number that stands for the other user of the key. */
export const FOREIGN = -1;

/** How the way to the service is. */
export interface ServiceOptions {
  mock: Mock;
  clock: VirtualClock;
  random: () => number;
  /** Least and most, each way: requests and answers overtake one another. */
  latencyMs: readonly [number, number];
  loss?: Loss;
  /** Changes the headers of the n-th answer on its way. */
  alter?: (headers: Record<string, string>, n: number, writtenAt: number) => void;
  /** The key that a request counts for, whatever it was sent with: a plan that changes is another key of the mock. */
  keyAt: (now: number) => string;
}

/** A mock at the far end of a network, in virtual time. */
export interface Service {
  /** Everything that was sent, in order. */
  readonly exchanges: readonly Exchange[];
  /** The way of one process to the service. From its death on nothing comes back to it. */
  fetchOf(process: number, diesAt: number): Fetch;
  /** One request of the other user, at the service at once. Returns how long it is told to wait, 0 where it was let in. */
  foreignRequest(): number;
}

/** Puts a network in front of a mock. */
export function createService(options: ServiceOptions): Service {
  const { mock, clock, random, loss = {}, alter, keyAt } = options;
  const [least, most] = options.latencyMs;
  const exchanges: Exchange[] = [];
  let answers = 0;
  let steps = 0;

  const leg = (signal?: AbortSignal | null): Promise<void> =>
    new Promise((resolve, reject) => {
      const cancel = clock.setTimeout(
        () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
        Math.round(least + (most - least) * random()),
      );
      const abort = (): void => {
        cancel();
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
    });

  const handle = (exchange: Exchange, url: string, method: string, body?: string): MockResponse => {
    const now = clock.now();
    const headers = { authorization: `Bearer ${keyAt(now)}`, 'content-type': 'application/json' };
    const outcome = mock.handle({ method, url, headers, ...(body === undefined ? {} : { body }) });
    if (outcome.kind !== 'answer') throw new Error('the mock of a simulation has no faults of its own');
    const { response } = outcome;
    exchange.arrivedAt = now;
    exchange.status = response.status;
    if (response.status === 429) exchange.banned = response.body.includes('key_banned');
    return response;
  };

  const send = async (process: number, diesAt: number, url: string, init: RequestInit): Promise<Response> => {
    const exchange: Exchange = { process, sentAt: clock.now(), sentStep: (steps += 1) };
    exchanges.push(exchange);
    const fate = fateOf(loss, random());
    await leg(init.signal);
    if (fate === 'request') return lose(diesAt);
    const response = handle(exchange, url, init.method ?? 'GET', init.body as string | undefined);
    if (fate === 'hang') await silence(init.signal);
    await leg(init.signal);
    if (fate === 'answer') return lose(diesAt);
    if (clock.now() >= diesAt) return NEVER;
    const headers = { ...response.headers };
    alter?.(headers, (answers += 1), exchange.arrivedAt ?? 0);
    exchange.receivedAt = clock.now();
    exchange.receivedStep = steps += 1;
    exchange.told = toldBy(headers, exchange.arrivedAt ?? clock.now());
    return new Response(response.body, { status: response.status, headers });
  };

  const lose = (diesAt: number): Promise<never> =>
    clock.now() < diesAt ? Promise.reject(connectionLost()) : NEVER;

  return {
    exchanges,
    fetchOf: (process, diesAt) => (input, init) => send(process, diesAt, asUrl(input), init ?? {}),
    foreignRequest() {
      const exchange: Exchange = { process: FOREIGN, sentAt: clock.now(), sentStep: (steps += 1) };
      exchanges.push(exchange);
      const { headers } = handle(exchange, '/v1/pets?limit=1', 'GET');
      return Number(headers['retry-after'] ?? 0) * 1_000;
    },
  };
}

function fateOf(loss: Loss, drawn: number): keyof Loss | undefined {
  const { request = 0, answer = 0, hang = 0 } = loss;
  if (drawn < request) return 'request';
  if (drawn < request + answer) return 'answer';
  return drawn < request + answer + hang ? 'hang' : undefined;
}

/** What the headers said when they came, with the service's clock read as the simulation's. */
function toldBy(headers: Readonly<Record<string, string | undefined>>, arrivedAt: number): Told {
  const { date, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset } = headers;
  const retryAfter = headers['retry-after'];
  const told: Told = {};
  if (remaining !== undefined) told.remaining = Number(remaining);
  if (retryAfter !== undefined) told.retryAfterMs = Number(retryAfter) * 1_000;
  if (reset !== undefined && date !== undefined) {
    const aheadMs = Date.parse(date) - Math.floor(arrivedAt / 1_000) * 1_000;
    told.resetAt = Number(reset) * 1_000 - aheadMs;
  }
  return told;
}

function connectionLost(): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
}

function silence(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function asUrl(input: string | URL | Request): string {
  return input instanceof Request ? input.url : String(input);
}
