import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { lockJournal } from '../../../src/bulk/journal/journal-lock.js';
import { type CompiledClient, compileClient } from '../../support/compiled-client.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

let compiled: CompiledClient;
beforeAll(async () => {
  compiled = await compileClient();
});
afterAll(() => compiled.remove());

const lock = async (path: string) => lockJournal(path, await stat(path, { bigint: true }));

/** Starts a process that holds the lock until it is killed, or prints that it did not get it. */
async function lockInChild(path: string): Promise<{ child: ChildProcess; output: string }> {
  const code = `
    import { stat } from 'node:fs/promises';
    import { lockJournal } from ${JSON.stringify(new URL('bulk/journal/journal-lock.js', compiled.url).href)};
    const lock = await lockJournal(${JSON.stringify(path)}, await stat(${JSON.stringify(path)}, { bigint: true }));
    console.log(lock === undefined ? 'rejected' : 'locked');
    if (lock !== undefined) setInterval(() => {}, 1_000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    env: {},
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [line] = await once(child.stdout, 'data');
  return { child, output: String(line).trim() };
}

test('is held once, and released', async () => {
  const path = join(temporaryFolder({ j: '', other: '' }), 'j');
  const first = await lock(path);
  expect(first).toBeDefined();
  expect(await lock(path)).toBeUndefined();
  const other = await lock(path.replace(/j$/, 'other'));
  expect(other).toBeDefined();
  await Promise.all([first?.release(), other?.release()]);
  const again = await lock(path);
  expect(again).toBeDefined();
  await again?.release();
});

test('is acquired by one of many concurrent calls', async () => {
  const path = join(temporaryFolder({ j: '' }), 'j');
  const locks = await Promise.all(Array.from({ length: 20 }, () => lock(path)));
  expect(locks.filter((each) => each !== undefined)).toHaveLength(1);
  await locks.find((each) => each !== undefined)?.release();
});

test('is released when its process is killed', async () => {
  const path = join(temporaryFolder({ j: '' }), 'j');
  for (let round = 0; round < 3; round += 1) {
    const { child, output } = await lockInChild(path);
    expect(output).toBe('locked');
    expect(await lock(path)).toBeUndefined();
    expect((await lockInChild(path)).output).toBe('rejected');
    child.kill('SIGKILL');
    await once(child, 'exit');
    const mine = await lock(path);
    expect(mine).toBeDefined();
    await mine?.release();
  }
});
