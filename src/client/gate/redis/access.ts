import { createHash } from 'node:crypto';
import { ConfigurationError } from '../../../errors.js';
import type { Clock } from '../../clock.js';
import type { RedisConnection, RedisSession } from './connection.js';
import { isUnknownScript, redisFailure, TimeLimit } from './failure.js';

/** A script, and the digest under which a server knows it once it has run it. */
export interface RedisScript {
  text: string;
  sha1: string;
}

/** Runs scripts within a time limit. It fails with a `RedisFailure` or a `ConfigurationError`, and shows no password. */
export interface RedisAccess {
  /** @param read makes sense of the answer, or throws where there is none in it. */
  run<T>(script: RedisScript, key: string, args: readonly string[], read: (reply: unknown) => T): Promise<T>;
  /** Lets the connection go once nothing is under way. A later `run` makes a new one. */
  close(): Promise<void>;
}

export function redisScript(text: string): RedisScript {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/** @param timeoutMs limit of one run, connecting included. */
export function createRedisAccess(connection: RedisConnection, timeoutMs: number, clock: Clock): RedisAccess {
  const underWay = new Set<Promise<unknown>>();
  let last: RedisSession | undefined;
  return {
    run(script, key, args, read) {
      const session = (last = connection.session());
      const run = withinLimit(timeoutMs, clock, () => runScript(session, script, key, args))
        .then(read)
        .catch((error: unknown) => {
          // Whatever it was, the next one starts afresh: the server may hang, or have become a replica.
          session.end();
          throw error instanceof ConfigurationError ? error : redisFailure(error, connection.shown);
        });
      underWay.add(run);
      const forget = (): void => void underWay.delete(run);
      run.then(forget, forget);
      return run;
    },
    async close() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
      last?.end();
    },
  };
}

async function runScript(
  session: RedisSession,
  script: RedisScript,
  key: string,
  args: readonly string[],
): Promise<unknown> {
  const commands = await session.commands;
  try {
    return await commands.evalSha(script.sha1, key, args);
  } catch (error) {
    if (!isUnknownScript(error)) throw error;
    return commands.eval(script.text, key, args);
  }
}

function withinLimit<T>(timeoutMs: number, clock: Clock, start: () => Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimeout(() => {
      // Where it was this process that was busy, the answer has come and is read before this runs.
      setImmediate(reject, new TimeLimit(timeoutMs));
    }, timeoutMs);
    start().then(resolve, reject).finally(cancel);
  });
}
