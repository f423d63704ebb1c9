import { inspect } from 'node:util';
import { describe, expect, test, vi } from 'vitest';
import type { BudgetStore, Reading } from '../../../../src/client/gate/gate-store.js';
import { connectRedis, redisFailure } from '../../../../src/client/gate/redis/redis-client.js';
import { redisGate } from '../../../../src/client/gate/redis/redis-gate.js';
import { createRedisBudgetStores, SCRIPT } from '../../../../src/client/gate/redis/redis-budget-store.js';
import type { Clock } from '../../../../src/time/clock.js';
import { closedPort } from '../../../support/loopback-port.js';
import { needsRedisPackage, redisPackage as redis } from '../../../support/redis-package.js';
import { type RedisResponder, startScriptedRedis, strings } from '../../../support/scripted-redis.js';
import { rejection } from '../../../support/stores.js';
import { createVirtualClock, until } from '../../../support/virtual-clock.js';

const PASSWORD = 'sk0test0password';
const VERSION = 'abcdefghijklmnop';
const NOTHING = strings('0', '1', '0', '', '');
const seen: Reading = { text: undefined, version: VERSION, now: 0 };

/** A store over a server that responds like this. */
async function setUp(reply: RedisResponder, clock: Clock = createVirtualClock()) {
  const server = await startScriptedRedis(reply);
  return { server, ...budgetStoreAt(server.port, clock) };
}

function budgetStoreAt(port: number, clock: Clock) {
  needsRedisPackage();
  const displayUrl = `redis://127.0.0.1:${String(port)}`;
  const connect = () => connectRedis(redis, displayUrl.replace('//', `//:${PASSWORD}@`), SCRIPT);
  const { open, close } = createRedisBudgetStores({ displayUrl, load: async () => connect }, clock);
  const budgetStore = open('key');
  return { close, displayUrl, budgetStore, read: async () => budgetStore.read() };
}

/** Responds OK to the login, then to each script in turn. The last reply is repeated. */
function scripts(...replies: readonly (string | undefined)[]): RedisResponder {
  let count = 0;
  return ([name]) => {
    if (name !== 'EVAL' && name !== 'EVALSHA') return '+OK\r\n';
    count += 1;
    return replies[Math.min(count, replies.length) - 1];
  };
}

/** A store over a client of the caller, whose replies may depend on the arguments. */
function budgetStoreOver(...replies: ((args: string[]) => unknown)[]): {
  budgetStore: BudgetStore;
  runs: string[][];
} {
  const runs: string[][] = [];
  const client = {
    evalsha: async (_digest: string, _count: number, ...args: string[]) =>
      replies[runs.push(args) - 1]?.(args),
    eval: () => expect.unreachable(),
  };
  return { budgetStore: redisGate({ client, prefix: '' }).open('key'), runs };
}

describe('a read', () => {
  test('returns text, version and the time of the server, over one connection', async () => {
    const { close, read, server } = await setUp(scripts(strings('0', '1772366400', '250999', VERSION, '{}')));
    await read();
    expect(await read()).toEqual({ text: '{}', version: VERSION, now: 1_772_366_400_250 });
    expect(server.connections).toBe(1);
    expect(server.commands[1]).toEqual(['EVALSHA', expect.stringMatching(/^[0-9a-f]{40}$/), '1', 'key']);
    await close();
  });

  test.each([
    ['nothing is stored', ['0', '1', '0', '', '']],
    ['the value is of another program', ['0', '1', '0', '', ' and more than a version']],
    ['the value is truncated', ['0', '1', '0', 'abc', '']],
  ])('returns no text if %s', async (_, reply) => {
    expect(await budgetStoreOver(() => reply).budgetStore.read()).toMatchObject({
      text: undefined,
      now: 1_000,
    });
  });

  test('accepts buffers and numbers', async () => {
    const reply = ['0', 1, 500_000, Buffer.from(VERSION), Buffer.from('é')];
    expect(await budgetStoreOver(() => reply).budgetStore.read()).toEqual({
      text: 'é',
      version: VERSION,
      now: 1_500,
    });
  });

  test.each([[[]], ['OK'], [null], [['0', 'x', '0', '', '']], [['0', '1', '0']]])(
    'rejects a reply of another shape: %j',
    async (reply) => {
      const reading = budgetStoreOver(() => reply).budgetStore.read() as Promise<Reading>;
      expect(await rejection(reading)).toMatchObject({ name: 'RedisFailure' });
    },
  );
});

