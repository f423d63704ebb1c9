import type { Mock, MockResponse } from '../../../src/mock/index.js';
import type { VirtualClock } from '../virtual-clock.js';

type Fetch = typeof globalThis.fetch;

/** Probabilities of connection failures, from 0 to 1. */
export interface Loss {
  /** The connection ends before the request arrives. */
  request?: number;
  /** The request is counted, and the connection ends before the response arrives. */
  response?: number;
  /** The request is counted, and no response ever arrives. */
  hang?: number;
}

/** The rate limit in the headers of a response. */
export interface ReceivedLimit {
  remaining?: number;
  /** When the window ends, by the simulation's clock. */
  resetAt?: number;
  retryAfterMs?: number;
}

/** One request, as client and service saw it. On the clock of the simulation. */
export interface RequestRecord {
  /** The process that sent it, or `FOREIGN`. */
  process: number;
  sentAt: number;
  /** When it reached the service. */
  arrivedAt?: number;
  receivedAt?: number;
  /** Order among all events: several happen within one millisecond. */
  sentStep: number;
  receivedStep?: number;
  status?: number;
  receivedLimit?: ReceivedLimit;
  banned?: boolean;
}

/** Result of a request of a killed process. */
const NEVER = new Promise<never>(() => undefined);

/** Process number of the other user of the key. */
export const FOREIGN = -1;

/** Properties of the network and the service. */
export interface ServiceOptions {
  mock: Mock;
  clock: VirtualClock;
  random: () => number;
  /** Minimum and maximum, each way. Requests and responses may overtake each other. */
  latencyMs: readonly [number, number];
  loss?: Loss;
  /** Changes the headers of the n-th response. */
  alter?: (headers: Record<string, string>, n: number, writtenAt: number) => void;
  /** The key that a request counts for. After a change of plan, another key of the mock. */
  keyAt: (now: number) => string;
}

/** A mock behind a network, in virtual time. */
export interface Service {
  /** All sent requests, in order. */
  readonly requests: readonly RequestRecord[];
  /** The fetch of one process. After the process is killed, it receives nothing. */
  fetchOf(process: number, killedAt: number): Fetch;
  /** Sends one request of the other user, without latency. Returns its Retry-After in milliseconds, or 0. */
  foreignRequest(): number;
}

/** Creates a network in front of a mock. */
export function createService(options: ServiceOptions): Service {
  const { mock, clock, random, loss = {}, alter, keyAt } = options;
  const [minimumMs, maximumMs] = options.latencyMs;
  const requests: RequestRecord[] = [];
  let responses = 0;
  let steps = 0;

  const travel = (signal?: AbortSignal | null): Promise<void> =>
    new Promise((resolve, reject) => {
      const cancel = clock.setTimeout(
        () => {
          signal?.removeEventListener('abort', abort);
          resolve();
        },
        Math.round(minimumMs + (maximumMs - minimumMs) * random()),
      );
      const abort = (): void => {
        cancel();
        reject(signal?.reason as Error);
      };
      signal?.addEventListener('abort', abort, { once: true });
    });

  const handle = (request: RequestRecord, url: string, method: string, body?: string): MockResponse => {
    const now = clock.now();
    const headers = { authorization: `Bearer ${keyAt(now)}`, 'content-type': 'application/json' };
    const outcome = mock.handle({ method, url, headers, ...(body === undefined ? {} : { body }) });
    if (outcome.kind !== 'response') throw new Error('The mock of a simulation must not inject faults');
    const { response } = outcome;
    request.arrivedAt = now;
    request.status = response.status;
    if (response.status === 429) request.banned = response.body.includes('key_banned');
    return response;
  };

  const send = async (
    process: number,
    killedAt: number,
    url: string,
    init: RequestInit,
  ): Promise<Response> => {
    const request: RequestRecord = { process, sentAt: clock.now(), sentStep: (steps += 1) };
    requests.push(request);
    const lossKind = chooseLoss(loss, random());
    await travel(init.signal);
    if (lossKind === 'request') return lose(killedAt);
    const response = handle(request, url, init.method ?? 'GET', init.body as string | undefined);
    if (lossKind === 'hang') await neverRespond(init.signal);
    await travel(init.signal);
    if (lossKind === 'response') return lose(killedAt);
    if (clock.now() >= killedAt) return NEVER;
    const headers = { ...response.headers };
    alter?.(headers, (responses += 1), request.arrivedAt ?? 0);
    request.receivedAt = clock.now();
    request.receivedStep = steps += 1;
    request.receivedLimit = readLimit(headers, request.arrivedAt ?? clock.now());
    return new Response(response.body, { status: response.status, headers });
  };

  const lose = (killedAt: number): Promise<never> =>
    clock.now() < killedAt ? Promise.reject(connectionLost()) : NEVER;

  return {
    requests,
    fetchOf: (process, killedAt) => (input, init) => send(process, killedAt, asUrl(input), init ?? {}),
    foreignRequest() {
      const request: RequestRecord = { process: FOREIGN, sentAt: clock.now(), sentStep: (steps += 1) };
      requests.push(request);
      const { headers } = handle(request, '/v1/pets?limit=1', 'GET');
      return Number(headers['retry-after'] ?? 0) * 1_000;
    },
  };
}

function chooseLoss(loss: Loss, draw: number): keyof Loss | undefined {
  const { request = 0, response = 0, hang = 0 } = loss;
  if (draw < request) return 'request';
  if (draw < request + response) return 'response';
  return draw < request + response + hang ? 'hang' : undefined;
}

/** Reads the headers, with times converted to the clock of the simulation. */
function readLimit(headers: Readonly<Record<string, string | undefined>>, arrivedAt: number): ReceivedLimit {
  const { date, 'x-ratelimit-remaining': remaining, 'x-ratelimit-reset': reset } = headers;
  const retryAfter = headers['retry-after'];
  const limit: ReceivedLimit = {};
  if (remaining !== undefined) limit.remaining = Number(remaining);
  if (retryAfter !== undefined) limit.retryAfterMs = Number(retryAfter) * 1_000;
  if (reset !== undefined && date !== undefined) {
    const aheadMs = Date.parse(date) - Math.floor(arrivedAt / 1_000) * 1_000;
    limit.resetAt = Number(reset) * 1_000 - aheadMs;
  }
  return limit;
}

function connectionLost(): TypeError {
  return new TypeError('fetch failed', { cause: Object.assign(new Error('reset'), { code: 'ECONNRESET' }) });
}

function neverRespond(signal: AbortSignal | null | undefined): Promise<never> {
  return new Promise((_, reject) => {
    signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}

function asUrl(input: string | URL | Request): string {
  return input instanceof Request ? input.url : String(input);
}
