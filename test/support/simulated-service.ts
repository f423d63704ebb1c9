import type { Exchange, Transport, TransportResponse } from '../../src/client/transport/transport.js';
import type { VirtualClock } from './virtual-clock.js';

const MINUTE_MS = 60_000;

/** How a simulated service behaves. */
export interface SimulatedServiceOptions {
  perMinute: number;
  /** How long the request and its response each take, in milliseconds. */
  latencyMs: () => number;
}

/** A service in virtual time that counts the requests of each minute. */
export interface SimulatedService extends Transport {
  /** Numbers of requests with a 200 response, and with a 429 response. */
  readonly served: number;
  readonly limited: number;
  /** Number of requests sent before the Retry-After of the last 429 had passed. */
  readonly early: number;
  /** Uses one request of the quota, as another user of the key does. */
  consumeRequest(): boolean;
}

/** Creates a service on a clock. */
export function createSimulatedService(
  clock: VirtualClock,
  { perMinute, latencyMs }: SimulatedServiceOptions,
): SimulatedService {
  let [minute, remaining, retryAfterUntil] = [0, perMinute, 0];
  const counts = { served: 0, limited: 0, early: 0 };

  const consumeRequest = (): boolean => {
    const current = Math.floor(clock.now() / MINUTE_MS);
    if (current !== minute) remaining = perMinute;
    minute = current;
    if (remaining === 0) return false;
    remaining -= 1;
    return true;
  };
  const respond = (): TransportResponse => {
    const isServed = consumeRequest();
    const resetAt = (minute + 1) * MINUTE_MS;
    const headers = {
      date: new Date(clock.now()).toUTCString(),
      'x-ratelimit-limit': String(perMinute),
      'x-ratelimit-remaining': String(remaining),
      'x-ratelimit-reset': String(resetAt / 1_000),
    };
    const shared = { body: Buffer.from('[]'), end: 'complete' } as const;
    if (isServed) return { status: 200, headers, ...shared };
    const retryAfter = String(Math.ceil((resetAt - clock.now()) / 1_000));
    return { status: 429, headers: { ...headers, 'retry-after': retryAfter }, ...shared };
  };

  return Object.assign(counts, {
    send(): Exchange {
      if (clock.now() < retryAfterUntil) counts.early += 1;
      const response = new Promise<TransportResponse>((resolve) => {
        clock.setTimeout(() => {
          const received = respond();
          clock.setTimeout(() => {
            const { 'retry-after': retryAfter } = received.headers;
            if (retryAfter === undefined) counts.served += 1;
            else {
              counts.limited += 1;
              retryAfterUntil = clock.now() + Number(retryAfter) * 1_000;
            }
            resolve(received);
          }, latencyMs());
        }, latencyMs());
      });
      return { response, sent: true, abort: () => undefined };
    },
    close: () => Promise.resolve(),
    consumeRequest,
  });
}
