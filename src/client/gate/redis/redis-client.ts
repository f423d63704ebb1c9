import { ConfigurationError } from '../../../errors.js';

/**
 * A client of Redis or Valkey that is connected already: one of node-redis (`redis`, `@redis/client`) or of ioredis and
 * its like, for one server, a cluster, a sentinel or a pool.
 */
export type RedisClient = NodeRedisClient | IoRedisClient;

/** What is used of node-redis. */
export interface NodeRedisClient {
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** What is used of ioredis. */
export interface IoRedisClient {
  evalsha(sha1: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** The two ways to run a script, on one key. */
export interface RedisCommands {
  evalSha(sha1: string, key: string, args: readonly string[]): Promise<unknown>;
  eval(script: string, key: string, args: readonly string[]): Promise<unknown>;
}

/**
 * Puts a client of the caller's to use.
 *
 * @throws ConfigurationError where it is none that is known.
 */
export function commandsOf(client: RedisClient): RedisCommands {
  const has = (name: string): boolean => typeof Reflect.get(Object(client) as object, name) === 'function';
  if (has('eval') && has('evalSha')) return overNodeRedis(client as NodeRedisClient);
  if (has('eval') && has('evalsha')) return overIoRedis(client as IoRedisClient);
  throw new ConfigurationError('the client of the Redis gate has no eval() and evalSha()', {
    option: 'gate',
    hint: 'pass a client of node-redis or ioredis, or { url }',
  });
}

function overNodeRedis(client: NodeRedisClient): RedisCommands {
  return {
    evalSha: (sha1, key, args) => client.evalSha(sha1, { keys: [key], arguments: [...args] }),
    eval: (script, key, args) => client.eval(script, { keys: [key], arguments: [...args] }),
  };
}

function overIoRedis(client: IoRedisClient): RedisCommands {
  return {
    evalSha: (sha1, key, args) => client.evalsha(sha1, 1, key, ...args),
    eval: (script, key, args) => client.eval(script, 1, key, ...args),
  };
}
