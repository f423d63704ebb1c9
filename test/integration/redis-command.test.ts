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

/** Lists pets of a service of its own, the budget where PETSTORE_GATE says. */
async function listPets(gate: string, args: readonly string[] = []): Promise<Finished & { mock: Mock }> {
  const mock = createMock({ pets: 1 });
  const { baseUrl, close } = await mock.listen({ port: 0 });
  onTestFinished(() => close());
  const env = { PETSTORE_BASE_URL: baseUrl, PETSTORE_API_KEY: mock.keys[0]!, PETSTORE_GATE: gate };
  return { ...(await runCli(['pets', 'list', '-o', 'ids', ...args], { env })), mock };
}

describe.skipIf(whyNoRedis() !== undefined)('the command with its budget in a Redis', () => {
  let daemons: Daemons;
  let redis: RedisServer;
  beforeAll(async () => {
    daemons = createDaemons();
    redis = await startRedis(daemons, ['--requirepass', PASSWORD]);
  });
  // Absent where it could not be started.
  afterAll(() => (daemons as Daemons | undefined)?.close());

  test('brings the client along, logs in, keeps the budget there, and ends', async () => {
    const gate = redis.url.replace('//', `//:${PASSWORD}@`);
    const { exitCode, stdout, stderr, mock } = await listPets(`${gate}/1?prefix=of-the-command:`);
    expect({ exitCode, stdout, stderr }).toEqual({ exitCode: 0, stdout: '1\n', stderr: '' });
    expect(mock.journal).toHaveLength(1);
    const client = createClient({ url: `${gate}/1` });
    await client.connect();
    onTestFinished(() => client.destroy());
    const names = await client.keys('*');
    expect(names).toEqual([expect.stringMatching(/^of-the-command:[0-9a-f]+$/)]);
    const kept = await client.get(names[0]!);
    expect(kept).toContain('"remaining":59');
    expect(kept).not.toContain(mock.keys[0]);
  });

  test(
    'eight at a time get no 429 and use the minute up, though some are killed',
    { timeout: 120_000 },
    async () => {
      // Half of the minute is gone before they begin: another program has used the key.
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
          // In the middle of something: how far it has come is different each time.
          if (exits.length > 5 && kills > 0) setTimeout(() => running.child.kill('SIGKILL'), 80 * kills--);
          ({ exitCode } = await running.finished);
        }
      };
      await Promise.all(Array.from({ length: 8 }, loop));

      const statuses = mock.journal.slice(used).map(({ status }) => status);
      expect(new Set(exits)).toEqual(new Set([0, 6, null]));
      expect(statuses).not.toContain(429);
      // Who is killed may take a request with it that was not sent.
      expect(statuses.length).toBeGreaterThanOrEqual(60 - used - 3);
    },
  );

  test('says so and goes on where the password is wrong, and shows none', async () => {
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
  ])('works on alone where the Redis %s, with one warning', async (_, port, reason) => {
    const at = `127.0.0.1:${String(await port())}`;
    const { exitCode, stdout, stderr } = await listPets(`redis://:${PASSWORD}@${at}`);
    expect({ exitCode, stdout }).toEqual({ exitCode: 0, stdout: '1\n' });
    expect(stderr).toBe(
      `warning: The gate failed (redis://${at}: ${reason}). The rate budget is now limited to this process.\n`,
    );
  });

  test.each([`redis://:${PASSWORD}@127.0.0.1/zero`, `redis://:${PASSWORD}@`, `rediss:${PASSWORD}`])(
    'refuses an address that is none, and does not show it: %s',
    async (gate) => {
      const { exitCode, stdout, stderr, mock } = await listPets(gate);
      expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
      expect(stderr).toMatch(/^error: .*\nhint: .*\n$/);
      expect(stderr).not.toContain(PASSWORD);
      expect(mock.journal).toEqual([]);
    },
  );
});
