import { randomUUID } from 'node:crypto';
import { ConfigurationError } from '../../errors.js';
import { systemClock } from '../clock.js';
import type { GateStore } from './ledger.js';
import { createRedisAccess } from './redis-access.js';
import type { RedisClient } from './redis-client.js';
import { borrowedConnection, ownConnection, type RedisConnection } from './redis-connection.js';
import { createRedisLedger } from './redis-ledger.js';
import { parseRedisUrl } from './redis-url.js';

/** Where the Redis is: an address, or a client that is connected to it. */
export type RedisGateOptions = {
  /**
   * What the names of the keys begin with. Default `petstore:gate:`, or `?prefix=` of the address. A digest of origin
   * and API key follows.
   */
  prefix?: string | undefined;
  /** Limit of one operation, connecting included, in milliseconds. Default 1,000. */
  timeoutMs?: number | undefined;
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
const DEFAULT_TIMEOUT_MS = 1_000;

/**
 * Keeps the rate budget in a Redis or Valkey, for all processes of all machines that send with the same key: pass it as
 * `gate`. Does no I/O before the first call. Where the Redis fails, calls go by the budget of this process, with one
 * warning, and by the Redis again when it is back. Of key and origin it gets a digest only.
 *
 * @throws ConfigurationError for an address or a client that can't be used.
 */
export function redisGate(options: RedisGateOptions): GateStore {
  const { timeoutMs = DEFAULT_TIMEOUT_MS } = options;
  if (!(timeoutMs > 0 && timeoutMs < Number.POSITIVE_INFINITY)) {
    throw new ConfigurationError('timeoutMs of the Redis gate must be above 0', { option: 'gate' });
  }
  const place = findPlace(options);
  const prefix = options.prefix ?? place.prefix ?? DEFAULT_PREFIX;
  const access = createRedisAccess(place.connection, timeoutMs, systemClock);
  return {
    id: `${place.id} ${prefix}`,
    open: (budget) => createRedisLedger(access, `${prefix}${budget}`),
    close: () => access.close(),
  };
}

interface Place {
  id: string;
  prefix: string | undefined;
  connection: RedisConnection;
}

function findPlace({ url, client }: RedisGateOptions): Place {
  if (client !== undefined) {
    // Two clients may lead to two places, so each is a place of its own.
    return { id: `redis-client:${randomUUID()}`, prefix: undefined, connection: borrowedConnection(client) };
  }
  if (url === undefined) {
    throw new ConfigurationError('the Redis gate needs an address or a client', {
      option: 'gate',
      hint: 'pass redisGate({ url }) or redisGate({ client })',
    });
  }
  const address = parseRedisUrl(url);
  return { id: address.shown, prefix: address.prefix, connection: ownConnection(address) };
}
