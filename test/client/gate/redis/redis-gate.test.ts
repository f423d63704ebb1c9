import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { redisGate, redisGateOver } from '../../../../src/client/gate/redis/redis-gate.js';
import { ConfigurationError } from '../../../../src/errors.js';
import { NOTHING_KEPT, startScriptedRedis } from '../../../support/scripted-redis.js';

describe('the Redis gate', () => {
  test('connects at the first use, once for all budgetStores', async () => {
    const server = await startScriptedRedis(() => NOTHING_KEPT);
    const store = redisGate({ url: server.url });
    const budgetStores = [store.open('aa'), store.open('bb')];
    expect(server.connections).toBe(0);
    await Promise.all(budgetStores.map(async (budgetStore) => budgetStore.read()));
    expect(server.connections).toBe(1);
    expect(server.commands.map((command) => command[3])).toEqual(['petstore:gate:aa', 'petstore:gate:bb']);
    await store.close();
  });

  test.each([
    [{ prefix: 'own:' }, '', 'own:aa'],
    [{}, '?prefix=url:', 'url:aa'],
    [{ prefix: 'own:' }, '?prefix=url:', 'own:aa'],
  ])('uses the prefix of %o and %j', async (options, query, key) => {
    const server = await startScriptedRedis(() => NOTHING_KEPT);
    const store = redisGate({ url: `${server.url}${query}`, ...options });
    await store.open('aa').read();
    expect(server.commands[0]?.[3]).toBe(key);
    await store.close();
  });

  test('is used without a fallback that can not be opened', () => {
    const open = (): never => {
      throw new Error('no home directory');
    };
    const store = redisGateOver({ url: 'redis://a.test' }, () => ({
      id: 'files',
      open,
      close: () => Promise.resolve(),
    }));
    expect(store.open('aa')).toMatchObject({ fallback: undefined });
  });

  test('has an id from address and prefix, without credentials', () => {
    const ids = [
      'redis://a.test',
      'redis://:pw@a.test',
      'redis://a.test/1',
      'redis://a.test?prefix=x',
      'redis://b.test',
    ];
    const [first, second, ...others] = ids.map((url) => redisGate({ url }).id);
    expect(second).toBe(first);
    expect(new Set([first, ...others]).size).toBe(4);
    const client = { evalsha: async () => [], eval: async () => [] };
    expect(redisGate({ client }).id).not.toBe(redisGate({ client }).id);
  });

  test('gives each budgetStore a unique holder', () => {
    const store = redisGate({ url: 'redis://a.test' });
    const [first, second] = [store.open('aa').holder, store.open('aa').holder];
    expect(first).toMatch(/^[\w.:-]+$/);
    expect(second).not.toBe(first);
  });

  test('can be closed without having been used', async () => {
    await expect(redisGate({ url: 'redis://a.test' }).close()).resolves.toBeUndefined();
  });

  test('shows no password', () => {
    const store = redisGate({ url: 'redis://anna:secret@a.test' });
    expect(inspect({ store, budgetStore: store.open('aa') }, { depth: 9, showHidden: true })).not.toMatch(
      /anna|secret/,
    );
    expect(JSON.stringify(store)).not.toMatch(/anna|secret/);
  });

  test.each<[unknown, string, unknown?]>([
    [{}, 'A shared rate limit in Redis needs a URL or a client'],
    [{ client: {} }, 'The Redis client has no eval() and evalSha()'],
    [{ client: { eval: () => undefined } }, 'The Redis client has no eval() and evalSha()'],
    [{ client: null }, 'The Redis client has no eval() and evalSha()'],
    [undefined, 'The options of redisGate must be an object', 'Pass redisGate({ url }).'],
    [{ url: 'redis://a.test', prefx: 'x' }, 'Unknown option of redisGate "prefx"', 'Did you mean "prefix"?'],
  ])('rejects %o at once', (options, message, hint = expect.stringMatching(/^Pass .*\.$/)) => {
    const error = thrownBy(() => redisGate(options as { url: string }));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ message, hint, option: 'gate' });
  });
});

describe('a Redis URL', () => {
  test.each([
    ['redis://example.test', 'redis://example.test:6379'],
    ['redis://example.test/0', 'redis://example.test:6379'],
    [new URL('redis://example.test:1'), 'redis://example.test:1'],
    ['rediss://anna:secret@example.test:6380/2', 'rediss://example.test:6380/2'],
    ['redis://:p%40ss%2Fw%23rd@[::1]:7000/', 'redis://[::1]:7000'],
  ])('%s is accepted, and displayed without credentials', (url, displayed) => {
    expect(redisGate({ url }).id).toBe(`${displayed} petstore:gate:`);
  });

  test.each([
    ['secret', 'address'],
    ['http://:secret@example.test', 'scheme'],
    ['redis://:secret@', 'address'],
    ['redis:///0', 'host'],
    ['redis://:secret@example.test:99999', 'address'],
    ['redis://:secret@example.test/zero', 'path'],
    ['redis://:secret@example.test/0/1', 'path'],
    ['redis://:secret@example.test?db=1', 'query'],
    ['redis://:se#cret@example.test', 'address'],
    ['redis://example.test#secret', 'fragment'],
    ['redis://:secret%zz@example.test', 'percent-encoding'],
  ])('%s is rejected for its %s, without quoting it', (url, part) => {
    const error = thrownBy(() => redisGate({ url }));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({
      message: `The URL of Redis has an invalid ${part}`,
      option: 'gate',
      hint: expect.stringContaining('redis://[[USER]:PASSWORD@]HOST'),
    });
    expect(inspect(error, { depth: 9, showHidden: true })).not.toMatch(/secret|se#cret/);
  });
});

function thrownBy(action: () => unknown): unknown {
  try {
    action();
  } catch (error) {
    return error;
  }
  throw new Error('nothing was thrown');
}
