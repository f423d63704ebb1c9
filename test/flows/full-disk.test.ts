import { spawn, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { MockOptions } from '../../src/mock/index.js';
import { importFolder, petNames } from '../support/import-folder.js';
import { IS_FULL } from '../support/random-runs.js';
import { temporaryFolder } from '../support/temporary-folder.js';

/** A small disk needs a mount namespace of its own, so that other processes do not see it. */
const canMount =
  process.platform === 'linux' &&
  spawnSync('unshare', ['--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']).status === 0;
const COMMAND = join(import.meta.dirname, '../../bin/petstore.cjs');

/** Runs a script in a folder `disk` of 64 KiB. `$p` runs petstore. Rows are sent one at a time. */
async function onSmallDisk(script: string, options: MockOptions = {}) {
  const rows = Array.from({ length: 400 }, (_, row) => `pet ${String(row + 1)} ${'x'.repeat(20)},7\n`);
  const { mock, folder, env } = await importFolder(`name,categoryId\n${rows.join('')}`, options);
  const disk = temporaryFolder();
  const setUp = `set -u; mount -t tmpfs -o size=64k none "${disk}" && cp pets.csv "${disk}" && cd "${disk}"
    p="${process.execPath} ${COMMAND}"; fill() { dd if=/dev/zero of=filler bs=1k count="$1" 2>/dev/null; }`;
  const child = spawn('unshare', ['--mount', 'sh', '-c', `${setUp}\n${script}`], {
    cwd: folder,
    env: { ...env, PATH: process.env.PATH, PETSTORE_CONFIG_DIR: join(folder, 'config'), FOLDER: folder },
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].on('data', (chunk: Buffer) => (output[name] += chunk.toString()));
  await new Promise((resolve) => child.once('close', resolve));
  return { ...output, names: petNames(mock) };
}

describe.skipIf(!canMount)('a full disk', () => {
  test.runIf(IS_FULL)(
    'stops an import with exit code 1; after space is freed, each row is sent once (PETSTORE_TEST_FULL=1)',
    async () => {
      const { stdout, stderr, names } = await onSmallDisk(`
      fill 40; $p pets import pets.csv --concurrency 1 --json created,unknown,left; echo "exit $?"
      rm filler; $p pets import pets.csv --concurrency 1 --resume --on-unknown skip --json unknown,left; echo "exit $?"`);
      expect(stderr).toContain("The disk is full: can't write journal pets.csv.journal");
      expect(stderr).toMatch(/Free some space, then run: petstore pets import pets\.csv --resume/);
      expect(stdout).toContain('exit 1\n');
      const [first, last] = stdout
        .split(/exit \d+\n/)
        .map((text) => JSON.parse(text || '{}') as Record<string, number>);
      expect(first!.created! + first!.unknown! + first!.left!).toBe(400);
      expect(first!.left).toBeGreaterThan(0);
      expect(last).toMatchObject({ left: 0 });
      // The row of the failed write is unknown: it was created, and is not sent again.
      expect(names).toHaveLength(400);
      expect(new Set(names).size).toBe(400);
    },
  );

  test.runIf(IS_FULL)(
    'leaves no row unknown, however often the import is resumed (PETSTORE_TEST_FULL=1)',
    async () => {
      const { stdout, names } = await onSmallDisk(`
      fill 32; for resume in '' --resume --resume; do
        $p pets import pets.csv --concurrency 16 --on-unknown skip $resume --json created,alreadyDone,unknown,left
        echo "exit $?"; dd if=/dev/zero of=filler bs=64 count=9999 oflag=append conv=notrunc 2>/dev/null
      done
      rm filler; $p pets import pets.csv --resume --json created,alreadyDone,unknown,left; echo "exit $?"`);
      const runs = stdout.split(/exit \d+\n/).slice(0, -1);
      const counts = runs.map((text) => JSON.parse(text || '{}') as Record<string, number>);
      expect(counts).toHaveLength(4);
      expect(counts[0]!.created).toBeGreaterThan(0);
      expect(counts[0]!.left).toBeGreaterThan(0);
      expect(counts.map(({ unknown = 0 }) => unknown)).toEqual(Array(4).fill(0));
      expect(counts[3]!.created! + counts[3]!.alreadyDone!).toBe(400);
      expect(new Set(names).size).toBe(400);
      expect(names).toHaveLength(400);
    },
    60_000,
  );

  test.each(['pets.csv', ...(IS_FULL ? ['- < "$FOLDER/pets.csv" --journal j'] : [])])(
    'before an import sends nothing: %s (more with PETSTORE_TEST_FULL=1)',
    async (words) => {
      const { stdout, stderr, names } = await onSmallDisk(
        `fill 100; $p pets import ${words}; echo "exit $?"; ls -A`,
      );
      expect(stderr).toMatch(/^error: The disk is full: can't write .*; nothing was sent$/m);
      expect(stderr).toMatch(/^hint: Free some space, then import again\.$/m);
      expect(stdout).toBe('exit 1\nfiller\npets.csv\n');
      expect(names).toEqual([]);
    },
  );

  test.runIf(IS_FULL)('keeps rejected rows for the next run (PETSTORE_TEST_FULL=1)', async () => {
    const { stdout, stderr } = await onSmallDisk(
      `head -n 100 pets.csv > p.csv; fill 36; $p pets import p.csv --journal "$FOLDER/j"; echo "exit $?"; ls -A
       rm filler; $p pets import p.csv --journal "$FOLDER/j" --resume; tail -n +2 p.rejected.csv | wc -l`,
      { faults: ['status:status=400,route=POST /pets'] },
    );
    expect(stderr).toContain("The disk is full: can't write the rejected rows to a file");
    expect(stdout).toMatch(/exit 1\nfiller\np.csv\npets.csv\n[^]*^99$/m);
  });

  test.each([
    ['pets.json --force', 'pets.json; it is unchanged'],
    ...(IS_FULL ? [['new.json', 'new.json; nothing was written']] : []),
  ])('leaves the file of an export as it was: %s (more with PETSTORE_TEST_FULL=1)', async (file, error) => {
    const { stdout, stderr } = await onSmallDisk(
      `echo old > pets.json; fill 100; $p pets export --out ${file!}; echo "exit $?"; cat pets.json; ls -A`,
      { pets: 90 },
    );
    expect(stderr).toContain(`error: The disk is full: can't write ${error!}\n`);
    expect(stdout).toBe('exit 1\nold\nfiller\npets.csv\npets.json\n');
  });
});

describe.skipIf(!canMount)('a state directory', () => {
  // `link` fails as on FAT, which few kernels of test machines have.
  const WITHOUT_LINKS = `const fs = require('node:fs');
    fs.linkSync = () => { throw Object.assign(new Error('no links'), { code: 'EPERM', syscall: 'link' }); };`;

  const STATES = [
    ['that is full', 'fill 100', 'the disk is full'],
    ['that is read-only', 'mount -o remount,ro .', 'the file system is read-only'],
    [
      'without hard links',
      `printf "%s" "${WITHOUT_LINKS}" > no-links.cjs; export NODE_OPTIONS="--require $PWD/no-links.cjs"`,
      'its file system has no hard links',
    ],
  ] as const;
  test.each(IS_FULL ? STATES : STATES.slice(0, 1))(
    '%s: commands do their work with one warning, and doctor finds it',
    async (_, prepare, reason) => {
      // A list is one more command that sends requests.
      const list = IS_FULL ? '$p pets list --limit 1 -o ids; echo "exit $?"' : '';
      const { stdout, stderr } = await onSmallDisk(`
      export PETSTORE_STATE_DIR="$PWD/state"; ${prepare}; head -n 9 "$FOLDER/pets.csv" > "$FOLDER/p.csv"
      ${list}
      $p pets import "$FOLDER/p.csv" --journal "$FOLDER/j" --json created; echo "exit $?"
      $p doctor --offline --query "checks[?id=='state'].[finding, remedy]" -o tsv; echo "exit $?"`);
      const warnings = stderr.match(/^warning: .*/gm) ?? [];
      expect(warnings).toHaveLength(IS_FULL ? 2 : 1);
      for (const warning of warnings)
        expect(warning).toMatch(
          new RegExp(
            `^warning: The shared rate limit failed \\(/.*/state/gate: ${reason}\\)\\. It is now limited to this process\\.$`,
          ),
        );
      const remedy = reason === 'the disk is full' ? 'Free some space, or' : 'Make it writable, or';
      expect(stdout).toMatch(
        new RegExp(
          `^${IS_FULL ? 'exit 0\n' : ''}{"created":8}\nexit 0\n.*/state/gate: ${reason}, so each process keeps its own rate budget\t${remedy} .*\nexit 0\n$`,
        ),
      );
    },
    60_000,
  );
});

test.skipIf(process.platform === 'win32')('a limit of the file size is not a full disk', async () => {
  const folder = temporaryFolder();
  const child = spawnSync(
    'bash',
    [
      '-c',
      `ulimit -f 1; "${process.execPath}" "${COMMAND}" pets export --mock --out pets.json; echo "exit $?"`,
    ],
    { cwd: folder, encoding: 'utf8', env: { PATH: process.env.PATH, PETSTORE_STATE_DIR: join(folder, 's') } },
  );
  expect(child.stderr).toContain("error: The file is larger than the system allows: can't write pets.json");
  expect(child.stdout).toBe('exit 1\n');
  expect(() => readFileSync(join(folder, 'pets.json'))).toThrow('ENOENT');
});

test.skipIf(process.platform !== 'linux')('a configuration of which only a part fits stays as it was', () => {
  const profiles = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`profile-${String(at)}`, {}]));
  const config = JSON.stringify({ profiles });
  const folder = temporaryFolder({ 'config.json': config });
  // A write beyond the limit of 1,024 bytes is cut short.
  const { status, stderr } = spawnSync(
    'sh',
    ['-c', `ulimit -f 1; "$0" "${COMMAND}" config set output json --profile profile-1`, process.execPath],
    { env: { PATH: process.env.PATH, PETSTORE_CONFIG_DIR: folder }, encoding: 'utf8' },
  );
  expect({ status, stderr }).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('(the disk is full)'),
  });
  expect(readdirSync(folder)).toEqual(['config.json']);
  expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe(config);
});

test.skipIf(process.platform !== 'linux')(
  'the exit code of an error that no write was allowed for is the reported one',
  () => {
    const folder = temporaryFolder({ 'config.json': '{}' });
    const { status, signal, stderr } = spawnSync(
      'sh',
      ['-c', `ulimit -f 0; exec "$0" "${COMMAND}" config set output json --json`, process.execPath],
      { env: { PATH: process.env.PATH, PETSTORE_CONFIG_DIR: folder }, encoding: 'utf8' },
    );
    expect({ status, signal }).toEqual({ status: 2, signal: null });
    expect(JSON.parse(stderr)).toMatchObject({
      error: {
        exitCode: 2,
        message: expect.stringContaining("can't be written (the file is larger than the system allows"),
      },
    });
    expect(readdirSync(folder)).toEqual(['config.json']);
    expect(readFileSync(join(folder, 'config.json'), 'utf8')).toBe('{}');
  },
);
