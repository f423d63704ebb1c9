import { ConfigurationError } from '../../errors.js';
import { foreignMessage } from '../../foreign-error.js';
import { monotonic as monotonicMs } from '../../time/clock.js';
import { ConnectionPools, type Undici } from './connection-pools.js';
import { DispatchedExchange, type DispatcherLike } from './dispatched-exchange.js';
import { hasNodeHttp, nodeHttpTransport } from './node-http.js';
import { type Exchange, type Transport, TransportFailure, type TransportRequest } from './transport.js';

/**
 * Sends requests with undici's connection pools. For programs that send many requests. Loads undici at the first
 * request, because loading it takes longer than a whole one-shot command. Uses node:http where undici can't be loaded.
 * A bundle of esbuild in ESM format has no `require`, which undici needs, and Bun's undici has no dispatchers.
 *
 * @param dispatcher such as a `ProxyAgent`. The caller closes it. Default: pools of its own.
 * @param caCertificates trusted certificate authorities of the pools, in PEM. Default: Node's own list.
 * @param monotonic time in milliseconds.
 */
export function undiciTransport(
  dispatcher?: DispatcherLike,
  caCertificates?: readonly string[],
  monotonic = monotonicMs,
): Transport {
  let loading: Promise<Undici | undefined> | undefined;
  let pools: ConnectionPools | undefined;
  let fallback: Transport | undefined;
  return {
    send(request) {
      if (dispatcher !== undefined) return dispatch(dispatcher, request);
      if (pools !== undefined) return dispatchTo(pools, request);
      if (fallback !== undefined) return fallback.send(request);
      loading ??= loadUndici();
      return sendWhenLoaded(loading, (loaded) => {
        if (loaded === undefined) return (fallback ??= nodeHttpTransport(caCertificates)).send(request);
        pools ??= new ConnectionPools(loaded, caCertificates, monotonic);
        return dispatchTo(pools, request);
      });
    },
    async close() {
      await Promise.all([fallback?.close(), pools?.destroy()]);
    },
  };
}

function dispatch(dispatcher: DispatcherLike, request: TransportRequest): Exchange {
  const exchange = new DispatchedExchange(request);
  exchange.start(dispatcher);
  return exchange;
}

function dispatchTo(pools: ConnectionPools, request: TransportRequest): Exchange {
  const exchange = new DispatchedExchange(request, pools);
  exchange.start(pools.get(request));
  pools.watch(request, exchange);
  return exchange;
}

/**
 * @returns `undefined` if only node:http can be loaded.
 * @throws ConfigurationError if neither can be loaded.
 */
async function loadUndici(): Promise<Undici | undefined> {
  try {
    const loaded = await import('undici');
    if (typeof (loaded.Pool as Partial<Undici['Pool']> | undefined)?.prototype?.dispatch !== 'function')
      throw new Error('it has no Pool');
    return loaded;
  } catch (cause) {
    if (hasNodeHttp()) return undefined;
    throw new ConfigurationError(
      `No HTTP client available: could not load undici (${foreignMessage(cause)})`,
      {
        option: 'fetch',
        cause,
        hint: 'Pass the option fetch, such as fetch: globalThis.fetch.',
      },
    );
  }
}

function sendWhenLoaded<T>(loading: Promise<T>, start: (loaded: T) => Exchange): Exchange {
  let exchange: Exchange | undefined;
  let aborted = false;
  return {
    response: loading.then((loaded) => {
      if (aborted) throw new TransportFailure(new Error('Cancelled before sending'));
      exchange = start(loaded);
      return exchange.response;
    }),
    get sent() {
      return exchange?.sent ?? false;
    },
    abort() {
      aborted = true;
      exchange?.abort();
    },
    closeConnection() {
      exchange?.closeConnection?.();
    },
  };
}
