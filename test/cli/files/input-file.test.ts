import { execFileSync, spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseJsonInput, readInput } from '../../../src/cli/files/input-file.js';
import { fakeContext } from '../../support/fake-context.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

test('reads a relative path, without a byte order mark', async () => {
  const currentDirectory = temporaryFolder({ 'a.json': '\uFEFFtext' });
  expect(await readInput('a.json', fakeContext({ currentDirectory }).context)).toEqual({
    text: 'text',
    source: 'a.json',
  });
});

test('reads stdin', async () => {
  expect(await readInput('-', fakeContext({ stdin: 'text' }).context)).toEqual({
    text: 'text',
    source: 'stdin',
  });
});

test('refuses stdin if it is a terminal', async () => {
  const { context } = fakeContext({ terminals: ['stdin'] });
  await expect(readInput('-', context)).rejects.toThrow('No input: stdin is a terminal');
});

test('reports why a file cannot be read', async () => {
  const { context } = fakeContext({ currentDirectory: temporaryFolder({ 'folder/keep': '' }) });
  await expect(readInput('absent', context)).rejects.toThrow('File absent not found');
  await expect(readInput('folder', context)).rejects.toThrow("folder can't be read (EISDIR)");
});

test('refuses a named pipe, but not a process substitution', async () => {
  const folder = temporaryFolder();
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const { context } = fakeContext({ currentDirectory: folder });
  await expect(readInput('pipe', context)).rejects.toThrow('pipe is a named pipe');
  const read = spawnSync(
    'bash',
    ['-c', 'node bin/petstore.cjs pets create --dry-run --mock -f <(echo "{}")'],
    {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, PETSTORE_CONFIG_DIR: '/nowhere' },
    },
  );
  expect(read.stderr).toContain('name');
  expect(read.stderr).not.toContain('named pipe');
});

test('refuses an input without an end: stdin, a file, a device', async () => {
  const { context } = fakeContext({
    currentDirectory: temporaryFolder({ 'large.json': 'x'.repeat(2 ** 24 + 1) }),
  });
  async function* endless() {
    for (;;) yield Promise.resolve(Buffer.alloc(65_536, 'x'));
  }
  const stdin = { ...context.stdin, read: endless };
  await expect(readInput('-', { ...context, stdin })).rejects.toThrow('stdin is longer than 16 MiB');
  await expect(readInput('large.json', context)).rejects.toThrow('large.json is longer than 16 MiB');
  await expect(readInput('/dev/zero', context)).rejects.toThrow('/dev/zero is a device');
});

test('keeps all digits and reports the position of an error', () => {
  expect(parseJsonInput('[9007199254740993]', 'x')).toEqual([9007199254740993n]);
  expect(() => parseJsonInput('[1,\n2', 'x.json')).toThrow(
    'x.json, line 2, column 2 is not JSON: found the end of the text',
  );
});
