import { ConfigurationError } from '../../../errors.js';
import { HAS_NODE_MODULES } from '../../../node-module.js';
import { checkGateOptions } from '../check-gate-options.js';
import { fileGate } from '../file/file-gate.js';
import type { GateStore, Ledger } from '../gate-store.js';
import type { LedgerWithFallback } from '../guarded-ledger.js';
import { needsNode } from '../needs-node.js';
import { adaptClient, type RedisClient } from './redis-client.js';
import type { RedisTarget } from './redis-connection.js';
import type { RedisLedgers } from './redis-ledger.js';
import { parseRedisUrl } from './redis-url.js';

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
  return redisGateOver(options, fallbackGate);
}

/** The budget of the machine. `undefined` if the home directory is unknown. */
function fallbackGate(): GateStore | undefined {
  try {
    return fileGate();
  } catch {
    return undefined;
  }
}

/** Like `redisGate`, with another fallback. */
export function redisGateOver(
  options: RedisGateOptions,
  createFallback: () => GateStore | undefined,
): GateStore {
  if (!HAS_NODE_MODULES) throw needsNode('redisGate');
  checkGateOptions('redisGate', options, ['url', 'client', 'prefix']);
  const { target, id } = resolveTarget(options);
  const prefix = options.prefix ?? ('prefix' in target ? target.prefix : undefined) ?? DEFAULT_PREFIX;
  let ledgers: Promise<RedisLedgers> | undefined;
  // Loaded at the first use, because most programs use another gate.
  const load = (): Promise<RedisLedgers> =>
    (ledgers ??= import('./redis-ledger.js').then(({ openRedisLedgers }) => openRedisLedgers(target)));
  return {
    id: `${id} ${prefix}`,
    open: (budget) => {
      const fallback = createFallback()?.open(budget);
      return lazyLedger(fallback, () => load().then((loaded) => loaded.open(`${prefix}${budget}`)));
    },
    close: async () => (await ledgers?.catch(() => undefined))?.close(),
  };
}

function resolveTarget({ url, client }: RedisGateOptions): { target: RedisTarget; id: string } {
  // A random id, because two clients may be connected to different servers.
  if (client !== undefined) return { target: { commands: adaptClient(client) }, id: crypto.randomUUID() };
  if (url === undefined) {
    throw new ConfigurationError('The Redis gate needs a URL or a client', {
      option: 'gate',
      hint: 'Pass redisGate({ url }) or redisGate({ client }).',
    });
  }
  const address = parseRedisUrl(url);
  return { target: address, id: address.displayUrl };
}

/** A ledger that is loaded at its first operation. */
function lazyLedger(
  fallback: Ledger | undefined,
  load: () => Promise<Omit<Ledger, 'holder'>>,
): LedgerWithFallback {
  let ledger: ReturnType<typeof load> | undefined;
  const loaded = (): ReturnType<typeof load> => (ledger ??= load());
  return {
    holder: fallback?.holder ?? crypto.randomUUID(),
    fallback,
    read: async () => (await loaded()).read(),
    swap: async (seen, text, expiresInMs) => (await loaded()).swap(seen, text, expiresInMs),
  };
}
