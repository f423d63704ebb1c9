import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMock } from '../../src/mock/index.js';
import { parseJson } from '../../src/schema/json.js';
import { IS_FULL } from '../support/random-runs.js';
import { type Running, startCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const KILL_AT_STEP = join(import.meta.dirname, '../support/kill-at-step.cjs');
/** Open, half of the write, the whole write, close, rename, and after the rename. */
const STEPS_PER_SAVE = 6;
const BEFORE = Array.from({ length: STEPS_PER_SAVE - 1 });
/** The pets in the file after a kill at each step of two saves. */
const PETS_AFTER_STEPS = [...BEFORE.map(() => undefined), 1, ...BEFORE.map(() => 1), 2];

/** A folder, and a mock that saves a file there, with what happens at each step. */
function startMock(at: Record<string, string> = {}, folder = temporaryFolder()) {
  const path = join(folder, 'd.json');
  const args = ['mock', '--port', '0', '--pets', '1', '--data', path];
  const env = { NODE_OPTIONS: `--require=${KILL_AT_STEP}`, KILLED_FILE: 'd.json', ...at };
  return { folder, path, args, mock: startCli(args, { env }) };
}

/** Creates a pet, so that the mock saves its file again. */
async function createPet(mock: Running): Promise<void> {
  const [, baseUrl] = await mock.seen('stdout', /PETSTORE_BASE_URL=(\S+)/);
  const response = await fetch(`${baseUrl!}/pets`, {
    method: 'POST',
    headers: { authorization: 'Bearer mock-key', 'content-type': 'application/json' },
    body: '{"name":"Rex","categoryId":1}',
  });
  expect(response.status).toBe(201);
}

/** Kills a mock at one step of two saves. */
async function killAtStep(step: number) {
  const started = startMock({ KILLED_STEP: String(step) });
  if (step > STEPS_PER_SAVE) await createPet(started.mock);
  await started.mock.finished;
  expect(started.mock.child.signalCode).toBe('SIGKILL');
  return started;
}

/** Loads the file as the mock does. */
function savedPets(path: string): number | undefined {
  if (!existsSync(path)) return undefined;
  const mock = createMock({ snapshot: parseJson(readFileSync(path, 'utf8')) });
  return mock.forKey().pets.list().length;
}

test('--data: a kill at any step of a save leaves the old file or the new one', async () => {
  const [folder, copies] = [temporaryFolder(), temporaryFolder()];
  const { mock } = startMock({ COPIED_FOLDER: folder, COPIES: copies }, folder);
  await createPet(mock);
  mock.child.kill('SIGTERM');
  expect((await mock.finished).exitCode).toBe(0);
  const steps = Array.from({ length: 2 * STEPS_PER_SAVE }, (_, at) => at + 1);
  const found = steps.map((step) => savedPets(join(copies, String(step), 'd.json')));
  expect(found).toEqual(PETS_AFTER_STEPS);
}, 60_000);

test.runIf(IS_FULL)(
  '--data: a process that is killed at a step leaves the same as the copy of that step (PETSTORE_TEST_FULL=1)',
  async () => {
    const found: (number | undefined)[] = [];
    for (let step = 1; step <= 2 * STEPS_PER_SAVE; step += 3) {
      const runs = [step, step + 1, step + 2].map((each) => killAtStep(each));
      found.push(...(await Promise.all(runs)).map(({ path }) => savedPets(path)));
    }
    expect(found).toEqual(PETS_AFTER_STEPS);
  },
  60_000,
);

test('--data: the next mock loads the file, and removes what a killed save left', async () => {
  const { folder, args } = await killAtStep(STEPS_PER_SAVE + 3);
  expect(readdirSync(join(folder, 'd.json.lock')).filter((name) => name.endsWith('.next'))).toHaveLength(1);
  const mock = startCli(args);
  await mock.seen('stdout', /^export /);
  mock.child.kill('SIGTERM');
  expect((await mock.finished).exitCode).toBe(0);
  expect([readdirSync(folder), savedPets(join(folder, 'd.json'))]).toEqual([['d.json'], 1]);
});
