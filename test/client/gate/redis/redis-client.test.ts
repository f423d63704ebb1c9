import { expect, onTestFinished, test, vi } from 'vitest';
import type { RedisClient } from '../../../../src/client/gate/redis/redis-client.js';
import { redisGate } from '../../../../src/client/gate/redis/redis-gate.js';
import { ConfigurationError } from '../../../../src/errors.js';
import { NOTHING_KEPT, startScriptedRedis } from '../../../support/scripted-redis.js';
import { rejection } from '../../../support/stores.js';

const UNKNOWN = new Error('NOSCRIPT No matching script.');
const SCRIPT = expect.stringMatching(/^local time/);
const DIGEST = expect.stringMatching(/^[0-9a-f]{40}$/);

test('logs in, selects the database, and runs a script on one key', async () => {
  const server = await startScriptedRedis(([name]) => (name === 'EVALSHA' ? NOTHING_KEPT : '+OK\r\n'));
  const store = redisGate({ url: `redis://anna:p%20w@127.0.0.1:${String(server.port)}/3` });
  await store.open('aa').read();
  expect(server.commands).toEqual([
    ['AUTH', 'anna', 'p w'],
    ['SELECT', '3'],
    ['EVALSHA', DIGEST, '1', 'petstore:gate:aa'],
  ]);
  await store.close();
});

test.each([
  ['node-redis', 'evalSha', (key: string, args: string[]) => [{ keys: [key], arguments: args }]],
  ['ioredis', 'evalsha', (key: string, args: string[]) => [1, key, ...args]],
])('calls %s by the digest of the script, then by its text', async (_, evalSha, sent) => {
  const calls: unknown[] = [];
  const client = {
    [evalSha]: (...args: unknown[]) => (calls.push(args), Promise.reject(UNKNOWN)),
    eval: (...args: unknown[]) => (calls.push(args), Promise.resolve(['1', '1', '0', '', ''])),
    quit: () => expect.unreachable(),
  } as unknown as RedisClient;
  const store = redisGate({ client, prefix: 'own:' });
  await store.open('aa').swap({ text: undefined, version: 'v', now: 0 }, 'text', 5);
  await store.close();
  const args = sent('own:aa', ['v', expect.any(String) as string, 'text', '5']);
  expect(calls).toEqual([
    [DIGEST, ...args],
    [SCRIPT, ...args],
  ]);
});

test('names a missing package, with the command that installs it', async () => {
  vi.doMock('@redis/client', () => {
    throw new Error('Cannot find package');
  });
  onTestFinished(() => {
    vi.doUnmock('@redis/client');
  });
  const error = await rejection(
    redisGate({ url: 'redis://localhost' }).open('aa').read() as Promise<unknown>,
  );
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({
    message: expect.stringContaining('npm install @redis/client'),
    option: 'gate',
    hint: expect.stringContaining('redisGate({ client })'),
  });
});
