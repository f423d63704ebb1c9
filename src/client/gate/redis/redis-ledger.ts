import { nodeModule } from '../../../node-module.js';
import { systemClock } from '../../time/clock.js';
import type { Ledger, Swap } from '../gate-store.js';
import { createRedisAccess, type RedisAccess, redisScript } from './redis-access.js';
import { callerConnection, loadRedisPackage, ownConnection, type RedisTarget } from './redis-connection.js';

/** The ledgers of one Redis server, over one connection. */
export interface RedisLedgers {
  open(key: string): Omit<Ledger, 'holder'>;
  /** Closes the connection when no operation is in flight. */
  close(): Promise<void>;
}

/** Limit of each step: to connect and log in, and to run a script. */
const STEP_MAX_MS = 900;

/**
 * Prepares the ledgers of a server. Connects at the first operation.
 *
 * @throws ConfigurationError if `@redis/client` is needed and not installed.
 */
export async function openRedisLedgers(target: RedisTarget): Promise<RedisLedgers> {
  const connection =
    'commands' in target
      ? callerConnection(target.commands)
      : ownConnection(target, await loadRedisPackage());
  const access = createRedisAccess(connection, STEP_MAX_MS, systemClock);
  return {
    open: (key) => createRedisLedger(access, key),
    close: () => access.close(),
  };
}

/** Length of 96 random bits in base64url. */
const VERSION_LENGTH = 16;

/**
 * Reads the value of the key. With arguments, it first replaces a value that has the given version. Arguments: this
 * version, the new version, the new text, and its lifetime in milliseconds. Returns whether it replaced the value, the
 * server time in seconds and microseconds, the version and the text. Redis runs one script at a time, so it is atomic.
 */
const SCRIPT = redisScript(`local time = redis.call('TIME')
local value = redis.call('GET', KEYS[1]) or ''
local version = string.match(string.sub(value, 1, ${String(VERSION_LENGTH)}), '^[%w_-]+$') or ''
if ARGV[1] == version then
  redis.call('SET', KEYS[1], ARGV[2] .. ARGV[3], 'PX', ARGV[4])
  return {'1', time[1], time[2], ARGV[2], ARGV[3]}
end
return {'0', time[1], time[2], version, string.sub(value, ${String(VERSION_LENGTH + 1)})}`);

/** Maximum lifetime, because some servers reject a longer one. */
const LIFETIME_MAX_MS = 366 * 86_400_000;

/** Creates a ledger that stores its text in one key. Its time is that of the server. */
export function createRedisLedger(access: RedisAccess, key: string): Omit<Ledger, 'holder'> {
  return {
    read: async () => (await access.run(SCRIPT, key, [], parseReply)).reading,
    async swap(seen, text, expiresInMs) {
      const version = newVersion();
      const lifetimeMs = Math.min(Math.max(Math.ceil(expiresInMs), 1), LIFETIME_MAX_MS);
      const args = [seen.version, version, text, String(lifetimeMs)];
      const { swapped, reading } = await access.run(SCRIPT, key, args, parseReply);
      // A client of the caller may repeat the script after a reconnect. The second run finds the version of the first.
      return { swapped: swapped || reading.version === version, reading };
    },
  };
}

/** Versions are random, so that they stay unique even if the key is lost. */
function newVersion(): string {
  return nodeModule('node:crypto')
    .randomBytes((VERSION_LENGTH * 3) / 4)
    .toString('base64url');
}

/** Parses a reply. Clients return strings, buffers or numbers. */
function parseReply(reply: unknown): Swap {
  const parts = Array.isArray(reply) ? reply.map(String) : [];
  const [swapped, seconds, microseconds, version = '', text = ''] = parts;
  const now = Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
  if (parts.length !== 5 || !Number.isFinite(now)) throw new Error('The reply is not that of the script');
  // A value without a version was not written by a ledger.
  const isValid = version !== '' && text !== '';
  return { swapped: swapped === '1', reading: { text: isValid ? text : undefined, version, now } };
}
