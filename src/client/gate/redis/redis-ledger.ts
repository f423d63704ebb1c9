import { randomBytes } from 'node:crypto';
import type { Ledger, Swap } from '../gate-store.js';
import { type RedisAccess, redisScript } from './access.js';

/** 96 random bits, in characters that a text may hold. */
const VERSION_LENGTH = 16;

/**
 * Reads what is kept and, if it is given arguments, swaps it: the version seen, the new version, the new text, and for
 * how many milliseconds to keep it. A Redis runs one script at a time, so nothing comes in between. Answers whether it
 * swapped, the server's time in seconds and microseconds, and the version and text that it found.
 */
const SCRIPT = redisScript(`local time = redis.call('TIME')
local kept = redis.call('GET', KEYS[1]) or ''
local version = string.match(string.sub(kept, 1, ${String(VERSION_LENGTH)}), '^[%w_-]+$') or ''
if ARGV[1] == version then
  redis.call('SET', KEYS[1], ARGV[2] .. ARGV[3], 'PX', ARGV[4])
  return {'1', time[1], time[2], ARGV[2], ARGV[3]}
end
return {'0', time[1], time[2], version, string.sub(kept, ${String(VERSION_LENGTH + 1)})}`);

/** More is refused by some servers, and is worth as much. */
const KEPT_MAX_MS = 366 * 86_400_000;

/** Keeps the state of a budget under one key of a Redis, by the clock of that Redis. */
export function createRedisLedger(access: RedisAccess, key: string): Omit<Ledger, 'holder'> {
  return {
    read: async () => (await access.run(SCRIPT, key, [], readReply)).reading,
    async swap(seen, text, expiresInMs) {
      const version = newVersion();
      const keptForMs = Math.min(Math.max(Math.ceil(expiresInMs), 1), KEPT_MAX_MS);
      const args = [seen.version, version, text, String(keptForMs)];
      const { swapped, reading } = await access.run(SCRIPT, key, args, readReply);
      // A client of the caller's may send it again after its connection broke, and then lose against itself.
      return { swapped: swapped || reading.version === version, reading };
    },
  };
}

/** Random, so that no state is taken for another one, even where the key was lost in between. */
function newVersion(): string {
  return randomBytes((VERSION_LENGTH * 3) / 4).toString('base64url');
}

/** Clients differ in what they make of a string: all of it is read as text. */
function readReply(reply: unknown): Swap {
  const parts = Array.isArray(reply) ? reply.map(String) : [];
  const [swapped, seconds, microseconds, version = '', text = ''] = parts;
  const now = Number(seconds) * 1_000 + Math.floor(Number(microseconds) / 1_000);
  if (parts.length !== 5 || !Number.isFinite(now)) throw new Error('the answer is not that of the script');
  // Without a version it is nothing of ours.
  const isOurs = version !== '' && text !== '';
  return { swapped: swapped === '1', reading: { text: isOurs ? text : undefined, version, now } };
}
