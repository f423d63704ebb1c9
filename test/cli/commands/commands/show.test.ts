import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runFake } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

test('lists one command a line', async () => {
  const { exitCode, stdout } = await runFake('commands');
  expect(exitCode).toBe(0);
  expect(stdout).toContain('pets list\tList pets\n');
  expect(stdout).not.toMatch(/^pets\t/m);
});

test('wraps summaries between words on a narrow terminal', async () => {
  const { stdout } = await runFake('commands', {
    terminals: ['stdout'],
    env: { NO_COLOR: '1' },
    columns: 40,
  });
  expect(stdout).toMatch(/^pets import +Create a pet for each( row)?$/m);
  expect(stdout).not.toContain('…');
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(40);
});

test('prints the whole tree as JSON', async () => {
  const { stdout } = await runFake('commands --json');
  const tree = JSON.parse(stdout);
  expect(Object.keys(tree)).toEqual([
    'name',
    'version',
    'commands',
    'globalFlags',
    'environment',
    'exitCodes',
    'topics',
  ]);
});

test('applies a query to the tree', async () => {
  const { stdout } = await runFake(['commands', '--query', 'exitCodes[?code==`10`].name', '-o', 'json']);
  expect(JSON.parse(stdout)).toEqual(['unknown-outcome']);
});

test('writes the manual pages to the directories that man reads', async () => {
  const folder = temporaryFolder();
  const { exitCode, stderr } = await runFake(`commands --man manual`, { currentDirectory: folder });
  expect({ exitCode, stderr }).toEqual({
    exitCode: 0,
    stderr: expect.stringMatching(/^Wrote \d+ manual pages to manual\.\n$/),
  });
  expect(readdirSync(join(folder, 'manual/man1'))).toContain('petstore-pets-list.1');
  expect(readdirSync(join(folder, 'manual/man7'))).toContain('petstore-exit-codes.7');
});

test('names a directory that cannot be written', async () => {
  const folder = temporaryFolder({ taken: '' });
  const { exitCode, stderr } = await runFake('commands --man taken', { currentDirectory: folder });
  expect(exitCode).toBe(2);
  expect(stderr).toMatch(/--man: .*taken.* can't be written/);
});

test('writes no manual pages with --dry-run', async () => {
  const folder = temporaryFolder();
  const { exitCode, stderr } = await runFake('commands --man manual --dry-run', { currentDirectory: folder });
  expect(exitCode).toBe(2);
  expect(stderr).toContain('has no request to show');
  expect(readdirSync(folder)).toEqual([]);
});

test('replaces its own manual pages, but no other file', async () => {
  const folder = temporaryFolder();
  const write = () => runFake('commands --man manual', { currentDirectory: folder });
  await write();
  expect(await write()).toMatchObject({ exitCode: 0 });
  const page = join(folder, 'manual/man1/petstore-api.1');
  writeFileSync(page, '.TH PETSTORE-API 1\nmine');
  expect(await write()).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining(
      'petstore-api.1" can\'t be written (it is not a page that petstore wrote)',
    ),
  });
  expect(readFileSync(page, 'utf8')).toBe('.TH PETSTORE-API 1\nmine');
});
