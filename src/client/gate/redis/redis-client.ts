import { ConfigurationError } from '../../../errors.js';

/**
 * A connected client of Redis or Valkey: node-redis (`redis`, `@redis/client`) or ioredis. For one server, a cluster, a
 * sentinel or a pool.
 */
export type RedisClient = NodeRedisClient | IoRedisClient;

/** The used part of node-redis. */
export interface NodeRedisClient {
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** The used part of ioredis. */
export interface IoRedisClient {
  evalsha(sha1: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** Runs a script on one key: `eval` with its text, `evalSha` with its digest. */
export type RunScript = (
  command: 'eval' | 'evalSha',
  script: string,
  key: string,
  args: readonly string[],
) => Promise<unknown>;

/** One connection. */
export interface RedisSession {
  /** Resolves when connected and logged in. */
  readonly runScript: Promise<RunScript>;
  readonly hasEnded: boolean;
  /** Closes the connection at once. Pending commands are rejected. */
  end(): void;
}

/**
 * Uses a connected client of the caller, and never closes it.
 *
 * @throws ConfigurationError if it is not a Redis client.
 */
export function callerSession(client: RedisClient): RedisSession {
  return { runScript: Promise.resolve(adaptClient(client)), hasEnded: false, end: () => undefined };
}

/** The package `@redis/client`. */
export type RedisPackage = Pick<typeof import('@redis/client'), 'createClient'>;

/**
 * Connects with `@redis/client`. The session does not reconnect, does not queue commands, and does not keep the process
 * alive. The caller sets the time limits.
 *
 * @param url may contain a password, user name and database.
 */
export function connectRedis({ createClient }: RedisPackage, url: string): RedisSession {
  const client = createClient({
    url,
    socket: { connectTimeout: 0, reconnectStrategy: false },
    commandOptions: { timeout: 0 },
    disableOfflineQueue: true,
    // The oldest protocol and the fewest commands work with every server and with limited permissions.
    RESP: 2,
    disableClientInfo: true,
    maintNotifications: 'disabled',
  });
  const end = (): void => {
    if (client.isOpen) client.destroy();
  };
  let firstError: unknown;
  // Without a listener an error would end the process. The client itself rejects pending commands.
  client.on('error', (error) => {
    firstError ??= error;
    end();
  });
  client.unref();
  const runScript = client.connect().then(
    () => adaptClient(client),
    // `connect` may only report that the client was destroyed. The first error is the reason.
    (error: unknown) => Promise.reject((firstError ?? error) as Error),
  );
  runScript.catch(end);
  return {
    runScript,
    get hasEnded() {
      return !client.isOpen;
    },
    end,
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

function adaptClient(client: RedisClient): RunScript {
  const has = (name: string): boolean => typeof Reflect.get(Object(client) as object, name) === 'function';
  if (has('eval') && has('evalSha')) {
    const nodeRedis = client as NodeRedisClient;
    return (command, script, key, args) => nodeRedis[command](script, { keys: [key], arguments: [...args] });
  }
  if (has('eval') && has('evalsha')) {
    const ioRedis = client as IoRedisClient;
    return (command, script, key, args) =>
      ioRedis[command === 'eval' ? 'eval' : 'evalsha'](script, 1, key, ...args);
  }
  throw new ConfigurationError('The Redis client has no eval() and evalSha()', {
    option: 'gate',
    hint: 'Pass a client of node-redis or ioredis, or a URL.',
  });
}
