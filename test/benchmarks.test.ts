import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { collectResults } from '../bench/results/collect.mjs';
import { temporaryFolder } from './support/temporary-folder.js';

const ROW = 'process.send({ row: { name: process.argv[2], met: false } }); process.exitCode = 1;';

test.each([
  ['with a missed bar is complete', '', true],
  ['that fails after a row is incomplete', "throw new Error('It fails.');", false],
  ['that ends while it waits is incomplete', 'await new Promise(() => {});', false],
  [
    'that is killed is incomplete',
    "process.kill(process.pid, 'SIGKILL'); await new Promise(() => {});",
    false,
  ],
])('a benchmark %s', async (_, end, isComplete) => {
  const folder = temporaryFolder({ 'script.mjs': `${ROW}\n${end}\n` });
  const args = [join(folder, 'script.mjs'), 'first'];
  const results = await collectResults(args, { node: process.execPath, env: { PATH: process.env.PATH } });
  expect(results).toMatchObject({ isComplete, rows: [{ name: 'first' }] });
  expect(results.code).not.toBe(0);
});

test.each([
  [['--help'], 0, /^$/],
  [['nosuch'], 2, /^error: Unknown benchmark nosuch; known: startup, .*\n$/],
  [['--wirte'], 2, /^error: Unknown option '--wirte'.*\n$/],
])('npm run bench -- %j measures nothing', (args, status, error) => {
  const script = join(import.meta.dirname, '../bench/run.mjs');
  const result = spawnSync(process.execPath, [script, ...args], { encoding: 'utf8' });
  expect(result.stderr).toMatch(error);
  expect([result.status, result.stdout.split(' [')[0]]).toEqual([
    status,
    status === 0 ? 'npm run bench --' : '',
  ]);
});
