import { systemClock } from '../../clock.js';
import type { Ledger } from '../ledger.js';
import { createRedisAccess } from './access.js';
import { borrowedConnection, ownConnection, type RedisWay } from './connection.js';
import { createRedisLedger } from './redis-ledger.js';

/** The ledgers in one Redis, over one connection. */
export interface RedisLedgers {
  /** The ledger under a key. */
  open(key: string): Omit<Ledger, 'holder'>;
  /** Lets the connection go, once nothing is under way. */
  close(): Promise<void>;
}

/** Limit of one operation, connecting included: a little less than the gate waits, so that it learns who is silent. */
const OPERATION_MAX_MS = 900;

export function createRedisLedgers(way: RedisWay): RedisLedgers {
  const connection = 'commands' in way ? borrowedConnection(way.commands) : ownConnection(way);
  const access = createRedisAccess(connection, OPERATION_MAX_MS, systemClock);
  return {
    open: (key) => createRedisLedger(access, key),
    close: () => access.close(),
  };
}
