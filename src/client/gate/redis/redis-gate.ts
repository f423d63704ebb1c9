import { ConfigurationError } from '../../../errors.js';
import { HAS_NODE_MODULES } from '../../../node-module.js';
import { fileGate } from '../file/file-gate.js';
import { checkGateOptions, type GateStore, needsNode } from '../gate-store.js';
import type { LayeredStore } from '../store-with-fallback.js';
import { connectRedis, loadRedisPackage, type RedisClient, scriptRunner } from './redis-client.js';
import { createRedisBudgetStores, type RedisTarget, SCRIPT } from './redis-budget-store.js';

/** Options of `redisGate`: a URL or a connected client. */
export type RedisGateOptions = {
  /**
   * Prefix of all keys. A digest of origin and API key follows.
   *
   * @default `petstore:gate:`, or `?prefix=` of the URL
   */
  prefix?: string | undefined;
} & (
  | {
      /**
       * `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE][?prefix=PREFIX]`, or `rediss://` for TLS. Set
       * `NODE_EXTRA_CA_CERTS` for a private CA. Needs the package `@redis/client`.
       */
      url: string | URL;
      client?: undefined;
    }
  | {
      /** A connected client of node-redis or ioredis, for one server or a cluster. The gate does not close it. */
      client: RedisClient;
      url?: undefined;
    }
);

const DEFAULT_PREFIX = 'petstore:gate:';

/**
 * Stores the rate budget in Redis or Valkey, shared by all processes of all machines that use the same key. For the
 * option `gate`. Does no I/O before the first call.
 *
 * If Redis fails, the processes of a machine share the budget of `fileGate()` until Redis works again, with one warning.
 * Redis stores only a digest of origin and API key.
 *
 * @throws ConfigurationError if the URL or the client is invalid, for an unknown option, or outside of Node.js.
 *
 * @example
 * ```ts
 * const store = createPetStore({ apiKey, baseUrl, gate: redisGate({ url: 'redis://localhost' }) });
 * ```
 */
export function redisGate(options: RedisGateOptions): GateStore {
  return redisGateOver(options, fileGate);
}

/** Like `redisGate`, with another fallback. */
export function redisGateOver(options: RedisGateOptions, createFallback: () => GateStore): GateStore {
  if (!HAS_NODE_MODULES) throw needsNode('redisGate');
  checkGateOptions('redisGate', options, ['url', 'client', 'prefix']);
  const { id, prefix: urlPrefix, ...target } = resolveTarget(options);
  const prefix = options.prefix ?? urlPrefix ?? DEFAULT_PREFIX;
  const budgetStores = createRedisBudgetStores(target);
  return {
    id: `${id} ${prefix}`,
    open(budget): LayeredStore {
      const fallback = openFallback(createFallback, budget);
      const holder = fallback?.holder ?? crypto.randomUUID();
      return { holder, fallback, ...budgetStores.open(`${prefix}${budget}`) };
    },
    close: () => budgetStores.close(),
  };
}

/** Returns `undefined` if it can't be opened, for example without a home directory: Redis works without it. */
function openFallback(createFallback: () => GateStore, budget: string): LayeredStore['fallback'] {
  try {
    return createFallback().open(budget);
  } catch {
    return undefined;
  }
}

interface ResolvedTarget extends RedisTarget {
  id: string;
  /** Prefix of all keys, if the URL has one. */
  prefix?: string | undefined;
}

function resolveTarget({ url, client }: RedisGateOptions): ResolvedTarget {
  if (client !== undefined) {
    const runScript = Promise.resolve(scriptRunner(client, SCRIPT));
    // The caller closes it.
    const session = { runScript, hasEnded: false, end: () => undefined };
    // A random id, because two clients may be connected to different servers.
    return { id: crypto.randomUUID(), displayUrl: 'Redis', load: () => Promise.resolve(() => session) };
  }
  if (url !== undefined) return parseRedisUrl(String(url));
  throw new ConfigurationError('A shared rate limit in Redis needs a URL or a client', {
    option: 'gate',
    hint: 'Pass redisGate({ url }) or redisGate({ client }).',
  });
}

const SHAPE = 'redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE][?prefix=PREFIX], or rediss:// for TLS';

/** Parses the URL of a Redis server. Errors don't quote it, because it may contain a password. */
function parseRedisUrl(text: string): ResolvedTarget {
  // The error of `new URL` would quote its input.
  if (!URL.canParse(text)) reject('address');
  const { protocol, hostname, port, username, password, pathname, searchParams, hash } = new URL(text);
  if (protocol !== 'redis:' && protocol !== 'rediss:') reject('scheme');
  if (hostname === '') reject('host');
  if (!/^(\/\d{0,9})?$/.test(pathname)) reject('path');
  if ([...searchParams.keys()].some((name) => name !== 'prefix')) reject('query');
  // An unescaped # in a password starts the fragment.
  if (hash !== '') reject('fragment');
  try {
    decodeURIComponent(`${username} ${password}`);
  } catch {
    reject('percent-encoding');
  }
  const database = Number(pathname.slice(1));
  const path = database === 0 ? '' : `/${String(database)}`;
  const displayUrl = `${protocol}//${hostname}:${port === '' ? '6379' : port}${path}`;
  return {
    id: displayUrl,
    displayUrl,
    prefix: searchParams.get('prefix') ?? undefined,
    // A function, so that neither `util.inspect` nor JSON shows the password.
    load: async () => {
      const redis = await loadRedisPackage();
      return () => connectRedis(redis, text, SCRIPT);
    },
  };
}

function reject(part: string): never {
  throw new ConfigurationError(`The URL of Redis has an invalid ${part}`, {
    option: 'gate',
    hint: `Use ${SHAPE}. Percent-encode everything but letters and digits in the password.`,
  });
}
