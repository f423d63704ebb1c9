import { ConfigurationError } from '../../../errors.js';
import type { GateStore, Ledger } from '../gate-store.js';
import { commandsOf, type RedisClient } from './redis-client.js';
import type { RedisWay } from './connection.js';
import type { RedisLedgers } from './redis-ledgers.js';
import { parseRedisUrl } from './redis-url.js';

/** Where the Redis is: an address, or a client that is connected to it. */
export type RedisGateOptions = {
  /**
   * What the names of the keys begin with. Default `petstore:gate:`, or `?prefix=` of the address. A digest of origin
   * and API key follows.
   */
  prefix?: string | undefined;
} & (
  | {
      /**
       * `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE][?prefix=PREFIX]`, or `rediss://` for TLS; a CA of one's own by
       * `NODE_EXTRA_CA_CERTS`. Needs the package `@redis/client`.
       */
      url: string | URL;
      client?: undefined;
    }
  | {
      /** A client of node-redis or ioredis, connected, for one server or a cluster. It is not closed here. */
      client: RedisClient;
      url?: undefined;
    }
);

const DEFAULT_PREFIX = 'petstore:gate:';

/**
 * Keeps the rate budget in a Redis or Valkey, for all processes of all machines that send with the same key: pass it as
 * `gate`. Does no I/O before the first call. Where the Redis fails, calls go by the budget of this process, with one
 * warning, and by the Redis again when it is back. Of origin and API key it gets a digest only.
 *
 * @throws ConfigurationError for an address or a client that can't be used.
 */
export function redisGate(options: RedisGateOptions): GateStore {
  const { way, id } = findWay(options);
  const prefix = options.prefix ?? ('prefix' in way ? way.prefix : undefined) ?? DEFAULT_PREFIX;
  let ledgers: Promise<RedisLedgers> | undefined;
  /** Nothing more is loaded before the first use: a command that has another gate must not pay for it. */
  const load = (): Promise<RedisLedgers> =>
    (ledgers ??= import('./redis-ledgers.js').then(({ openRedisLedgers }) => openRedisLedgers(way)));
  return {
    id: `${id} ${prefix}`,
    open: (budget) => lazyLedger(() => load().then((loaded) => loaded.open(`${prefix}${budget}`))),
    close: async () => (await ledgers?.catch(() => undefined))?.close(),
  };
}

function findWay({ url, client }: RedisGateOptions): { way: RedisWay; id: string } {
  // Two clients may lead to two places, so each is a place of its own.
  if (client !== undefined) return { way: { commands: commandsOf(client) }, id: crypto.randomUUID() };
  if (url === undefined) {
    throw new ConfigurationError('the Redis gate needs an address or a client', {
      option: 'gate',
      hint: 'pass redisGate({ url }) or redisGate({ client })',
    });
  }
  const address = parseRedisUrl(url);
  return { way: address, id: address.shown };
}

function lazyLedger(load: () => Promise<Omit<Ledger, 'holder'>>): Ledger {
  let ledger: ReturnType<typeof load> | undefined;
  const loaded = (): ReturnType<typeof load> => (ledger ??= load());
  return {
    holder: crypto.randomUUID(),
    read: async () => (await loaded()).read(),
    swap: async (seen, text, expiresInMs) => (await loaded()).swap(seen, text, expiresInMs),
  };
}
