import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMock } from '../../src/mock/index.js';
import { parseJson } from '../../src/schema/json.js';
import { startCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const KILL_AT_STEP = join(import.meta.dirname, '../support/kill-at-step.cjs');
/** Open, half of the write, the whole write, close, rename, and after the rename. */
const STEPS_PER_SAVE = 6;

/** Starts a mock that saves a new file, and again after a new pet. It is killed at one step of these. */
async function killAtStep(step: number) {
  const folder = temporaryFolder();
  const path = join(folder, 'd.json');
  const args = ['mock', '--port', '0', '--pets', '1', '--data', path];
  const env = { NODE_OPTIONS: `--require=${KILL_AT_STEP}`, KILLED_FILE: 'd.json', KILLED_STEP: String(step) };
  const mock = startCli(args, { env });
  if (step > STEPS_PER_SAVE) {
    const [, baseUrl] = await mock.seen('stdout', /PETSTORE_BASE_URL=(\S+)/);
    const response = await fetch(`${baseUrl!}/pets`, {
      method: 'POST',
      headers: { authorization: 'Bearer mock-key', 'content-type': 'application/json' },
      body: '{"name":"Rex","categoryId":1}',
    });
    expect(response.status).toBe(201);
  }
  await mock.finished;
  expect(mock.child.signalCode).toBe('SIGKILL');
  return { folder, path, args };
}

/** Loads the file as the mock does. */
function savedPets(path: string): number | undefined {
  if (!existsSync(path)) return undefined;
  const mock = createMock({ snapshot: parseJson(readFileSync(path, 'utf8')) });
  return mock.forKey().pets.list().length;
}

test('--data: a kill at any step of a save leaves the old file or the new one', async () => {
  const found: (number | undefined)[] = [];
  for (let step = 1; step <= 2 * STEPS_PER_SAVE; step += 3) {
    const runs = [step, step + 1, step + 2].map((each) => killAtStep(each));
    found.push(...(await Promise.all(runs)).map(({ path }) => savedPets(path)));
  }
  const before = Array.from({ length: STEPS_PER_SAVE - 1 });
  expect(found).toEqual([...before.map(() => undefined), 1, ...before.map(() => 1), 2]);
}, 60_000);

test('--data: the next mock loads the file, and removes what a killed save left', async () => {
  const { folder, args } = await killAtStep(STEPS_PER_SAVE + 3);
  expect(readdirSync(join(folder, 'd.json.lock')).filter((name) => name.endsWith('.next'))).toHaveLength(1);
  const mock = startCli(args);
  await mock.seen('stdout', /^export /);
  mock.child.kill('SIGTERM');
  expect((await mock.finished).exitCode).toBe(0);
  expect([readdirSync(folder), savedPets(join(folder, 'd.json'))]).toEqual([['d.json'], 1]);
});
