import type { Exchange, Transport, TransportResponse } from '../../src/client/transport/transport.js';
import type { VirtualClock } from './virtual-clock.js';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;

/** How a simulated service behaves. */
export interface SimulatedServiceOptions {
  perMinute: number;
  perDay: number;
  /** How long the request and its response each take, in milliseconds. */
  latencyMs: () => number;
}

/** A service in virtual time that counts in fixed windows and reports the one that is closer to its limit. */
export interface SimulatedService extends Transport {
  /** Numbers of requests with a 200 response, and with a 429 response. */
  readonly served: number;
  readonly limited: number;
  /** Number of requests sent before the Retry-After of the last 429 had passed. */
  readonly early: number;
  /** Paths in the order of sending. */
  readonly sent: readonly string[];
  /** Uses one request of the quota, as another user of the key does. */
  consumeRequest(): void;
}

/** Creates a service on a clock. */
export function createSimulatedService(
  clock: VirtualClock,
  { perMinute, perDay, latencyMs }: SimulatedServiceOptions,
): SimulatedService {
  const used = new Map<string, number>();
  const sent: string[] = [];
  let served = 0;
  let limited = 0;
  let early = 0;
  let retryAfterUntil = 0;

  const windows = (): { name: string; limit: number; remaining: number; endsAt: number }[] => {
    const window = (name: string, limit: number, lengthMs: number) => {
      const index = Math.floor(clock.now() / lengthMs);
      const id = `${name} ${String(index)}`;
      return { name: id, limit, remaining: limit - (used.get(id) ?? 0), endsAt: (index + 1) * lengthMs };
    };
    return [window('minute', perMinute, MINUTE_MS), window('day', perDay, DAY_MS)];
  };
  const takeOne = (): boolean => {
    const open = windows();
    if (open.some(({ remaining }) => remaining <= 0)) return false;
    for (const { name } of open) used.set(name, (used.get(name) ?? 0) + 1);
    return true;
  };
  const respondNow = (): TransportResponse => {
    const consumed = takeOne();
    const [minute, day] = windows();
    if (minute === undefined || day === undefined) throw new Error('two windows are counted');
    const tighterWindow = day.remaining <= minute.remaining ? day : minute;
    const headers = {
      date: new Date(clock.now()).toUTCString(),
      'x-ratelimit-limit': String(tighterWindow.limit),
      'x-ratelimit-remaining': String(tighterWindow.remaining),
      'x-ratelimit-reset': String(tighterWindow.endsAt / 1_000),
    };
    const body = Buffer.from('[]');
    if (consumed) return { status: 200, headers, body, end: 'complete' };
    const retryAfter = { 'retry-after': String(Math.ceil((tighterWindow.endsAt - clock.now()) / 1_000)) };
    return { status: 429, headers: { ...headers, ...retryAfter }, body, end: 'complete' };
  };

  return {
    send({ path }): Exchange {
      sent.push(path);
      if (clock.now() < retryAfterUntil) early += 1;
      const pending = new Promise<TransportResponse>((resolve) => {
        clock.setTimeout(() => {
          const response = respondNow();
          clock.setTimeout(() => {
            if (response.status === 429) {
              limited += 1;
              retryAfterUntil = clock.now() + Number(response.headers['retry-after']) * 1_000;
            } else {
              served += 1;
            }
            resolve(response);
          }, latencyMs());
        }, latencyMs());
      });
      return { response: pending, sent: true, abort: () => undefined };
    },
    close: () => Promise.resolve(),
    consumeRequest: () => void takeOne(),
    get served() {
      return served;
    },
    get limited() {
      return limited;
    },
    get early() {
      return early;
    },
    sent,
  };
}
