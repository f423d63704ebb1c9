import { createClient } from '@redis/client';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { createMock, type Mock } from '../../src/mock/index.js';
import { closedPort } from '../support/loopback-port.js';
import { type Finished, runCli, startCli } from '../support/run-cli.js';
import { startScriptedRedis } from '../support/scripted-redis.js';
import { createDaemons, type Daemons } from './daemons.js';
import { whyNoRedis } from './programs.js';
import { type RedisServer, startRedis } from './redis-server.js';

const PASSWORD = 'sk0test0password';
const MINUTE_MS = 60_000;

/** Lists the pets of a new service, with this PETSTORE_GATE. */
async function listPets(gate: string, args: readonly string[] = []): Promise<Finished & { mock: Mock }> {
  const mock = createMock({ pets: 1 });
  const { baseUrl, close } = await mock.listen({ port: 0 });
  onTestFinished(() => close());
  const env = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: mock.keys[0]!, PETSTORE_GATE: gate };
  return { ...(await runCli(['pets', 'list', '-o', 'ids', ...args], { env })), mock };
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
    const client = createClient({ url: `${gate}/1` });
    await client.connect();
    onTestFinished(() => client.destroy());
    const names = await client.keys('*');
    expect(names).toEqual([expect.stringMatching(/^of-the-command:[0-9a-f]+$/)]);
    const value = await client.get(names[0]!);
    expect(value).toContain('"remaining":59');
    expect(value).not.toContain(mock.keys[0]);
  });

  test(
    'runs eight at a time without a 429 and uses up the limit, even if some are killed',
    { timeout: 120_000 },
    async () => {
      // Another program has used up half of the minute limit.
      const used = 30;
      const aheadMs = MINUTE_MS - (Date.now() % MINUTE_MS);
      const mock = createMock({ plan: 'free', latencyMs: 30, clock: { now: () => Date.now() + aheadMs } });
      const { baseUrl, close } = await mock.listen({ port: 0 });
      onTestFinished(() => close());
      const apiKey = mock.keys[0]!;
      const headers = { authorization: `Bearer ${apiKey}` };
      for (let count = 0; count < used; count += 1) await fetch(`${baseUrl}/pets`, { headers });

      const gate = `${redis.url.replace('//', `//:${PASSWORD}@`)}/2`;
      const env = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: apiKey, PETSTORE_GATE: gate };
      const exits: (number | null)[] = [];
      let kills = 3;
      const loop = async (): Promise<void> => {
        for (let exitCode: number | null = 0; exitCode !== 6; exits.push(exitCode)) {
          const running = startCli(['pets', 'list', '--max-wait', '0s'], { env });
          // At a different point of the command each time.
          if (exits.length > 5 && kills > 0) setTimeout(() => running.child.kill('SIGKILL'), 80 * kills--);
          ({ exitCode } = await running.finished);
        }
      };
      await Promise.all(Array.from({ length: 8 }, loop));

      const statuses = mock.journal.slice(used).map(({ status }) => status);
      expect(new Set(exits)).toEqual(new Set([0, 6, null]));
      expect(statuses).not.toContain(429);
      // The unsent request of a killed process counts as sent.
      expect(statuses.length).toBeGreaterThanOrEqual(60 - used - 3);
    },
  );

  test('warns about a wrong password without showing it, and continues', async () => {
    const gate = redis.url.replace('//', `//:${PASSWORD}0@`);
    const { exitCode, stdout, stderr } = await listPets(gate, ['--verbose']);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '1\n' });
    expect(stderr).toContain(`warning: The gate failed (${redis.url}: wrong user name or password)`);
    expect(stderr).not.toContain(PASSWORD);
  });
});

describe('the command', () => {
  test.each([
    ['is down', async () => closedPort(), 'connection refused'],
    ['hangs', async () => (await startScriptedRedis(() => undefined)).port, 'no response within 900 ms'],
  ])('continues in memory if Redis %s, with one warning', async (_, port, reason) => {
    const at = `127.0.0.1:${String(await port())}`;
    const { exitCode, stdout, stderr } = await listPets(`redis://:${PASSWORD}@${at}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '1\n' });
    expect(stderr).toBe(
      `warning: The gate failed (redis://${at}: ${reason}). The rate budget is now limited to this process.\n`,
    );
  });

  test.each([`redis://:${PASSWORD}@127.0.0.1/zero`, `redis://:${PASSWORD}@`, `rediss:${PASSWORD}`])(
    'rejects an invalid address without showing it: %s',
    async (gate) => {
      const { exitCode, stdout, stderr, mock } = await listPets(gate);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(/^error: .*\nhint: .*\n$/);
      expect(stderr).not.toContain(PASSWORD);
      expect(mock.journal).toEqual([]);
    },
  );
});
