import { ConfigurationError } from '../../../errors.js';
import type { RedisCommands } from './redis-client.js';
import type { RedisAddress } from './redis-url.js';

/** How to come to a Redis: where to connect, or a client that is. */
export type RedisWay = RedisAddress | { commands: RedisCommands };

/** Makes sessions. */
export interface RedisConnection {
  /** Names the server; holds no password. */
  readonly shown: string;
  /** The session that is open, or a new one. */
  session(): RedisSession;
}

/** One connection, from the first try to its end. */
export interface RedisSession {
  /** Resolves once it is connected and logged in; rejects where that fails. */
  readonly commands: Promise<RedisCommands>;
  /** Ends it at once, and with it what waits for its answers. */
  end(): void;
}

/** Goes by a client of the caller's, whose connection stays the caller's. */
export function borrowedConnection(commands: RedisCommands): RedisConnection {
  const session = { commands: Promise.resolve(commands), end: () => undefined };
  return { shown: 'Redis', session: () => session };
}

/** What is used of `@redis/client`. */
export interface RedisPackage {
  createClient(options: ConnectionOptions): ConnectingClient;
}

interface ConnectionOptions {
  socket: SocketOptions & ({ tls: true } | { tls: false });
  username?: string;
  password?: string;
  database: number;
  RESP: 2;
  commandOptions: { timeout: number };
  disableClientInfo: true;
  disableOfflineQueue: true;
  maintNotifications: 'disabled';
}

interface SocketOptions {
  host: string;
  port: number;
  connectTimeout: number;
  reconnectStrategy: false;
}

interface ConnectingClient {
  on(event: 'error' | 'end', listener: (error?: unknown) => void): unknown;
  connect(): Promise<unknown>;
  /** May be called again. */
  destroy(): void;
  sendCommand(args: readonly string[]): Promise<unknown>;
  unref(): void;
}

/**
 * Makes connections of our own, one at a time: when first asked for, and anew after one has ended. A connection never
 * reconnects by itself, keeps no command for later and no process alive. Whoever waits for it sets the time limit.
 */
export function ownConnection(address: RedisAddress, redis: RedisPackage): RedisConnection {
  let current: OwnSession | undefined;
  return {
    shown: address.shown,
    session: () =>
      (current = current === undefined || current.ended ? new OwnSession(address, redis) : current),
  };
}

class OwnSession implements RedisSession {
  readonly commands: Promise<RedisCommands>;
  ended = false;
  readonly #client: ConnectingClient;

  constructor(address: RedisAddress, redis: RedisPackage) {
    this.#client = redis.createClient(optionsFor(address));
    this.commands = this.#connect(this.#client);
    this.commands.catch(() => this.end());
  }

  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.#client.destroy();
  }

  async #connect(client: ConnectingClient): Promise<RedisCommands> {
    let broken: unknown;
    // Without a listener an error would end the process. What waits for an answer is told by its own rejection.
    client.on('error', (error) => {
      broken ??= error;
      this.end();
    });
    client.on('end', () => this.end());
    client.unref();
    // What rejects here may say no more than that the client was ended, when it was ended for what had gone wrong.
    await client.connect().catch((error: unknown) => Promise.reject(broken ?? error));
    return {
      evalSha: (sha1, key, args) => client.sendCommand(['EVALSHA', sha1, '1', key, ...args]),
      eval: (script, key, args) => client.sendCommand(['EVAL', script, '1', key, ...args]),
    };
  }
}

function optionsFor({ host, port, tls, database, credentials }: RedisAddress): ConnectionOptions {
  // Time limits are the operation's, connecting included. Nothing goes on by itself after a failure.
  const socket = { host, port, connectTimeout: 0, reconnectStrategy: false as const };
  return {
    socket: tls ? { ...socket, tls } : { ...socket, tls },
    ...credentials(),
    database,
    commandOptions: { timeout: 0 },
    disableOfflineQueue: true,
    // The oldest protocol and no more commands than needed: any server speaks it, and a user's rights may be few.
    RESP: 2,
    disableClientInfo: true,
    maintNotifications: 'disabled',
  };
}

/**
 * Loads the package that connects.
 *
 * @throws ConfigurationError where it is not installed.
 */
export async function loadRedisPackage(): Promise<RedisPackage> {
  try {
    const loaded = await import('@redis/client');
    // What a bundler makes of a CommonJS package may have the default alone.
    return 'createClient' in loaded ? loaded : (loaded as { default: RedisPackage }).default;
  } catch (cause) {
    throw new ConfigurationError('the Redis gate needs a package: npm install @redis/client', {
      option: 'gate',
      hint: 'or pass a client of your own: redisGate({ client })',
      cause,
    });
  }
}