describe('a swap', () => {
  test('sends the seen version, a new version and the text, and returns the stored text, also after a conflict', async () => {
    const { budgetStore, runs } = budgetStoreOver(
      (args) => ['1', '2', '0', args[2], args[3]],
      () => ['0', '3', '0', 'theirs', 'their text'],
    );
    const done = await budgetStore.swap(seen, 'my text', 60_000);
    expect(runs).toEqual([['key', VERSION, expect.stringMatching(/^[\w-]{16}$/), 'my text', '60000']]);
    const version = runs[0]?.[2];
    expect(done).toEqual({ swapped: true, reading: { text: 'my text', version, now: 2_000 } });
    const reading = { text: 'their text', version: 'theirs', now: 3_000 };
    expect(await budgetStore.swap(seen, 'my text', 1)).toEqual({ swapped: false, reading });
    expect(runs[1]?.[2]).not.toBe(version);
  });

  test('succeeds if the client repeats the script', async () => {
    const { budgetStore } = budgetStoreOver((args) => ['0', '2', '0', args[2], args[3]]);
    expect(await budgetStore.swap(seen, 'text', 1)).toMatchObject({ swapped: true });
  });

  test.each([
    [-5, '1'],
    [0.5, '1'],
    [1e20, String(366 * 86_400_000)],
  ])('converts a lifetime of %d ms to a number that Redis accepts', async (expiresInMs, sent) => {
    const { budgetStore, runs } = budgetStoreOver(() => ['1', '2', '0', 'mine', 'text']);
    await budgetStore.swap(seen, 'text', expiresInMs);
    expect(runs[0]?.at(-1)).toBe(sent);
  });
});

describe('a failure', () => {
  test.each([
    ['-NOAUTH', 'a password is required'],
    ['-CLUSTERDOWN The cluster is down', 'CLUSTERDOWN'],
    ['-ERR Error running script: Script killed by user with SCRIPT KILL', 'the server rejected the command'],
    [
      "-NOPERM this user has no permissions to run the 'select' command or its subcommand",
      'the user may not run SELECT; add +select to its ACL, or leave out the database in the URL',
    ],
    [
      "-NOPERM ACL failure in script: User shop has no permissions to run the 'set' command script: 5f, on @user_script:1.",
      'the user may not run SET; add +set to its ACL',
    ],
    [
      "-NOPERM User shop has no permissions to run the 'sk0secret' command",
      'the user lacks a right; its ACL needs +eval +evalsha +get +set +time',
    ],
    ['+nonsense', 'connection lost, or invalid reply'],
  ])('%s has a reason, and the next operation connects again', async (reply, words) => {
    const { close, displayUrl, read, server } = await setUp(scripts(`${reply}\r\n`, NOTHING));
    expect(await rejection(read())).toMatchObject({
      name: 'RedisFailure',
      message: `${displayUrl}: ${words}`,
    });
    await read();
    expect(server.connections).toBe(2);
    await close();
  });

  test.each<[string, RedisResponder]>([
    ['a wrong password', () => '-WRONGPASS invalid username-password pair\r\n'],
    [
      'a password that the server quotes',
      ([, ...args]) => `-ERR unknown command, with args '${args.join(' ')}'\r\n`,
    ],
    ['a reply of another protocol', () => `HTTP/1.1 400 ${PASSWORD}\r\n\r\n`],
  ])('contains no password: %s', async (_, reply) => {
    const { read } = await setUp(reply);
    const error = await rejection(read());
    expect(inspect(error, { depth: 9, showHidden: true }) + JSON.stringify(error)).not.toContain(PASSWORD);
    expect(error).toMatchObject({ message: expect.stringMatching(/^redis:\/\/127\.0\.0\.1:\d+: /) });
  });

  test.each([
    new Error('SECRET is no code of ours'),
    new Error('ESECRET is no code of ours'),
    Object.assign(new Error('failed'), { code: 'secret', command: { name: 'AUTH', args: ['secret'] } }),
    'secret',
    undefined,
  ])('passes on nothing of what was thrown: %o', (thrown) => {
    const { message, cause, ...own } = redisFailure(thrown, 'redis://example.test:6379');
    // The stack begins with the message; the rest of it names this file.
    expect(inspect({ message, cause, own })).not.toMatch(/secret/i);
  });

  test.each(
    'CERT_HAS_EXPIRED ECONNREFUSED ENOTFOUND ERR ERR_TLS_CERT_ALTNAME_INVALID LOADING MOVED NOAUTH NOPERM OOM READONLY WRONGPASS WRONGTYPE'.split(
      ' ',
    ),
  )('has words for the code %s', (code) => {
    const thrown = code.startsWith('E') || code.startsWith('C') ? { code } : { message: `${code} details` };
    const { message } = redisFailure(Object.assign(new Error('ERR details'), thrown), 'redis://a.test:1');
    expect(message).toMatch(/^redis:\/\/a\.test:1: (?!connection lost)[a-z]+ .+/);
  });

  test('of TLS says what to do', () => {
    const thrown = Object.assign(new Error('self-signed'), { code: 'DEPTH_ZERO_SELF_SIGNED_CERT' });
    expect(redisFailure(thrown, 'rediss://a.test:1').message).toContain('NODE_EXTRA_CA_CERTS');
  });

  test('to connect names the address, also the second time', async () => {
    const { displayUrl, read } = budgetStoreAt(await closedPort(), createVirtualClock());
    for (let times = 0; times < 2; times += 1)
      expect(await rejection(read())).toMatchObject({ message: `${displayUrl}: connection refused` });
  });

  test('of one operation does not end the connection of a later one', async () => {
    const { close, read, server } = await setUp(scripts('-OOM\r\n', '-OOM\r\n', NOTHING));
    await Promise.all([rejection(read()), rejection(read())]);
    await Promise.all([read(), read()]);
    expect(server.connections).toBe(2);
    await close();
  });

  test('is a connection that the server closes: the next operation connects again', async () => {
    let scriptCount = 0;
    const { close, read, server } = await setUp(([name], socket) => {
      if (name !== 'EVALSHA') return '+OK\r\n';
      if ((scriptCount += 1) > 1) return NOTHING;
      socket.end();
      return undefined;
    });
    expect(await rejection(read())).toMatchObject({ name: 'RedisFailure' });
    await read();
    expect(server.connections).toBe(2);
    await close();
  });
});

