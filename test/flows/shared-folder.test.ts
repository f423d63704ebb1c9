import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, renameSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockFile } from '../../src/security/file-lock.js';
import { csv, importFolder, petNames, received, writes } from '../support/import-folder.js';
import { IS_FULL } from '../support/random-runs.js';
import { runResident } from '../support/resident-cli.js';
import { startProgram } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

// Several processes use the files of one folder at the same time, or one after the other was killed.

const ROOT = join(import.meta.dirname, '../..');
const COMMAND = [process.execPath, join(ROOT, 'bin/petstore.cjs')];
const CONTAINER = [
  ...['unshare', '--user', '--map-root-user', '--net', '--pid', '--fork', '--kill-child', '--mount-proc'],
];
const canUnshare = spawnSync(CONTAINER[0]!, [...CONTAINER.slice(1), 'true']).status === 0;

test.runIf(canUnshare && IS_FULL)(
  'an import in another container does not use the journal of a running one (needs unshare, PETSTORE_TEST_FULL=1)',
  async () => {
    const { mock, folder, env, start, journal } = await importFolder(csv(40), { faults: ['slow:ms=200'] });
    const first = start('pets import pets.csv --json --concurrency 1');
    await received(mock, 3);
    const [command = '', ...args] = [...CONTAINER, ...COMMAND, 'pets', 'import', 'pets.csv', '--resume'];
    const options = { cwd: folder, env: { ...env, PATH: process.env.PATH ?? '', PETSTORE_GATE: 'memory' } };
    const second = await startProgram(command, args, options).finished;
    expect(second).toMatchObject({
      exitCode: 2,
      stdout: '',
      stderr: expect.stringMatching(/^error: Another import uses journal pets\.csv\.journal\nhint: /),
    });
    mock.setFaults([]);
    expect(JSON.parse((await first.finished).stdout)).toMatchObject({ created: 40, unknown: 0, left: 0 });
    expect(new Set(petNames(mock)).size).toBe(40);
    expect(petNames(mock)).toHaveLength(40);
    expect(readFileSync(journal, 'latin1')).not.toContain('\0');
    expect(readdirSync(folder).sort()).toEqual(['pets.csv', 'pets.csv.journal']);
  },
  60_000,
);

test('an import stops before the next request if another process changed its journal', async () => {
  const { mock, start, journal } = await importFolder(csv(40), { faults: ['slow:ms=200'] });
  const first = start('pets import pets.csv --json --concurrency 1');
  await received(mock, 3);
  const text = readFileSync(journal, 'latin1').replaceAll('\0', '');
  rmSync(journal);
  writeFileSync(journal, text, { mode: 0o600 });
  mock.setFaults([]);
  const { exitCode, stderr } = await first.finished;
  expect(exitCode).toBe(10);
  expect(stderr).toContain('Another process changed or removed journal pets.csv.journal');
  expect(writes(mock.journal).length).toBe(3);
});

test('imports from stdin in one folder keep the rejected rows of each other (10 with PETSTORE_TEST_FULL=1)', async () => {
  const { folder, start } = await importFolder(csv(0), { faults: ['status:status=400,route=POST /pets'] });
  const names = Array.from({ length: IS_FULL ? 10 : 2 }, (_, at) => `stdin ${String(at)}`);
  const imports = names.map(
    (name) => start('pets import -', { input: `name,categoryId\n${name},7\n` }).finished,
  );
  for (const { exitCode } of await Promise.all(imports)) expect(exitCode).toBe(1);
  const files = readdirSync(folder).filter((name) => name.startsWith('stdin.rejected'));
  const text = files.map((name) => readFileSync(join(folder, name), 'utf8')).join('');
  expect(names.filter((name) => !text.includes(name))).toEqual([]);
  expect(files).toHaveLength(names.length);
}, 60_000);

