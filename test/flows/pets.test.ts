import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createMock, type Mock, type MockServer } from '../../src/mock/index.js';
import { listening } from '../support/loopback-port.js';
import { IS_FULL } from '../support/random-runs.js';
import { type ResidentOptions, runResident } from '../support/resident-cli.js';
import { startCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const KEY = 'sk-flow-secret';
let mock: Mock;
let server: MockServer;
let env: Record<string, string>;

beforeAll(async () => {
  mock = createMock({ keys: [KEY], plan: 'unlimited', pets: 120 });
  server = await mock.listen();
  env = { PETSTORE_BASE_URL: server.baseUrl, PETSTORE_API_KEY: KEY };
});

afterAll(() => server.close());

const petstore = (line: string, options: ResidentOptions = {}) =>
  runResident(line.split(' '), { ...options, env: { ...env, ...options.env } });

test('creates and gets a pet, with every digit', async () => {
  const created = await petstore('pets create --category 9007199254740993 --name Рекс --json id,categoryId');
  expect(created.exitCode).toBe(0);
  const id = /"id":(\d+),"categoryId":9007199254740993/.exec(created.stdout)![1]!;
  for (const line of [`pets get ${id} -q`, `pets get ${id} -q --via get`]) {
    expect(await petstore(line)).toMatchObject({
      exitCode: 0,
      stdout: expect.stringMatching(new RegExp(`^${id}\\tРекс\\t9007199254740993\\t`)),
    });
  }
});

test('a lost response of create: shows the pet that was created, and sends no second POST', async () => {
  const lossy = createMock({ keys: [KEY], pets: 0, faults: ['lost-write'] });
  const { baseUrl, close } = await lossy.listen();
  onTestFinished(() => close());
  const { exitCode, stderr } = await petstore('pets create --name Rex --category 7 --json', {
    env: { PETSTORE_BASE_URL: baseUrl },
  });
  const pets = lossy.snapshot().worlds.flatMap((world) => world.pets);
  expect({ exitCode, pets: pets.length }).toEqual({ exitCode: 10, pets: 1 });
  expect(JSON.parse(stderr).error).toMatchObject({ matches: [{ id: Number(pets[0]?.id) }], complete: true });
  lossy.verify.count({ method: 'POST' }, 1);
});

test.each(IS_FULL ? (['SIGINT', 'SIGKILL'] as const) : (['SIGINT'] as const))(
  'pets export --out: %s leaves the file as it was (SIGKILL with PETSTORE_TEST_FULL=1)',
  async (signal) => {
    // Accepts requests and never responds.
    const silent = createServer(() => running.child.kill(signal));
    const baseUrl = `http://127.0.0.1:${String(await listening(silent))}/v1`;
    const cwd = temporaryFolder({ 'pets.csv': 'yesterday' });
    const line = ['pets', 'export', '--out', 'pets.csv', '--force'];
    const running = startCli(line, { cwd, env: { ...env, PETSTORE_BASE_URL: baseUrl } });
    await running.finished;
    expect(readFileSync(join(cwd, 'pets.csv'), 'utf8')).toBe('yesterday');
    if (signal === 'SIGINT') expect(readdirSync(cwd)).toEqual(['pets.csv']);
  },
);
