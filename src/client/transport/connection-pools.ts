import type { Socket } from 'node:net';
import type undici from 'undici';
import type { buildConnector, Dispatcher } from 'undici';
import { type Exchange, isWriteRequest, type TransportRequest, writeIdleMaxMs } from './transport.js';

/** The used part of the package undici. */
export type Undici = Pick<typeof undici, 'buildConnector' | 'Pool'>;

/** undici takes the threshold from an announced time, so that its half is the maximum at 1 s. */
const WRITE_KEEP_ALIVE = {
  keepAliveTimeout: writeIdleMaxMs(),
  keepAliveMaxTimeout: writeIdleMaxMs(),
  keepAliveTimeoutThreshold: 500,
};

/** The pools of a transport, for each origin one for reads and one for writes: a write uses a connection for less time. */
export class ConnectionPools {
  readonly pending = new PendingConnections();
  readonly #undici: Undici;
  readonly #caCertificates: readonly string[] | undefined;
  readonly #monotonic: () => number;
  readonly #pools = new Map<string, Dispatcher>();
  #writesInFlight = 0;
  #lastWriteEndedAt = 0;
  /** How long a connection may be idle before a write, by the last response to one. */
  #writeIdleMaxMs = writeIdleMaxMs();

  constructor(loaded: Undici, caCertificates: readonly string[] | undefined, monotonic: () => number) {
    this.#undici = loaded;
    this.#caCertificates = caCertificates;
    this.#monotonic = monotonic;
  }

  /** Returns the pool for a request. Creates it if it does not exist. */
  get(request: TransportRequest): Dispatcher {
    if (isWriteRequest(request) && this.#areWritesIdle()) this.drop(request);
    const name = nameOf(request);
    let pool = this.#pools.get(name);
    if (pool === undefined) this.#pools.set(name, (pool = this.#create(request)));
    return pool;
  }

  /** Counts a request from its start to its end. */
  watch(request: TransportRequest, exchange: Exchange): void {
    if (!isWriteRequest(request)) return;
    this.#writesInFlight += 1;
    const end = (): void => {
      this.#writesInFlight -= 1;
      this.#lastWriteEndedAt = this.#monotonic();
    };
    exchange.response.then(({ headers }) => {
      this.#writeIdleMaxMs = writeIdleMaxMs(headers['keep-alive']);
      end();
    }, end);
  }

  /** Uses the connections of this pool for no other request, because undici does not show them. */
  drop(request: TransportRequest): void {
    const name = nameOf(request);
    const pool = this.#pools.get(name);
    this.#pools.delete(name);
    pool?.close().catch(() => undefined);
  }

  /** Closes all connections. */
  async destroy(): Promise<void> {
    const open = [...this.#pools.values()];
    this.#pools.clear();
    await Promise.all(open.map((pool) => pool.destroy()));
  }

  /** Whether the connections for writes were idle for too long: undici's timer is late after a suspension. */
  #areWritesIdle(): boolean {
    return this.#writesInFlight === 0 && this.#monotonic() - this.#lastWriteEndedAt > this.#writeIdleMaxMs;
  }

  #create(request: TransportRequest): Dispatcher {
    const { buildConnector, Pool } = this.#undici;
    const tlsOptions = this.#caCertificates === undefined ? {} : { ca: [...this.#caCertificates] };
    return new Pool(request.origin, {
      // No time limits of undici: `timeoutMs` covers connecting, headers and body.
      headersTimeout: 0,
      bodyTimeout: 0,
      connect: this.pending.watch(buildConnector({ timeout: 0, ...tlsOptions })),
      ...(isWriteRequest(request) ? WRITE_KEEP_ALIVE : {}),
    });
  }
}

function nameOf(request: TransportRequest): string {
  return isWriteRequest(request) ? `write ${request.origin}` : request.origin;
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
