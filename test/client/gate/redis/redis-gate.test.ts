import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import { redisGate } from '../../../../src/client/gate/redis/redis-gate.js';
import { ConfigurationError } from '../../../../src/errors.js';
import { NOTHING_KEPT, startScriptedRedis } from '../../../support/scripted-redis.js';

describe('the Redis gate', () => {
  test('connects at the first use, once for all ledgers', async () => {
    const server = await startScriptedRedis(() => NOTHING_KEPT);
    const store = redisGate({ url: server.url });
    const ledgers = [store.open('aa'), store.open('bb')];
    expect(server.connections).toBe(0);
    await Promise.all(ledgers.map(async (ledger) => ledger.read()));
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
  });

  test('with a client of the caller has a unique id, and leaves the client open', async () => {
    const keys: unknown[] = [];
    const client = {
      evalsha: async (_sha1: string, _count: number, key: string) => {
        keys.push(key);
        return ['0', '1', '0', '', ''];
      },
      eval: () => expect.unreachable(),
      quit: () => expect.unreachable(),
    };
    const store = redisGate({ client, prefix: 'own:' });
    expect(await store.open('aa').read()).toEqual({ text: undefined, version: '', now: 1_000 });
    expect(keys).toEqual(['own:aa']);
    expect(redisGate({ client }).id).not.toBe(redisGate({ client }).id);
    await store.close();
  });

  test('gives each ledger a unique holder', () => {
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
    expect(inspect({ store, ledger: store.open('aa') }, { depth: 9, showHidden: true })).not.toMatch(
      /anna|secret/,
    );
    expect(JSON.stringify(store)).not.toMatch(/anna|secret/);
  });

  test.each([
    [{}, /needs a URL or a client/],
    [{ url: 'http://a.test' }, /invalid scheme/],
    [{ client: {} }, /no eval\(\)/],
  ])('rejects %o at once', (options, message) => {
    // Callers without TypeScript can pass anything.
    const make = (): unknown => redisGate(options as { url: string });
    expect(make).toThrow(ConfigurationError);
    expect(make).toThrow(message);
  });
});

test.each([
  [undefined, 'The options of redisGate must be an object', 'Pass redisGate({ url }).'],
  [{ url: 'redis://localhost', prefx: 'x' }, 'Unknown option of redisGate "prefx"', 'Did you mean "prefix"?'],
])('explains the invalid options %j', (options, message, hint) => {
  expect(() => redisGate(options as never)).toThrow(expect.objectContaining({ message, hint }));
  expect(() => redisGate(options as never)).toThrow(ConfigurationError);
});
