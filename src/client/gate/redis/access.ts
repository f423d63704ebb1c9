import { createHash } from 'node:crypto';
import type { Clock } from '../../time/clock.js';
import type { RedisConnection, RedisSession } from './connection.js';
import { isUnknownScript, redisFailure, TimeLimit } from './failure.js';

/** A script, and the digest under which a server knows it once it has run it. */
export interface RedisScript {
  text: string;
  sha1: string;
}

/** Runs scripts within a time limit. It fails with errors of our own, which show no password. */
export interface RedisAccess {
  /** @param read makes sense of the answer, or throws where there is none in it. */
  run<T>(script: RedisScript, key: string, args: readonly string[], read: (reply: unknown) => T): Promise<T>;
  /** Lets the connection go once nothing is under way. A later `run` makes a new one. */
  close(): Promise<void>;
}

export function redisScript(text: string): RedisScript {
  return { text, sha1: createHash('sha1').update(text).digest('hex') };
}

/** @param timeoutMs limit of each step: to connect and log in, and to answer. */
export function createRedisAccess(connection: RedisConnection, timeoutMs: number, clock: Clock): RedisAccess {
  const underWay = new Set<Promise<unknown>>();
  const limit: Limit = (step) => withinLimit(step, timeoutMs, clock);
  let last: RedisSession | undefined;
  return {
    run(script, key, args, read) {
      const session = (last = connection.session());
      const run = runScript(session, script, key, args, limit)
        .then(read)
        .catch((error: unknown) => {
          // Whatever it was, the next one starts afresh: the server may hang, or have become a replica.
          session.end();
          throw redisFailure(error, connection.shown);
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

/** Each step has a limit of its own, so that a process that is slow itself does not take it for the server's silence. */
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

function withinLimit<T>(step: Promise<T>, timeoutMs: number, clock: Clock): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.setTimeout(() => {
      // Where it was this process that was busy, the answer has come and is read before this runs.
      setImmediate(reject, new TimeLimit(timeoutMs));
    }, timeoutMs);
    step.then(resolve, reject).finally(cancel);
  });
}
