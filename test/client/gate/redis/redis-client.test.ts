import { expect, test } from 'vitest';
import {
  adaptClient,
  type IoRedisClient,
  type NodeRedisClient,
} from '../../../../src/client/gate/redis/redis-client.js';
import { ConfigurationError } from '../../../../src/errors.js';

test('calls node-redis with named keys and arguments', async () => {
  const client: NodeRedisClient = {
    evalSha: (...args) => Promise.resolve(['evalSha', ...args]),
    eval: (...args) => Promise.resolve(['eval', ...args]),
  };
  const commands = adaptClient(client);
  const named = { keys: ['key'], arguments: ['a', 'b'] };
  expect(await commands.evalSha('digest', 'key', ['a', 'b'])).toEqual(['evalSha', 'digest', named]);
  expect(await commands.eval('script', 'key', ['a', 'b'])).toEqual(['eval', 'script', named]);
});

test('calls ioredis with positional arguments', async () => {
  const client: IoRedisClient = {
    evalsha: (...args) => Promise.resolve(['evalsha', ...args]),
    eval: (...args) => Promise.resolve(['eval', ...args]),
  };
  const commands = adaptClient(client);
  expect(await commands.evalSha('digest', 'key', ['a'])).toEqual(['evalsha', 'digest', 1, 'key', 'a']);
  expect(await commands.eval('script', 'key', ['a'])).toEqual(['eval', 'script', 1, 'key', 'a']);
});

test.each([{ eval: () => undefined }, { evalSha: () => undefined }, 'redis://example.test', null])(
  'rejects %o',
  (client) => {
    // Callers without TypeScript can pass anything.
    expect(() => adaptClient(client as unknown as NodeRedisClient)).toThrow(ConfigurationError);
  },
);
