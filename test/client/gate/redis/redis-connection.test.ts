import * as redis from '@redis/client';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  callerConnection,
  loadRedisPackage,
  ownConnection,
} from '../../../../src/client/gate/redis/redis-connection.js';
import { parseRedisUrl } from '../../../../src/client/gate/redis/redis-url.js';
import { ConfigurationError } from '../../../../src/errors.js';
import { closedPort } from '../../../support/loopback-port.js';
import {
  type RedisResponder,
  type ScriptedRedis,
  startScriptedRedis,
} from '../../../support/scripted-redis.js';
import { rejection } from '../../../support/stores.js';
import { until } from '../../../support/virtual-clock.js';

const echo: RedisResponder = ([name]) => `+${String(name)}\r\n`;

async function setUp(
  reply: RedisResponder = echo,
  path = '',
): Promise<[ReturnType<typeof ownConnection>, ScriptedRedis]> {
  const server = await startScriptedRedis(reply);
  return [
    ownConnection(parseRedisUrl(`redis://anna:p%20w@127.0.0.1:${String(server.port)}${path}`), redis),
    server,
  ];
}

describe('an own session', () => {
  test('logs in, selects the database, and runs scripts on one key', async () => {
    const [connection, server] = await setUp(echo, '/3');
    const session = connection.session();
    const commands = await session.commands;
    expect(await commands.evalSha('digest', 'key', ['a', 'b'])).toBe('EVALSHA');
    expect(await commands.eval('script', 'key', [])).toBe('EVAL');
    expect(server.commands).toEqual([
      ['AUTH', 'anna', 'p w'],
      ['SELECT', '3'],
      ['EVALSHA', 'digest', '1', 'key', 'a', 'b'],
      ['EVAL', 'script', '1', 'key'],
    ]);
    session.end();
  });

  test('is shared until it ends, then a new one is opened', async () => {
    const [connection, server] = await setUp();
    const session = connection.session();
    expect(connection.session()).toBe(session);
    await session.commands;
    session.end();
    await until(() => server.open === 0);
    const next = connection.session();
    expect(next).not.toBe(session);
    await next.commands;
    expect(server.connections).toBe(2);
    session.end();
    expect(connection.session()).toBe(next);
    next.end();
  });

  test('is not reused or reconnected after the server has closed it', async () => {
    const [connection, server] = await setUp(([name], socket) => {
      if (name === 'EVAL') socket.end();
      return name === 'EVAL' ? undefined : '+OK\r\n';
    });
    const session = connection.session();
    const commands = await session.commands;
    expect(await rejection(commands.eval('script', 'key', []))).toBeInstanceOf(Error);
    expect(connection.session()).not.toBe(session);
    await connection.session().commands;
    expect(server.connections).toBe(2);
    connection.session().end();
  });

  test('rejects if it can not connect, and the next one tries again', async () => {
    const connection = ownConnection(parseRedisUrl(`redis://127.0.0.1:${String(await closedPort())}`), redis);
    const session = connection.session();
    expect(await rejection(session.commands)).toMatchObject({ code: 'ECONNREFUSED' });
    expect(connection.session()).not.toBe(session);
    await rejection(connection.session().commands);
  });

  test('rejects if it is ended while connecting, and leaves no connection', async () => {
    const [connection, server] = await setUp(() => undefined);
    const session = connection.session();
    await until(() => server.commands.length > 0);
    session.end();
    expect(await rejection(session.commands)).toBeInstanceOf(Error);
    await until(() => server.open === 0);
  });
});

test('uses a client of the caller, and does not end it', async () => {
  const client = { evalSha: async () => 'digest', eval: async () => 'script' };
  const connection = callerConnection(client);
  expect(await (await connection.session().commands).eval('script', 'key', [])).toBe('script');
  connection.session().end();
  expect(await (await connection.session().commands).evalSha('digest', 'key', [])).toBe('digest');
});

test('names a missing package, with the command that installs it', async () => {
  vi.doMock('@redis/client', () => {
    throw new Error('Cannot find package');
  });
  onTestFinished(() => {
    vi.doUnmock('@redis/client');
  });
  const error = await rejection(loadRedisPackage());
  expect(error).toBeInstanceOf(ConfigurationError);
  expect(error).toMatchObject({ message: expect.stringContaining('npm install @redis/client') });
});
