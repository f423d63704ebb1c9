import { nodeModule } from '../../../node-module.js';
import { withinTimeLimit } from '../../../time/time-limit.js';
import type { Clock } from '../../time/clock.js';
import type { RedisConnection, RedisSession } from './redis-connection.js';
import { isUnknownScript, redisFailure, TimeoutFailure } from './redis-failure.js';

/** A Lua script, and the digest that `EVALSHA` takes. */
export interface RedisScript {
  text: string;
  sha1: string;
}

/** Runs scripts within a time limit. Its errors never contain the password. */
export interface RedisAccess {
  /**
   * Runs a script on one key.
   *
   * @param parse converts the reply. Throws if it is invalid.
   */
  run<T>(script: RedisScript, key: string, args: readonly string[], parse: (reply: unknown) => T): Promise<T>;
  /** Closes the connection when all scripts have ended. A later `run` connects again. */
  close(): Promise<void>;
}

/** Creates a script with its digest. */
export function redisScript(text: string): RedisScript {
  const { createHash } = nodeModule('node:crypto');
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/**
 * Creates an access over a connection.
 *
 * @param timeoutMs limit of each step: to connect and log in, and to run a script.
 */
export function createRedisAccess(connection: RedisConnection, timeoutMs: number, clock: Clock): RedisAccess {
  const inFlight = new Set<Promise<unknown>>();
  const limit: Limit = (step) => withinTimeLimit(clock, timeoutMs, step, () => new TimeoutFailure(timeoutMs));
  let lastSession: RedisSession | undefined;
  return {
    run(script, key, args, parse) {
      const session = (lastSession = connection.session());
      const run = runScript(session, script, key, args, limit)
        .then(parse)
        .catch((error: unknown) => {
          // Start with a new connection: the server may hang, or have become a replica.
          session.end();
          throw redisFailure(error, connection.displayUrl);
        });
      inFlight.add(run);
      const forget = (): void => void inFlight.delete(run);
      run.then(forget, forget);
      return run;
    },
    async close() {
      while (inFlight.size > 0) await Promise.allSettled(inFlight);
      lastSession?.end();
    },
  };
}

/** Applies the time limit to each step separately, so that a busy process is not reported as a server failure. */
type Limit = <T>(step: Promise<T>) => Promise<T>;

async function runScript(
  session: RedisSession,
  script: RedisScript,
  key: string,
  args: readonly string[],
  limit: Limit,
): Promise<unknown> {
  const commands = await limit(session.commands);
  try {
    return await limit(commands.evalSha(script.sha1, key, args));
  } catch (error) {
    if (!isUnknownScript(error)) throw error;
    return limit(commands.eval(script.text, key, args));
  }
}