describe('an import that was killed before it recorded its rejected-rows file', () => {
  async function killed() {
    const setup = await importFolder(csv(3), { faults: ['status:status=400,route=POST /pets'] });
    expect((await setup.run('pets import pets.csv')).exitCode).toBe(1);
    const text = readFileSync(setup.journal, 'latin1');
    // Without the last line, which says that the file is written.
    writeFileSync(setup.journal, text.replace(/\] [\da-f]{8}\n$/, ''));
    return { ...setup, rejected: join(setup.folder, 'pets.rejected.csv') };
  }
  const resume = 'pets import pets.csv --resume';

  test('takes its own file', async () => {
    const { folder, run, rejected } = await killed();
    const { stderr } = await run(resume);
    expect(stderr).toContain('pets.rejected.csv');
    expect(readdirSync(folder).sort()).toEqual(['pets.csv', 'pets.csv.journal', 'pets.rejected.csv']);
    expect(readFileSync(rejected, 'utf8')).toContain('row 3');
  });

  test('does not take a file of another import', async () => {
    const { folder, run, rejected } = await killed();
    writeFileSync(rejected, 'of another import');
    const { stderr } = await run(resume);
    expect(stderr).toContain('pets.rejected-2.csv');
    expect(readFileSync(join(folder, 'pets.rejected-2.csv'), 'utf8')).toMatch(/row 1[^]*row 3/);
    expect(readFileSync(rejected, 'utf8')).toBe('of another import');
  });
});

test('a row that is marked in flight is not sent again if its line lacks the line break', async () => {
  const victim: { kill?: () => void } = {};
  const { mock, start, run, journal } = await importFolder(csv(1), {
    faults: ['slow:ms=500'],
    onRequest: () => victim.kill?.(),
  });
  const killed = start('pets import pets.csv');
  victim.kill = () => void killed.child.kill('SIGKILL');
  await killed.finished;
  const text = readFileSync(journal, 'latin1').replace(/\0+$/, '');
  expect(text).toMatch(/\n>1 [\da-f]{8}\n$/);
  truncateSync(journal, text.length - 1);
  mock.setFaults([]);
  const { exitCode, stdout } = await run('pets import pets.csv --resume --json');
  expect({ exitCode, ...(JSON.parse(stdout) as object) }).toMatchObject({
    exitCode: 10,
    unknown: 1,
    left: 0,
  });
  expect(writes(mock.journal).length).toBe(1);
  expect(readFileSync(journal, 'latin1')).toBe(text);
});

describe('the configuration', () => {
  const preloaded = ['--require', join(ROOT, 'test/support/lock-steps.cjs'), COMMAND[1]!];
  /** Stores a setting in a process that waits or is killed at the steps of its lock. */
  const store = (folder: string, profile: string, env: Record<string, string> = {}) => {
    const args = [...preloaded, 'config', 'set', 'output', 'json', '--profile', profile];
    return startProgram(process.execPath, args, { env: { PETSTORE_CONFIG_DIR: folder, ...env } }).finished;
  };
  const profilesIn = (folder: string): string[] => {
    const text = readFileSync(join(folder, 'config.json'), 'utf8');
    return Object.keys((JSON.parse(text) as { profiles: object }).profiles).sort();
  };

  test.runIf(IS_FULL)(
    'loses no change of writers that meet a stale lock (PETSTORE_TEST_FULL=1)',
    async () => {
      const folder = temporaryFolder();
      const path = join(folder, 'config.json');
      const lock = await lockFile(path, { clock: { setTimeout } });
      const [name = ''] = readdirSync(`${path}.lock`);
      // The owner is a PID that no process has.
      renameSync(join(`${path}.lock`, name), join(`${path}.lock`, name.replace(/_\d+_/, '_4194305_')));
      lock?.release();
      const names = Array.from({ length: 20 }, (_, at) => `p${String(at)}`);
      const results = await Promise.all(names.map((profile) => store(folder, profile)));
      expect(results.filter(({ exitCode }) => exitCode !== 0)).toEqual([]);
      expect(profilesIn(folder)).toEqual(names.sort());
      expect(readdirSync(folder)).toEqual(['config.json']);
    },
    60_000,
  );

  test('is free at once after a kill at any step of the lock (every twelfth one without PETSTORE_TEST_FULL=1)', async () => {
    const folder = temporaryFolder();
    let step = 1;
    for (; ; step += IS_FULL ? 1 : 12) {
      const { exitCode } = await store(folder, `killed-${String(step)}`, { KILLED_STEP: String(step) });
      const next = `next-${String(step)}`;
      // The same machine: nobody waits 15 s for a renewal.
      const again = await runResident(['config', 'set', 'output', 'json', '--profile', next], {
        env: { PETSTORE_CONFIG_DIR: folder },
      });
      expect(again).toMatchObject({ exitCode: 0 });
      expect(profilesIn(folder)).toContain(next);
      expect(readdirSync(folder)).toEqual(['config.json']);
      if (exitCode === 0) break;
    }
    expect(step).toBeGreaterThan(5);
    expect(profilesIn(folder)).toContain(`killed-${String(step)}`);
  }, 60_000);
});
