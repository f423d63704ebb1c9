import { systemClock } from '../../time/clock.js';
import type { Ledger } from '../gate-store.js';
import { createRedisAccess } from './access.js';
import { borrowedConnection, loadRedisPackage, ownConnection, type RedisWay } from './connection.js';
import { createRedisLedger } from './redis-ledger.js';

/** The ledgers in one Redis, over one connection. */
export interface RedisLedgers {
  /** The ledger under a key. */
  open(key: string): Omit<Ledger, 'holder'>;
  /** Lets the connection go, once nothing is under way. */
  close(): Promise<void>;
}

/** Limit of a step: to connect and log in, and to answer. */
const STEP_MAX_MS = 900;

/** @throws ConfigurationError where the package that connects is not installed. */
export async function openRedisLedgers(way: RedisWay): Promise<RedisLedgers> {
  const connection =
    'commands' in way ? borrowedConnection(way.commands) : ownConnection(way, await loadRedisPackage());
  const access = createRedisAccess(connection, STEP_MAX_MS, systemClock);
  return {
    open: (key) => createRedisLedger(access, key),
    close: () => access.close(),
  };
}
