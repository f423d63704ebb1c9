import type { Socket } from 'node:net';
import type undici from 'undici';
import type { buildConnector, Dispatcher } from 'undici';
import { ConfigurationError } from '../../errors.js';
import { foreignMessage } from '../../foreign-error.js';
import { monotonic as monotonicMs } from '../../time/clock.js';
import { BodyCollector, decodeBody } from './body.js';
import {
  type Exchange,
  isProgrammingError,
  isWriteRequest,
  joinHeaders,
  optionFailure,
  type Transport,
  TransportFailure,
  type TransportRequest,
  type TransportResponse,
} from './transport.js';
import { hasNodeHttp, nodeHttpTransport } from './node-http.js';
import { poolKey, WRITE_KEEP_ALIVE, Writes } from './write-pool.js';

/**
 * The part of an undici dispatcher that the client uses. Every dispatcher of undici 7 and 8 has it. Those of undici 6 and
 * of Node 20 itself expect another handler and fail.
 */
export interface DispatcherLike {
  /** Sends a request, and calls the handler with the parts of its response. */
  dispatch(options: object, handler: object): boolean;
}

/**
 * Sends requests with undici's connection pool. For programs that send many requests. Loads undici at the first
 * request, because loading it takes longer than a whole one-shot command. Uses node:http where undici can't be loaded.
 * A bundle of esbuild in ESM format has no `require`, which undici needs, and Bun's undici has no dispatchers.
 *
 * @param dispatcher such as a `ProxyAgent`. The caller closes it. Default: a pool for each origin.
 * @param caCertificates trusted certificate authorities of the pools, in PEM. Default: Node's own list.
 * @param monotonic time in milliseconds.
 */
export function undiciTransport(
  dispatcher?: DispatcherLike,
  caCertificates?: readonly string[],
  monotonic = monotonicMs,
): Transport {
  const pending = new PendingConnections();
  const pools = new Map<string, Dispatcher>();
  const writes = new Writes(pools, monotonic);
  let loading: Promise<Undici | undefined> | undefined;
  let fallback: Transport | undefined;
  return {
    send(request) {
      if (dispatcher !== undefined) return dispatch(dispatcher, request, pending);
      const isWrite = isWriteRequest(request);
      if (isWrite) writes.closeIdle(request);
      const ready = pools.get(poolKey(request));
      if (ready !== undefined) return writes.watch(dispatch(ready, request, pending, pools), isWrite);
      if (fallback !== undefined) return fallback.send(request);
      loading ??= loadUndici();
      return sendWhenLoaded(loading, (loaded) => {
        if (loaded === undefined) return (fallback ??= nodeHttpTransport(caCertificates)).send(request);
        const key = poolKey(request);
        const pool = pools.get(key) ?? createPool(loaded, request, pending, caCertificates);
        pools.set(key, pool);
        return writes.watch(dispatch(pool, request, pending, pools), isWrite);
      });
    },
    async close() {
      const open = [...pools.values()];
      pools.clear();
      await Promise.all([fallback?.close(), ...open.map((pool) => pool.destroy())]);
    },
  };
}

type Undici = typeof undici;

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

function createPool(
  { buildConnector, Pool }: Undici,
  request: TransportRequest,
  pending: PendingConnections,
  caCertificates: readonly string[] | undefined,
): Dispatcher {
  const tlsOptions = caCertificates === undefined ? {} : { ca: [...caCertificates] };
  // No time limits of undici: `timeoutMs` covers connecting, headers and body.
  const connect = pending.watch(buildConnector({ timeout: 0, ...tlsOptions }));
  return new Pool(request.origin, {
    headersTimeout: 0,
    bodyTimeout: 0,
    connect,
    ...(isWriteRequest(request) ? WRITE_KEEP_ALIVE : {}),
  });
}

/** undici's connector returns its socket, which its type does not declare. */
type SocketConnector = (...args: Parameters<buildConnector.connector>) => Socket | undefined;

/**
 * Closes connections that are being opened when no request waits for them. undici continues to connect for a
 * cancelled request, sometimes for minutes. This keeps the process alive.
 */
class PendingConnections {
  readonly #sockets = new Set<Socket>();
  #waitingCount = 0;