describe('a server that hangs', () => {
  test.each<[string, RedisResponder, number]>([
    ['while logging in', () => undefined, 1],
    ['with a script', scripts(undefined), 2],
    ['in the middle of a reply', scripts('*5\r\n$1\r\n0\r\n'), 2],
  ])('%s is disconnected after the time limit', async (_, reply, commands) => {
    const clock = createVirtualClock();
    const { read, server } = await setUp(reply, clock);
    const failed = rejection(read());
    await until(() => server.commands.length === commands);
    await clock.advance(899);
    expect(server.open).toBe(1);
    await clock.advance(1);
    expect(await failed).toMatchObject({ message: expect.stringMatching(/: no response within 900 ms$/) });
    await until(() => server.open === 0);
    expect(clock.pending).toBe(0);
  });

  test('does not time out if this process was busy: a received reply is read first', async () => {
    let timeIsOver = (): void => undefined;
    const setTimeout: Clock['setTimeout'] = (callback) => {
      timeIsOver = callback;
      return () => undefined;
    };
    const { close, read, server } = await setUp(scripts(NOTHING), { ...createVirtualClock(), setTimeout });
    await read();
    const reading = read();
    await until(() => server.commands.length === 3);
    // The reply has been sent, but not read yet.
    timeIsOver();
    expect(await reading).toMatchObject({ now: 1_000 });
    await close();
  });
});

describe('closing', () => {
  test('waits for scripts in flight, then ends the connection', async () => {
    let sendReply = (): void => undefined;
    const { close, read, server } = await setUp(([name], socket) => {
      if (name !== 'EVALSHA') return '+OK\r\n';
      sendReply = () => void socket.write(NOTHING);
      return undefined;
    });
    const reading = read();
    await until(() => server.commands.length === 2);
    const closed = vi.fn();
    const closing = close().then(closed);
    await new Promise(setImmediate);
    expect(closed).not.toHaveBeenCalled();
    sendReply();
    await reading;
    await closing;
    await until(() => server.open === 0);
  });

  test('allows a later operation, which connects again', async () => {
    const { close, read, server } = await setUp(scripts(NOTHING));
    await read();
    await close();
    await close();
    await read();
    expect(server.connections).toBe(2);
    await close();
  });
});
