import type { Socket } from 'node:net';
import type undici from 'undici';
import type { buildConnector, Dispatcher } from 'undici';
import { createCollector } from './collect.js';
import { decodeBody } from './decode.js';
import {
  type Exchange,
  type Transport,
  type TransportAnswer,
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
    answer: loading.then((dispatcher) => {
      if (aborted) throw new TransportFailure(new Error('aborted before it was sent'));
      exchange = dispatch(dispatcher, request, connecting);
      return exchange.answer;
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

/** One request by the handler interface: no stream, no AbortSignal, a fifth less work than `undici.request`. */
function dispatch(dispatcher: Dispatcher, request: TransportRequest, connecting: Connecting): Exchange {
  const { origin, path, method, headers, body, bodyMaxBytes } = request;
  let controller: Dispatcher.DispatchController | undefined;
  let aborted = false;
  const answer = new Promise<TransportAnswer>((resolve, reject) => {
    const collector = createCollector(bodyMaxBytes);
    let head: { status: number; headers: Record<string, string> } | undefined;
    const finish = (end: TransportAnswer['end']): void => {
      if (head === undefined) return;
      const { status, headers: answered } = head;
      const raw = { body: collector.body(), end };
      const encoding = answered['content-encoding'];
      if (encoding === undefined) resolve({ status, headers: answered, ...raw });
      else
        decodeBody(raw, encoding, bodyMaxBytes).then((decoded) => {
          resolve({ status, headers: answered, ...decoded });
        }, reject);
    };
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart(started) {
        controller = started;
        connecting.leave(request);
        if (aborted) started.abort(new Error('aborted'));
      },
      onResponseStart(_controller, status, answered) {
        // Informational answers come first and are not the answer.
        if (status >= 200) head = { status, headers: joinHeaders(answered) };
      },
      onResponseData(active, chunk) {
        if (collector.add(chunk)) return;
        finish('too-large');
        active.abort(new Error('the body is larger than allowed'));
      },
      onResponseEnd() {
        finish('complete');
      },
      onResponseError(_controller, error) {
        connecting.leave(request);
        if (head === undefined) reject(new TransportFailure(error));
        else finish('cut-short');
      },
    };
    connecting.join(request);
    try {
      dispatcher.dispatch({ origin, path, method, headers, body: body ?? null }, handler);
    } catch (error) {
      connecting.leave(request);
      reject(new TransportFailure(error));
    }
  });
  return {
    answer,
    get sent() {
      return controller !== undefined;
    },
    abort() {
      aborted = true;
      connecting.leave(request);
      controller?.abort(new Error('aborted'));
    },
  };
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
