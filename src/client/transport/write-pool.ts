import type { Dispatcher } from 'undici';
import { type Exchange, isWriteRequest, type TransportRequest, writeIdleMaxMs } from './transport.js';

/** Returns the name of a pool. Writes have connections of their own, which are closed sooner. */
export function poolKey(request: TransportRequest): string {
  return isWriteRequest(request) ? `write ${request.origin}` : request.origin;
}

/** 1 s, or half of an announced time: undici takes the threshold from that, and the maximum is reached at 1.5 s. */
export const WRITE_KEEP_ALIVE = {
  keepAliveTimeout: writeIdleMaxMs(),
  keepAliveMaxTimeout: writeIdleMaxMs(),
  keepAliveTimeoutThreshold: 500,
};

/** Replaces the pool of writes if its connections are idle for too long: a timer is late after a suspension. */
export class Writes {
  readonly #pools: Map<string, Dispatcher>;
  readonly #monotonic: () => number;
  #inFlight = 0;
  #endedAt = 0;

  constructor(pools: Map<string, Dispatcher>, monotonic: () => number) {
    this.#pools = pools;
    this.#monotonic = monotonic;
  }

  closeIdle(request: TransportRequest): void {
    if (this.#inFlight > 0 || this.#monotonic() - this.#endedAt <= writeIdleMaxMs()) return;
    const key = poolKey(request);
    const pool = this.#pools.get(key);
    this.#pools.delete(key);
    pool?.close().catch(() => undefined);
  }

  watch(exchange: Exchange, isWrite: boolean): Exchange {
    if (!isWrite) return exchange;
    this.#inFlight += 1;
    const end = (): void => {
      this.#inFlight -= 1;
      this.#endedAt = this.#monotonic();
    };
    exchange.response.then(end, end);
    return exchange;
  }
}
