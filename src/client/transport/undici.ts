import type { Socket } from 'node:net';
import type undici from 'undici';
import type { buildConnector, Dispatcher } from 'undici';
import { type Collector, createCollector } from './collect.js';
import { decodeBody } from './decode.js';
import {
  type Exchange,
  type Transport,
  type TransportResponse,
  TransportFailure,
  type TransportRequest,
} from './transport.js';

/**
 * Sends over undici's connection pool: the choice for programs that send many requests. undici is loaded at the first
 * request, because loading it costs more than a one-shot command takes altogether.
 *
 * @param own a dispatcher to send with, such as a `ProxyAgent`; it is not closed here. Default: a pool of our own.
 */
export function undiciTransport(own?: Dispatcher): Transport {
  const connecting = createConnecting();
  const pools = new Map<string, Dispatcher>();
  let loading: Promise<Undici> | undefined;
  return {
    send(request) {
      const ready = own ?? pools.get(request.origin);
      if (ready !== undefined) return dispatch(ready, request, connecting);
      loading ??= import('undici');
      const pool = loading.then((loaded) => poolFor(pools, loaded, request.origin, connecting));
      return sendWhenLoaded(pool, request, connecting);
    },
    async close() {
      const open = [...pools.values()];
      pools.clear();
      await Promise.all(open.map((pool) => pool.destroy()));
    },
  };
}

type Undici = typeof undici;

function poolFor(
  pools: Map<string, Dispatcher>,
  { buildConnector, Pool }: Undici,
  origin: string,
  connecting: Connecting,
): Dispatcher {
  let pool = pools.get(origin);
  if (pool === undefined) {
    // Time limits are the client's own, and cover connecting, headers and body alike.
    const connect = connecting.watch(buildConnector({ timeout: 0 }));
    pool = new Pool(origin, { headersTimeout: 0, bodyTimeout: 0, connect });
    pools.set(origin, pool);
  }
  return pool;
}

/**
 * The connections that are being made, and the requests that wait for one. undici goes on connecting for a request that
 * was given up, for minutes where nobody answers, and that keeps the process alive.
 */
interface Connecting {
  /** Makes a connector that remembers its sockets until they are connected. */
  watch(connector: buildConnector.connector): buildConnector.connector;
  /** A request waits for a connection. */
  join(request: object): void;
  /** It waits no more: it has begun, failed, or was given up. After the last one, what is still connecting is ended. */
  leave(request: object): void;
}

/** What undici's connector is: it gives its socket back, which its own type does not say. */
type SocketConnector = (...args: Parameters<buildConnector.connector>) => Socket | undefined;

function createConnecting(): Connecting {
  const sockets = new Set<Socket>();
  const requests = new Set<object>();
  return {
    watch(connector) {
      const connect = connector as SocketConnector;
      return (options, callback) => {
        const socket = connect(options, (...result) => {
          if (socket !== undefined) sockets.delete(socket);
          callback(...result);
        });
        if (socket !== undefined) sockets.add(socket);
      };
    },
    join: (request) => void requests.add(request),
    leave(request) {
      if (!requests.delete(request) || requests.size > 0) return;
      for (const socket of sockets) socket.destroy(new Error('no request waits for this connection'));
    },
  };
}

function sendWhenLoaded(
  loading: Promise<Dispatcher>,
  request: TransportRequest,
  connecting: Connecting,
): Exchange {
  let exchange: Exchange | undefined;
  let aborted = false;
  return {
    response: loading.then((dispatcher) => {
      if (aborted) throw new TransportFailure(new Error('aborted before it was sent'));
      exchange = dispatch(dispatcher, request, connecting);
      return exchange.response;
    }),
    get sent() {
      return exchange?.sent ?? false;
    },
    abort() {
      aborted = true;
      exchange?.abort();
    },
  };
}

function dispatch(dispatcher: Dispatcher, request: TransportRequest, connecting: Connecting): Exchange {
  const { origin, path, method, headers, body = null } = request;
  const exchange = new DispatchedExchange(request, connecting);
  connecting.join(request);
  try {
    dispatcher.dispatch({ origin, path, method, headers, body }, exchange);
  } catch (error) {
    exchange.fail(error);
  }
  return exchange;
}

/**
 * One request by the handler interface: no stream, no AbortSignal, a fifth less work than `undici.request`. A class,
 * because a busy client makes one a request, and closures and accessors of an object cost more than all of it.
 */
class DispatchedExchange implements Exchange, Dispatcher.DispatchHandler {
  readonly response: Promise<TransportResponse>;
  readonly #request: TransportRequest;
  readonly #connecting: Connecting;
  readonly #collector: Collector;
  #resolve!: (answer: TransportResponse) => void;
  #reject!: (failure: unknown) => void;
  #controller: Dispatcher.DispatchController | undefined;
  #head: { status: number; headers: Record<string, string> } | undefined;
  #aborted = false;

  constructor(request: TransportRequest, connecting: Connecting) {
    this.#request = request;
    this.#connecting = connecting;
    this.#collector = createCollector(request.bodyMaxBytes);
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
    this.#connecting.leave(this.#request);
    this.#controller?.abort(new Error('aborted'));
  }

  /** Ends it without an answer. */
  fail(error: unknown): void {
    this.#connecting.leave(this.#request);
    this.#reject(new TransportFailure(error));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    this.#connecting.leave(this.#request);
    if (this.#aborted) controller.abort(new Error('aborted'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    status: number,
    headers: Record<string, string | string[] | undefined>,
  ): void {
    // Informational answers come first and are not the answer.
    if (status >= 200) this.#head = { status, headers: joinHeaders(headers) };
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Uint8Array): void {
    if (this.#collector.add(chunk)) return;
    this.#finish('too-large');
    controller.abort(new Error('the body is larger than allowed'));
  }

  onResponseEnd(): void {
    this.#finish('complete');
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#head === undefined) this.fail(error);
    else this.#finish('truncated');
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

/** Repeated headers become one value, in place: undici made the object for this answer alone. */
function joinHeaders(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const joined = headers as Record<string, string>;
  for (const name in headers) {
    const value = headers[name];
    if (Array.isArray(value)) joined[name] = value.join(', ');
  }
  return joined;
}
