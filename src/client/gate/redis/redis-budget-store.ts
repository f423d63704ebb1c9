import { nodeModule } from '../../../node-module.js';
import { withinTimeLimit } from '../../../time/time-limit.js';
import { type Clock, systemClock } from '../../../time/clock.js';
import type { BudgetStore, Swap } from '../gate-store.js';
import { redisFailure, type RedisSession, TimeoutFailure } from './redis-client.js';

/** The stores of one Redis server, over one connection. */
export interface RedisBudgetStores {
  /** Returns the store that stores its text in this key. Its time is that of the server. */
  open(key: string): Omit<BudgetStore, 'holder'>;
  /** Closes the connection when no operation is in flight. A later operation connects again. */
  close(): Promise<void>;
}

/** How to reach a Redis server. */
export interface RedisTarget {
  /** Names the server in messages. Contains no credentials. */
  displayUrl: string;
  /** Loads what is needed. Resolves with a function that connects. */
  load(): Promise<() => RedisSession>;
}

/** Limit of each step: to connect and log in, and to run a script. */
const STEP_MAX_MS = 900;

/** Creates the stores of a server. Connects at the first operation. Errors never contain the password. */
export function createRedisBudgetStores(
  { displayUrl, load }: RedisTarget,
  clock: Clock = systemClock,
): RedisBudgetStores {
  let loaded: ReturnType<typeof load> | undefined;
  let session: RedisSession | undefined;
  const inFlight = new Set<Promise<Swap>>();
  // Of each step separately, so that a busy process is not reported as a server failure.
  const limit = <T>(step: Promise<T>): Promise<T> =>
    withinTimeLimit(
      clock,
      STEP_MAX_MS,
      step,
      () => new TimeoutFailure(`no response within ${String(STEP_MAX_MS)} ms`),
    );

  const runScript = async (key: string, args: readonly string[]): Promise<Swap> => {
    const connect = await (loaded ??= load());
    const current = (session = session === undefined || session.hasEnded ? connect() : session);
    try {
      const send = await limit(current.runScript);
      return parseReply(await limit(send(key, args)));
    } catch (error) {
      // Start with a new connection: the server may hang, or have become a replica.
      current.end();
      throw redisFailure(error, displayUrl);
    }
  };
  const run = (key: string, args: readonly string[]): Promise<Swap> => {
    const running = runScript(key, args);
    inFlight.add(running);
    const forget = (): void => void inFlight.delete(running);
    running.then(forget, forget);
    return running;
  };

  return {
    open: (key) => ({
      read: async () => (await run(key, [])).reading,
      async swap(seen, text, expiresInMs) {
        const version = newVersion();
        const lifetimeMs = Math.min(Math.max(Math.ceil(expiresInMs), 1), LIFETIME_MAX_MS);
        const { swapped, reading } = await run(key, [seen.version, version, text, String(lifetimeMs)]);
        // A client of the caller may repeat the script after a reconnect. The second run finds the version of the first.
        return { swapped: swapped || reading.version === version, reading };
      },
    }),
    async close() {
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
      session?.end();
    },
  };
}

/** Length of 96 random bits in base64url. */
const VERSION_LENGTH = 16;

/**
 * Reads the value of the key. With arguments, it first replaces a value that has the given version. Arguments: this
 * version, the new version, the new text, and its lifetime in milliseconds. Returns whether it replaced the value, the
 * server time in seconds and microseconds, the version and the text. Redis runs one script at a time, so it is atomic.
 */
export const SCRIPT = `local time = redis.call('TIME')
local value = redis.call('GET', KEYS[1]) or ''
local version = string.match(string.sub(value, 1, ${String(VERSION_LENGTH)}), '^[%w_-]+$') or ''
if ARGV[1] == version then
  redis.call('SET', KEYS[1], ARGV[2] .. ARGV[3], 'PX', ARGV[4])
  return {'1', time[1], time[2], ARGV[2], ARGV[3]}
end
return {'0', time[1], time[2], version, string.sub(value, ${String(VERSION_LENGTH + 1)})}`;

/** Maximum lifetime, because some servers reject a longer one. */
const LIFETIME_MAX_MS = 366 * 86_400_000;

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
  // A value without a version was not written by a store.
  const isValid = version !== '' && text !== '';
  return { swapped: swapped === '1', reading: { text: isValid ? text : undefined, version, now } };
}
