import { inspect } from 'node:util';
import * as redis from '@redis/client';
import { describe, expect, test, vi } from 'vitest';
import type { Clock } from '../../../../src/client/time/clock.js';
import {
  createRedisAccess,
  type RedisAccess,
  redisScript,
} from '../../../../src/client/gate/redis/redis-access.js';
import { ownConnection } from '../../../../src/client/gate/redis/redis-connection.js';
import { parseRedisUrl } from '../../../../src/client/gate/redis/redis-url.js';
import { closedPort } from '../../../support/loopback-port.js';
import {
  type RedisResponder,
  type ScriptedRedis,
  startScriptedRedis,
} from '../../../support/scripted-redis.js';
import { rejection } from '../../../support/stores.js';
import { createVirtualClock, until, type VirtualClock } from '../../../support/virtual-clock.js';

const SCRIPT = redisScript('return 1');
const PASSWORD = 'sk0test0password';

interface SetUp {
  access: RedisAccess;
  clock: VirtualClock;
  server: ScriptedRedis;
  run(): Promise<unknown>;
}

async function setUp(reply: RedisResponder): Promise<SetUp> {
  const server = await startScriptedRedis(reply);
  const clock = createVirtualClock();
  const access = createRedisAccess(connectTo(server.port), 1_000, clock);
  return { access, clock, server, run: () => access.run(SCRIPT, 'key', ['argument'], (reply) => reply) };
}

function connectTo(port: number): ReturnType<typeof ownConnection> {
  return ownConnection(parseRedisUrl(`redis://:${PASSWORD}@127.0.0.1:${String(port)}`), redis);
}

/** Replies OK to the login, then to each script in turn. The last reply is repeated. */
function scripts(...replies: readonly (string | undefined)[]): RedisResponder {
  let count = 0;
  return ([name]) => {
    if (name !== 'EVAL' && name !== 'EVALSHA') return '+OK\r\n';
    count += 1;
    return replies[Math.min(count, replies.length) - 1];
  };
}

describe('a script', () => {
  test('runs by its digest, over one connection', async () => {
    const { access, server, run } = await setUp(scripts(':1\r\n', ':2\r\n'));
    expect([await run(), await run()]).toEqual([1, 2]);
    expect(server.connections).toBe(1);
    expect(SCRIPT.sha1).toBe('e0e1f9fabfc9d4800c877a703b823ac0578ff8db');
    expect(server.commands.slice(1)).toEqual(Array(2).fill(['EVALSHA', SCRIPT.sha1, '1', 'key', 'argument']));
    await access.close();
  });

  test('is sent as text if the server does not know it', async () => {
    const { access, clock, server, run } = await setUp(
      scripts('-NOSCRIPT No matching script.\r\n', ':1\r\n'),
    );
    expect(await run()).toBe(1);
    expect(server.commands.at(-1)).toEqual(['EVAL', 'return 1', '1', 'key', 'argument']);
    expect(clock.pending).toBe(0);
    await access.close();
  });
});