  /** Wraps a connector, to know its sockets until they are connected. */
  watch(connector: buildConnector.connector): buildConnector.connector {
    const connect = connector as SocketConnector;
    return (options, callback) => {
      const socket = connect(options, (...result) => {
        if (socket !== undefined) this.#sockets.delete(socket);
        callback(...result);
      });
      if (socket !== undefined) this.#sockets.add(socket);
    };
  }

  /** Counts a request that waits for a connection. */
  add(): void {
    this.#waitingCount += 1;
  }

  /** Counts a request that started, failed or was cancelled. If no other waits, destroys all connecting sockets. */
  remove(): void {
    this.#waitingCount -= 1;
    if (this.#waitingCount > 0) return;
    for (const socket of this.#sockets) socket.destroy(new Error('No request waits for this connection'));
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

function dispatch(
  dispatcher: DispatcherLike,
  request: TransportRequest,
  pending: PendingConnections,
  pools?: Map<string, Dispatcher>,
): Exchange {
  const { origin, path, method, headers, body = null } = request;
  const exchange = new DispatchedExchange(request, pending, pools);
  try {
    dispatcher.dispatch({ origin, path, method, headers, body }, exchange);
  } catch (error) {
    exchange.fail(error);
  }
  return exchange;
}

/**
 * One request through undici's handler interface. It needs no stream and no AbortSignal, so it takes a fifth less time
 * than `undici.request`. A class, because closures and accessors would take longer to create.
 */
class DispatchedExchange implements Exchange, Dispatcher.DispatchHandler {
  readonly response: Promise<TransportResponse>;
  readonly #request: TransportRequest;
  readonly #pending: PendingConnections;
  /** The pools of the transport. `undefined` for a dispatcher of the caller. */
  readonly #pools: Map<string, Dispatcher> | undefined;
  readonly #collector: BodyCollector;
  #resolve!: (response: TransportResponse) => void;
  #reject!: (failure: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #head: { status: number; headers: Record<string, string> } | undefined;
  #aborted = false;
  #isWaiting = true;

  constructor(
    request: TransportRequest,
    pending: PendingConnections,
    pools: Map<string, Dispatcher> | undefined,
  ) {
    this.#request = request;
    this.#pending = pending;
    this.#pools = pools;
    pending.add();
    this.#collector = new BodyCollector(request.bodyMaxBytes);
    this.response = new Promise((resolve, reject) => {
      this.#resolve = resolve;
      this.#reject = reject;
    });
  }

  get sent(): boolean {
    return this.#controller !== undefined;
  }

  abort(): void {
    this.#aborted = true;
    this.#stopWaiting();
    this.#controller?.abort(new Error('Cancelled'));
  }

  /** Replaces the pool, because undici does not show the connection. Requests in flight still complete. */
  closeConnection(): void {
    const key = poolKey(this.#request);
    const pool = this.#pools?.get(key);
    this.#pools?.delete(key);
    pool?.close().catch(() => undefined);
  }

  /** Rejects the response. */
  fail(error: unknown): void {
    this.#stopWaiting();
    this.#reject(
      isProgrammingError(error) ? optionFailure('dispatcher', error) : new TransportFailure(error),
    );
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#stopWaiting();
    if (this.#aborted) controller.abort(new Error('Cancelled'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Skips informational responses (1xx), which precede the final one (RFC 9110, section 15.2).
    if (status >= 200) this.#head = { status, headers: joinHeaders(headers) };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#collector.add(chunk)) return;
    this.#finish('too-large');
    controller.abort(new Error('The body is larger than allowed'));
  }

  onResponseEnd(): void {
    this.#finish('complete');
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#head === undefined) this.fail(error);
    else this.#finish('truncated');
  }

  #stopWaiting(): void {
    if (!this.#isWaiting) return;
    this.#isWaiting = false;
    this.#pending.remove();
  }

  #finish(end: TransportResponse['end']): void {
    if (this.#head === undefined) return;
    const { status, headers } = this.#head;
    const body = this.#collector.body();
    const encoding = headers['content-encoding'];
    if (encoding === undefined) {
      this.#resolve({ status, headers, body, end });
      return;
    }
    decodeBody({ body, end }, encoding, this.#request.bodyMaxBytes).then((decoded) => {
      this.#resolve({ status, headers, ...decoded });
    }, this.#reject);
  }
}
