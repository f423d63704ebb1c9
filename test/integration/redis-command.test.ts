import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMock, type Mock } from '../../src/mock/index.js';
import { closedPort } from '../support/loopback-port.js';
import { IS_FULL } from '../support/random-runs.js';
import { runResident } from '../support/resident-cli.js';
import { type Finished, runCli } from '../support/run-cli.js';
import { type RedisResponder, startScriptedRedis } from '../support/scripted-redis.js';
import { temporaryFolder } from '../support/temporary-folder.js';
import { redisPackage } from '../support/redis-package.js';
import { createDaemons, type Daemons } from './daemons.js';
import { whyNoRedis } from './programs.js';
import { type RedisServer, startRedis } from './redis-server.js';

const PASSWORD = 'sk0test0password';
const MINUTE_MS = 60_000;

/** Commands at a time, and how many requests of the minute limit are left for them. */
const [COMMANDS, LEFT] = IS_FULL ? [5, 3] : [3, 2];

/** Runs some commands at a time, which together use up the minute limit of a service. */
async function useUpLimit(gate: string): Promise<{ statuses: (number | undefined)[]; runs: Finished[] }> {
  const aheadMs = MINUTE_MS - (Date.now() % MINUTE_MS);
  const mock = createMock({ plan: 'free', clock: { now: () => Date.now() + aheadMs } });
  const { baseUrl, close } = await mock.listen({ port: 0 });
  onTestFinished(() => close());
  const apiKey = mock.keys[0]!;
  const headers = { authorization: `Bearer ${apiKey}` };
  // Another program has used most of the minute limit.
  await Promise.all(Array.from({ length: 60 - LEFT }, () => fetch(`${baseUrl}/pets`, { headers })));
  const env = {
    PETSTORE_BASE_URL: baseUrl,
    PETSTORE_API_KEY: apiKey,
    PETSTORE_GATE: gate,
    PETSTORE_STATE_DIR: temporaryFolder(),
  };
  const line = ['pets', 'list', '-o', 'ids', '--limit', '1', '--max-wait', '20s'];
  const runs = await Promise.all(Array.from({ length: COMMANDS }, () => runCli(line, { env })));
  return { statuses: mock.journal.map(({ status }) => status), runs };
}

async function scriptedRedis(answer: RedisResponder): Promise<number> {
  return (await startScriptedRedis(answer)).port;
}

/** Lists the pets of a new service, with this PETSTORE_GATE. */
async function listPets(
  gate: string,
  args: readonly string[] = [],
  variables: Record<string, string> = {},
  run: typeof runCli = runCli,
): Promise<Finished & { mock: Mock }> {
  const mock = createMock({ pets: 1 });
  const { baseUrl, close } = await mock.listen({ port: 0 });
  onTestFinished(() => close());
  const env = {
    PETSTORE_BASE_URL: baseUrl,
    PETSTORE_API_KEY: mock.keys[0]!,
    PETSTORE_GATE: gate,
    ...variables,
  };
  return { ...(await run(['pets', 'list', '-o', 'ids', ...args], { env })), mock };
}

describe.skipIf(whyNoRedis() !== undefined)('the command with a Redis gate', () => {
  let daemons: Daemons;
  let redis: RedisServer;
  beforeAll(async () => {
    daemons = createDaemons();
    redis = await startRedis(daemons, ['--requirepass', PASSWORD]);
  });
  // Undefined if the server could not be started.
  afterAll(() => (daemons as Daemons | undefined)?.close());

  test('includes the client, logs in, stores the budget, and ends', async () => {
    const gate = redis.url.replace('//', `//:${PASSWORD}@`);
    const { exitCode, stdout, stderr, mock } = await listPets(`${gate}/1?prefix=of-the-command:`);
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '1\n', stderr: '' });
    expect(mock.journal).toHaveLength(1);
    const client = redisPackage.createClient({ url: `${gate}/1` });
    await client.connect();
    onTestFinished(() => client.destroy());
    const names = await client.keys('*');
    expect(names).toEqual([expect.stringMatching(/^of-the-command:[0-9a-f]+$/)]);
    const value = await client.get(names[0]!);
    expect(value).toContain('"remaining":59');
    expect(value).not.toContain(mock.keys[0]);
  });

  test('warns about a wrong password without showing it, and continues', async () => {
    const gate = redis.url.replace('//', `//:${PASSWORD}0@`);
    const { exitCode, stdout, stderr } = await listPets(gate, ['--verbose']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '1\n' });
    expect(stderr).toContain(
      `warning: The shared rate limit failed (${redis.url}: wrong user name or password)`,
    );
    expect(stderr).not.toContain(PASSWORD);
  });

  test.each([
    ['has no memory left', ['--maxmemory', '1'], 'the server has no memory left'],
    ['is a replica', ['--replicaof', '127.0.0.1', '1'], 'the server is a read-only replica'],
  ])('warns once about a server that %s, and continues with files', async (_, options, reason) => {
    const { url } = await startRedis(daemons, options);
    const stateDirectory = temporaryFolder();
    const run = await listPets(url, [], { PETSTORE_STATE_DIR: stateDirectory });
    expect(run).toMatchObject({
      exitCode: 0,
      stdout: '1\n',
      stderr: `warning: The shared rate limit failed (${url}: ${reason}). It is now limited to this machine.\n`,
    });
    expect(readdirSync(join(stateDirectory, 'gate'))).toHaveLength(1);
  });
});

describe('the command', () => {
  const FAILURES: readonly (readonly [string, () => Promise<number>, string])[] = [
    ['is down', closedPort, 'connection refused'],
    ['accepts and is silent', () => scriptedRedis(() => undefined), 'no response within 900 ms'],
    [
      'rejects the password',
      () => scriptedRedis(() => '-WRONGPASS invalid username-password pair\r\n'),
      'wrong user name or password',
    ],
  ];
  test.each(IS_FULL ? FAILURES : FAILURES.slice(0, 1))(
    'shares the budget of this machine if Redis %s: some at a time get no 429, and each warns once (more with PETSTORE_TEST_FULL=1)',
    async (_, port, reason) => {
      const at = `127.0.0.1:${String(await port())}`;
      const { statuses, runs } = await useUpLimit(`redis://:${PASSWORD}@${at}`);
      expect(statuses).toEqual(Array.from({ length: 60 }, () => 200));
      expect(runs.filter(({ exitCode }) => exitCode === 0)).toHaveLength(LEFT);
      expect(runs.filter(({ exitCode }) => exitCode === 6)).toHaveLength(COMMANDS - LEFT);
      const warning = `warning: The shared rate limit failed (redis://${at}: ${reason}). It is now limited to this machine.\n`;
      expect(runs.map(({ stderr }) => stderr).join('')).toContain(warning);
      // A busy machine may reach another time limit first.
      for (const { stderr } of runs)
        expect(stderr.match(/warning: .*/g)).toEqual([expect.stringMatching(/limited to this machine\.$/)]);
    },
    60_000,
  );

  test('warns twice if the files of the machine fail as well, and continues in memory', async () => {
    const gate = `redis://:${PASSWORD}@127.0.0.1:${String(await closedPort())}`;
    const variables = { PETSTORE_STATE_DIR: '/dev/null/state' };
    const { exitCode, stdout, stderr } = await listPets(gate, [], variables, runResident);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '1\n' });
    expect(stderr.match(/limited to this \w+\./g)).toEqual([
      'limited to this machine.',
      'limited to this process.',
    ]);
  });
});
