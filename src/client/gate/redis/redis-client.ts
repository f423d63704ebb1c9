import { ConfigurationError } from '../../../errors.js';

/**
 * A connected client of Redis or Valkey: node-redis (`redis`, `@redis/client`) or ioredis. For one server, a cluster, a
 * sentinel or a pool.
 */
export type RedisClient = NodeRedisClient | IoRedisClient;

/** The used part of node-redis. */
export interface NodeRedisClient {
  evalSha(sha1: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
  eval(script: string, options: { keys: string[]; arguments: string[] }): Promise<unknown>;
}

/** The used part of ioredis. */
export interface IoRedisClient {
  evalsha(sha1: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
  eval(script: string, keyCount: number, ...keysAndArguments: string[]): Promise<unknown>;
}

/** Runs a script on one key, by text or by digest. */
export interface RedisCommands {
  evalSha(sha1: string, key: string, args: readonly string[]): Promise<unknown>;
  eval(script: string, key: string, args: readonly string[]): Promise<unknown>;
}

/**
 * Adapts a client of the caller.
 *
 * @throws ConfigurationError if it is not a Redis client.
 */
export function adaptClient(client: RedisClient): RedisCommands {
  const has = (name: string): boolean => typeof Reflect.get(Object(client) as object, name) === 'function';
  if (has('eval') && has('evalSha')) return adaptNodeRedis(client as NodeRedisClient);
  if (has('eval') && has('evalsha')) return adaptIoRedis(client as IoRedisClient);
  throw new ConfigurationError('The Redis client has no eval() and evalSha()', {
    option: 'gate',
    hint: 'Pass a client of node-redis or ioredis, or a URL.',
  });
}

function adaptNodeRedis(client: NodeRedisClient): RedisCommands {
  return {
    evalSha: (sha1, key, args) => client.evalSha(sha1, { keys: [key], arguments: [...args] }),
    eval: (script, key, args) => client.eval(script, { keys: [key], arguments: [...args] }),
  };
}

function adaptIoRedis(client: IoRedisClient): RedisCommands {
  return {
    evalSha: (sha1, key, args) => client.evalsha(sha1, 1, key, ...args),
    eval: (script, key, args) => client.eval(script, 1, key, ...args),
  };
}
