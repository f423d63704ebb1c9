import { ConfigurationError } from '../../../errors.js';
import { foreignMessage } from '../../../foreign-error.js';
import { nodeModule } from '../../../node-module.js';
import { isUntrustedCertificate } from '../../../security/tls-codes.js';

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

/** Runs the script of the gate on one key. */
export type RunScript = (key: string, args: readonly string[]) => Promise<unknown>;

/** One connection. */
export interface RedisSession {
  /** Resolves when connected and logged in. */
  readonly runScript: Promise<RunScript>;
  readonly hasEnded: boolean;
  /** Closes the connection at once. Pending commands are rejected. */
  end(): void;
}

/** The package `@redis/client`. */
type RedisPackage = Pick<typeof import('@redis/client'), 'createClient'>;

/**
 * Connects with `@redis/client`. The session does not reconnect, does not queue commands, and does not keep the process
 * alive. The caller sets the time limits.
 *
 * @param url may contain a password, user name and database.
 */
export function connectRedis({ createClient }: RedisPackage, url: string, script: string): RedisSession {
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
    () => scriptRunner(client, script),
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
    throw new ConfigurationError('A shared rate limit in Redis needs a package: npm install @redis/client', {
      option: 'gate',
      hint: 'Install it, or pass a connected client: redisGate({ client }).',
      cause,
    });
  }
}

/**
 * Returns how to run a script with a client: by its digest, and by its text if the server does not know the digest.
 *
 * @throws ConfigurationError if it is not a Redis client.
 */
export function scriptRunner(client: RedisClient, script: string): RunScript {
  const has = (name: string): boolean => typeof Reflect.get(Object(client) as object, name) === 'function';
  if (!has('eval') || !(has('evalSha') || has('evalsha'))) {
    throw new ConfigurationError('The Redis client has no eval() and evalSha()', {
      option: 'gate',
      hint: 'Pass a client of node-redis or ioredis, or a URL.',
    });
  }
  const run = (byDigest: boolean, text: string, key: string, args: readonly string[]): Promise<unknown> => {
    if (!has('evalSha'))
      return (client as IoRedisClient)[byDigest ? 'evalsha' : 'eval'](text, 1, key, ...args);
    return (client as NodeRedisClient)[byDigest ? 'evalSha' : 'eval'](text, {
      keys: [key],
      arguments: [...args],
    });
  };
  let digest: string | undefined;
  return async (key, args) => {
    // Computed at the first use, because node:crypto takes 2 ms of the start of a command.
    digest ??= nodeModule('node:crypto').createHash('sha1').update(script).digest('hex');
    try {
      return await run(true, digest, key, args);
    } catch (error) {
      if (codeOf(error) !== 'NOSCRIPT') throw error;
      return run(false, script, key, args);
    }
  };
}

/** Words for codes that say little. */
const REASONS: Readonly<Record<string, string>> = {
  CERT_HAS_EXPIRED: 'the certificate has expired',
  ECONNREFUSED: 'connection refused',
  ENOTFOUND: 'host not found',
  ERR: 'the server rejected the command',
  ERR_TLS_CERT_ALTNAME_INVALID: 'the certificate is for another host',
  LOADING: 'the server is still loading its data',
  MOVED: 'the server is part of a cluster, which needs a client of your own',
  NOAUTH: 'a password is required',
  NOPERM: 'the user lacks a right; its ACL needs +eval +evalsha +get +set +time',
  OOM: 'the server has no memory left',
  READONLY: 'the server is a read-only replica',
  WRONGPASS: 'wrong user name or password',
  WRONGTYPE: 'the key of the budget holds other data',
};

/** Other first words of an error reply that are shown. The rest of a reply may quote the password. */
const REPLY = /^(?:BUSY|CLUSTERDOWN|MASTERDOWN|MISCONF|NOREPLICAS|NOSCRIPT|UNKILLABLE)$/;

/** An error of Redis with a message of our own, without the password. */
class RedisFailure extends Error {
  override readonly name = 'RedisFailure';
}

/**
 * Converts an error of a Redis client to one without credentials: neither its message nor the error itself is included.
 *
 * @param displayUrl names the server in the message.
 */
export function redisFailure(thrown: unknown, displayUrl: string): Error {
  const reason =
    thrown instanceof TimeoutFailure
      ? thrown.message
      : (missingRight(foreignMessage(thrown)) ?? reasonOf(codeOf(thrown)));
  return new RedisFailure(`${displayUrl}: ${reason}`);
}

/** The commands of the client and of its connection. */
const COMMANDS = /'(auth|client|eval|evalsha|get|hello|ping|select|set|time)(?:\|[a-z]+)?' command/;

/**
 * Returns what the ACL of the user lacks, and the remedy. Redis 7.0 does not name a command that it refuses within a
 * script.
 *
 * @param reply the error reply, such as `NOPERM this user has no permissions to run the 'select' command`.
 */
function missingRight(reply: string): string | undefined {
  if (reply.startsWith('ERR') && reply.includes("can't run this command or subcommand"))
    return 'the user may not run GET, SET or TIME; add +get +set +time to its ACL';
  if (!reply.startsWith('NOPERM')) return undefined;
  const command = COMMANDS.exec(reply)?.[1];
  if (command !== undefined) {
    const remedy = command === 'select' ? ', or leave out the database in the URL' : '';
    return `the user may not run ${command.toUpperCase()}; add +${command} to its ACL${remedy}`;
  }
  if (!/\bkeys?\b/.test(reply)) return undefined;
  return 'the user may not use the key of the budget; add the prefix to its ACL, such as ~petstore:gate:*';
}

function reasonOf(code: string | undefined): string {
  if (code === undefined) return 'connection lost, or invalid reply';
  if (code in REASONS || !isUntrustedCertificate(code)) return REASONS[code] ?? code;
  return 'the certificate is not trusted (set NODE_EXTRA_CA_CERTS to its CA)';
}

/** A step took longer than its time limit. */
export class TimeoutFailure extends Error {}

/** Returns the code of an error of Node, or the first word of an error reply. */
function codeOf(thrown: unknown): string | undefined {
  if (!(thrown instanceof Error)) return undefined;
  const { code } = thrown as NodeJS.ErrnoException;
  if (code !== undefined && /^E[A-Z_]+$|^[A-Z_]*CERT[A-Z_]*$/.test(code)) return code;
  // eslint-disable-next-line no-restricted-syntax -- the code of Redis is the first word
  const [word = ''] = /^[A-Z]+(?= |$)/.exec(thrown.message) ?? [];
  return word in REASONS || REPLY.test(word) ? word : undefined;
}
