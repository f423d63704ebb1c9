import { ConfigurationError } from '../../../errors.js';
import type { RedisCommands } from './redis-client.js';
import type { RedisAddress } from './redis-url.js';

/** How to reach a Redis server: an address, or the commands of a connected client. */
export type RedisTarget = RedisAddress | { commands: RedisCommands };

/** Opens one session at a time. */
export interface RedisConnection {
  /** Names the server in messages. Contains no credentials. */
  readonly displayUrl: string;
  /** Returns the open session, or a new one. */
  session(): RedisSession;
}

/** One connection. */
export interface RedisSession {
  /** Resolves when connected and logged in. */
  readonly commands: Promise<RedisCommands>;
  /** Closes the connection at once. Pending commands are rejected. */
  end(): void;
}

/** Uses a connected client of the caller, and never closes it. */
export function callerConnection(commands: RedisCommands): RedisConnection {
  const session = { commands: Promise.resolve(commands), end: () => undefined };
  return { displayUrl: 'Redis', session: () => session };
}

/** The used part of `@redis/client`. */
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
  /** Can be called several times. */
  destroy(): void;
  sendCommand(args: readonly string[]): Promise<unknown>;
  unref(): void;
}

/**
 * Connects with `@redis/client` when a session is needed. A session does not reconnect, does not queue commands, and
 * does not keep the process alive. The caller sets the time limits.
 */
export function ownConnection(address: RedisAddress, redis: RedisPackage): RedisConnection {
  let current: OwnSession | undefined;
  return {
    displayUrl: address.displayUrl,
    session: () =>
      (current = current === undefined || current.hasEnded ? new OwnSession(address, redis) : current),
  };
}

class OwnSession implements RedisSession {
  readonly commands: Promise<RedisCommands>;
  hasEnded = false;
  readonly #client: ConnectingClient;

  constructor(address: RedisAddress, redis: RedisPackage) {
    this.#client = redis.createClient(connectionOptions(address));
    this.commands = this.#connect(this.#client);
    this.commands.catch(() => this.end());
  }

  end(): void {
    if (this.hasEnded) return;
    this.hasEnded = true;
    this.#client.destroy();
  }

  async #connect(client: ConnectingClient): Promise<RedisCommands> {
    let firstError: unknown;
    // Without a listener an error would end the process. The client itself rejects pending commands.
    client.on('error', (error) => {
      firstError ??= error;
      this.end();
    });
    client.on('end', () => this.end());
    client.unref();
    // `connect` may only report that the client was destroyed. The first error is the reason.
    await client.connect().catch((error: unknown) => Promise.reject(firstError ?? error));
    return {
      evalSha: (sha1, key, args) => client.sendCommand(['EVALSHA', sha1, '1', key, ...args]),
      eval: (script, key, args) => client.sendCommand(['EVAL', script, '1', key, ...args]),
    };
  }
}

function connectionOptions({ host, port, tls, database, credentials }: RedisAddress): ConnectionOptions {
  // redis-access.ts limits the time of each step, including connecting.
  const socket = { host, port, connectTimeout: 0, reconnectStrategy: false as const };
  return {
    socket: tls ? { ...socket, tls } : { ...socket, tls },
    ...credentials(),
    database,
    commandOptions: { timeout: 0 },
    disableOfflineQueue: true,
    // The oldest protocol and the fewest commands work with every server and with limited permissions.
    RESP: 2,
    disableClientInfo: true,
    maintNotifications: 'disabled',
  };
}

/**
 * Loads `@redis/client`.
 *
 * @throws ConfigurationError if it is not installed.
 */
export async function loadRedisPackage(): Promise<RedisPackage> {
  try {
    const loaded = await import('@redis/client');
    // A bundler may turn a CommonJS package into a default export only.
    return 'createClient' in loaded ? loaded : (loaded as { default: RedisPackage }).default;
  } catch (cause) {
    throw new ConfigurationError('The Redis gate needs a package: npm install @redis/client', {
      option: 'gate',
      hint: 'Install it, or pass a connected client: redisGate({ client }).',
      cause,
    });
  }
}
