import type undici from 'undici';
import type { Dispatcher } from 'undici';
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
  const pools = new Map<string, Dispatcher>();
  let loading: Promise<Undici> | undefined;
  return {
    send(request) {
      const ready = own ?? pools.get(request.origin);
      if (ready !== undefined) return dispatch(ready, request);
      loading ??= import('undici');
      return sendWhenLoaded(
        loading.then((loaded) => poolFor(pools, loaded, request.origin)),
        request,
      );
    },
    async close() {
      const open = [...pools.values()];
      pools.clear();
      await Promise.all(open.map((pool) => pool.destroy()));
    },
  };
}

type Undici = typeof undici;

function poolFor(pools: Map<string, Dispatcher>, { Pool }: Undici, origin: string): Dispatcher {
  let pool = pools.get(origin);
  if (pool === undefined) {
    // Time limits are the client's own, and cover connecting, headers and body alike.
    pool = new Pool(origin, { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 0 } });
    pools.set(origin, pool);
  }
  return pool;
}

function sendWhenLoaded(loading: Promise<Dispatcher>, request: TransportRequest): Exchange {
  let exchange: Exchange | undefined;
  let aborted = false;
  return {
    answer: loading.then((dispatcher) => {
      if (aborted) throw new TransportFailure(new Error('aborted before it was sent'));
      exchange = dispatch(dispatcher, request);
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
function dispatch(dispatcher: Dispatcher, request: TransportRequest): Exchange {
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
        if (head === undefined) reject(new TransportFailure(error));
        else finish('cut-short');
      },
    };
    try {
      dispatcher.dispatch({ origin, path, method, headers, body: body ?? null }, handler);
    } catch (error) {
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
