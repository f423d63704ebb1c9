import { expect, onTestFinished, test, vi } from 'vitest';
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

test('calls node-redis with named keys and arguments', async () => {
  const calls: unknown[] = [];
  const client = {
    evalSha: (...args: unknown[]) => (calls.push(args), Promise.reject(UNKNOWN)),
    eval: (...args: unknown[]) => (calls.push(args), Promise.resolve(['0', '1', '0', '', ''])),
  };
  await redisGate({ client, prefix: 'own:' }).open('aa').read();
  const named = { keys: ['own:aa'], arguments: [] };
  expect(calls).toEqual([
    [DIGEST, named],
    [SCRIPT, named],
  ]);
});

test('calls ioredis with positional arguments', async () => {
  const calls: unknown[] = [];
  const client = {
    evalsha: (...args: unknown[]) => (calls.push(args), Promise.reject(UNKNOWN)),
    eval: (...args: unknown[]) => (calls.push(args), Promise.resolve(['1', '1', '0', '', ''])),
  };
  await redisGate({ client }).open('aa').swap({ text: undefined, version: 'v', now: 0 }, 'text', 5);
  const sent = [1, 'petstore:gate:aa', 'v', expect.any(String), 'text', '5'];
  expect(calls).toEqual([
    [DIGEST, ...sent],
    [SCRIPT, ...sent],
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
  expect(error).toMatchObject({ message: expect.stringContaining('npm install @redis/client') });
});