describe('a failure', () => {
  test.each([
    ['LOADING', 'the server is still loading its data'],
    ['READONLY', 'read-only replica'],
    ['NOAUTH', 'a password is required'],
    ['OOM', 'no memory left'],
    ['BUSY', 'busy with a script'],
    ['NOPERM', 'the user may not run EVAL, EVALSHA, GET, SET and TIME'],
    ['MOVED', 'part of a cluster'],
    ['ERR Error running script: Script killed by user with SCRIPT KILL', 'rejected the command'],
  ])('%s has a readable reason, and the next run connects again', async (error, words) => {
    const { access, server, run } = await setUp(scripts(`-${error} as Redis says it\r\n`, ':1\r\n'));
    expect(await rejection(run())).toMatchObject({
      name: 'RedisFailure',
      message: expect.stringContaining(words),
    });
    expect(await run()).toBe(1);
    expect(server.connections).toBe(2);
    await access.close();
  });

  test.each<[string, RedisResponder]>([
    ['a wrong password', () => '-WRONGPASS invalid username-password pair\r\n'],
    [
      'a password that the server quotes',
      ([, ...args]) => `-ERR unknown command, with args '${args.join(' ')}'\r\n`,
    ],
    ['a reply of another protocol', () => `HTTP/1.1 400 ${PASSWORD}\r\n\r\n`],
  ])('contains no password: %s', async (_, reply) => {
    const { run } = await setUp(reply);
    const error = await rejection(run());
    expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).not.toContain(PASSWORD);
    expect(error).toMatchObject({ message: expect.stringMatching(/^redis:\/\/127\.0\.0\.1:\d+: /) });
  });

  test('to connect names the address', async () => {
    const port = await closedPort();
    const access = createRedisAccess(connectTo(port), 1_000, createVirtualClock());
    expect(await rejection(access.run(SCRIPT, 'key', [], String))).toMatchObject({
      message: `redis://127.0.0.1:${String(port)}: connection refused`,
    });
  });

  test('to parse a reply ends the connection', async () => {
    const { access, server, run } = await setUp(scripts('+nonsense\r\n'));
    const nonsense = access.run(SCRIPT, 'key', [], () => {
      throw new Error('nonsense');
    });
    expect(await rejection(nonsense)).toMatchObject({ name: 'RedisFailure' });
    await run();
    expect(server.connections).toBe(2);
    await access.close();
  });

  test('of one run does not end the connection of a later one', async () => {
    const { access, server, run } = await setUp(scripts('-OOM\r\n', '-OOM\r\n', ':1\r\n'));
    await Promise.all([rejection(run()), rejection(run())]);
    expect([await run(), await run()]).toEqual([1, 1]);
    expect(server.connections).toBe(2);
    await access.close();
  });
});

describe('a server that hangs', () => {
  test.each<[string, RedisResponder, number]>([
    ['while logging in', () => undefined, 1],
    ['with a script', scripts(undefined), 2],
    ['in the middle of a reply', scripts('*5\r\n$1\r\n0\r\n'), 2],
  ])('%s is disconnected after the time limit', async (_, reply, commands) => {
    const { clock, server, run } = await setUp(reply);
    const failed = rejection(run());
    await until(() => server.commands.length === commands);
    await clock.advance(999);
    expect(server.open).toBe(1);
    await clock.advance(1);
    expect(await failed).toMatchObject({ message: expect.stringMatching(/: no response within 1000 ms$/) });
    await until(() => server.open === 0);
    expect(clock.pending).toBe(0);
  });

  test('does not time out if this process was busy: a received reply is read first', async () => {
    const server = await startScriptedRedis(scripts(':1\r\n'));
    let timeIsOver = (): void => undefined;
    const clock: Clock = {
      ...createVirtualClock(),
      setTimeout(callback) {
        timeIsOver = callback;
        return () => undefined;
      },
    };
    const access = createRedisAccess(connectTo(server.port), 1_000, clock);
    const run = (): Promise<unknown> => access.run(SCRIPT, 'key', [], (reply) => reply);
    await run();
    const reply = run();
    await until(() => server.commands.length === 3);
    // The reply has been sent, but not read yet.
    timeIsOver();
    expect(await reply).toBe(1);
    await access.close();
  });
});

describe('closing', () => {
  test('waits for scripts in flight, then ends the connection', async () => {
    let sendReply = (): void => undefined;
    const { access, server, run } = await setUp(([name], socket) => {
      if (name !== 'EVALSHA') return '+OK\r\n';
      sendReply = () => void socket.write(':1\r\n');
      return undefined;
    });
    const reply = run();
    await until(() => server.commands.length === 2);
    const closed = vi.fn();
    const closing = access.close().then(closed);
    sendReply();
    expect(await reply).toBe(1);
    await closing;
    await until(() => server.open === 0);
  });

  test('allows a later run, which connects again', async () => {
    const { access, server, run } = await setUp(scripts(':1\r\n'));
    await run();
    await access.close();
    await access.close();
    expect(await run()).toBe(1);
    expect(server.connections).toBe(2);
    await access.close();
  });
});
