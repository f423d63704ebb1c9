import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { temporaryFolder } from '../../../../support/temporary-folder.js';
import { ALL_MADE, ROWS, setUp } from '../import-folder.js';

/** Returns the command at the end of a hint, without the name of the program and the group. */
function commandIn(stderr: string): string {
  return /run: petstore pets import (.*)\n/.exec(stderr)?.[1] ?? '';
}

describe('a folder in which all users can write', () => {
  test('the hint of a first import has the whole command, which works', async () => {
    const { run, path } = setUp({ 'shared/pets.csv': ROWS });
    chmodSync(path('shared'), 0o777);
    const homeDirectory = temporaryFolder();
    const refused = await run('shared/pets.csv --on-unknown skip', { homeDirectory });
    expect(refused).toMatchObject({ exitCode: 2, requests: [] });
    expect(refused.stderr).toContain('Other users can replace journal shared/pets.csv.journal');
    expect(existsSync(path('shared/pets.csv.journal'))).toBe(false);
    const journal = join(homeDirectory, 'pets.csv.journal');
    expect(commandIn(refused.stderr)).toBe(
      `shared/pets.csv --journal ${journal} --concurrency 1 --on-unknown skip`,
    );
    const line = commandIn(refused.stderr).replace(' --concurrency 1', '');
    expect(await run(line, { homeDirectory, responses: ALL_MADE })).toMatchObject({ exitCode: 0 });
    expect(readFileSync(journal, 'utf8')).not.toBe('');
  });

  test.each([
    ['a home directory that others can write, too', (home: string) => chmodSync(home, 0o777)],
    ['no home directory', () => undefined],
  ])('no other journal is proposed for %s', async (what, change) => {
    const { run, path } = setUp({ 'shared/pets.csv': ROWS });
    chmodSync(path('shared'), 0o777);
    const homeDirectory = what.startsWith('no') ? join(temporaryFolder(), 'absent') : temporaryFolder();
    change(homeDirectory);
    const { stderr } = await run('shared/pets.csv', { homeDirectory });
    expect(stderr).toContain('If only you have changed it, run: chmod o-w');
  });

  test('no other journal is proposed beside one with rows: it would send them again', async () => {
    const { run, path } = setUp({ 'shared/pets.csv': ROWS });
    expect(await run('shared/pets.csv', { responses: ALL_MADE })).toMatchObject({ exitCode: 0 });
    chmodSync(path('shared'), 0o777);
    const { stderr } = await run('shared/pets.csv', { homeDirectory: temporaryFolder() });
    expect(stderr).toContain('If only you have changed it, run: chmod o-w');
  });
});

describe('a first import whose journal can not be used', () => {
  test.each(['absent/j', '.', '/dev/null', 'pets.csv', 'link'])(
    '%s: the hint is the command with the journal next to the file',
    async (journal) => {
      const { run, path } = setUp();
      symlinkSync('nowhere', path('link'));
      const refused = await run(`pets.csv --journal ${journal}`, { homeDirectory: temporaryFolder() });
      expect(refused).toMatchObject({ exitCode: 2, requests: [] });
      expect(refused.stderr).toMatch(
        /\nhint: To keep .* run: petstore pets import pets\.csv --concurrency 1\n$/,
      );
      expect(await run('pets.csv', { responses: ALL_MADE })).toMatchObject({ exitCode: 0 });
    },
  );

  test('the default one: the command has its journal in the home directory', async () => {
    const { run, path } = setUp();
    mkdirSync(path('pets.csv.journal'));
    const homeDirectory = temporaryFolder();
    const refused = await run('pets.csv', { homeDirectory });
    expect(refused).toMatchObject({ exitCode: 2, requests: [] });
    const line = commandIn(refused.stderr).replace(' --concurrency 1', '');
    expect(line).toBe(`pets.csv --journal ${homeDirectory}/pets.csv.journal`);
    expect(await run(line, { homeDirectory, responses: ALL_MADE })).toMatchObject({ exitCode: 0 });
  });
});

test('a finished journal of another service: the command sends all rows to this one, once', async () => {
  const { run } = setUp();
  expect(await run('pets.csv', { responses: ALL_MADE })).toMatchObject({ exitCode: 0 });
  const other = '--base-url https://other.test/v1 --yes';
  const refused = await run(`pets.csv ${other}`);
  expect(refused).toMatchObject({ exitCode: 2, requests: [] });
  const line = commandIn(refused.stderr).replace(' --concurrency 1', '');
  expect(line).toContain('pets.csv --journal pets.csv.other.test.journal');
  expect(await run(line, { responses: ALL_MADE })).toMatchObject({ exitCode: 0 });
  expect(await run(line)).toMatchObject({ exitCode: 0, requests: [] });
});

describe.skipIf(process.platform === 'win32')('a pipe', () => {
  test('by name: the hint has the whole command', async () => {
    const { run, path } = setUp({});
    execFileSync('mkfifo', [path('pipe')]);
    for (const flags of ['', ' --dry-run']) {
      const { stderr, exitCode } = await run(`pipe${flags}`);
      expect(exitCode).toBe(2);
      expect(stderr).toBe(
        'error: pipe is a pipe, and an import reads its rows twice\n' +
          `hint: To read it as stdin, run: petstore pets import - --concurrency 1${flags} < pipe\n`,
      );
    }
  });

  test('of a shell: the rows come from stdin instead', () => {
    const read = (line: string) =>
      execFileSync('bash', ['-c', `${line} 2>&1 || true`], {
        encoding: 'utf8',
        env: { PATH: process.env.PATH, PETSTORE_CONFIG_DIR: '/nowhere' },
      });
    const printed = read(
      'node bin/petstore.cjs pets import <(printf "name,category\\nRex,7\\n") --mock --dry-run',
    );
    expect(printed).toContain('is a pipe, and an import reads its rows twice');
    const [, command = ''] = /COMMAND \| petstore (.*)\n/.exec(printed) ?? [];
    expect(command).toBe('pets import - --mock --dry-run');
    expect(read(`printf "name,category\\nRex,7\\n" | node bin/petstore.cjs ${command}`)).toContain(
      '1 row is valid',
    );
  });
});
