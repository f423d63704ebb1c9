import { execFileSync, spawnSync } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readInput } from '../../../../src/cli/system/files/input-file.js';
import { fakeContext } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

test('reports why a file cannot be read', async () => {
  const { context } = fakeContext({ currentDirectory: temporaryFolder({ 'folder/keep': '' }) });
  await expect(readInput('absent', context)).rejects.toMatchObject({
    message: 'File absent not found',
    facts: { hint: 'Check the path. Use "-" to read stdin.' },
  });
  await expect(readInput('folder', context)).rejects.toThrow("folder can't be read (it is a folder)");
});

test('reads a named pipe, and a process substitution', async () => {
  const folder = temporaryFolder();
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const { context } = fakeContext({ currentDirectory: folder });
  const reading = readInput('pipe', context);
  await writeFile(join(folder, 'pipe'), '{}');
  expect(await reading).toEqual({ text: '{}', source: 'pipe' });
  const read = spawnSync(
    'bash',
    ['-c', 'node bin/petstore.cjs pets create --dry-run --mock -f <(echo "{}")'],
    {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, PETSTORE_CONFIG_DIR: '/nowhere' },
    },
  );
  expect(read.stderr).toContain('name');
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

test.each([
  ['Latin-1', '{"name":"M\xf6hre"}', 'in.json is not UTF-8', 'Pass text in UTF-8.'],
  [
    'UTF-16',
    '\xff\xfe{\0}\0',
    'in.json is text in UTF-16',
    'Save it as UTF-8, for example with iconv -f UTF-16 -t UTF-8.',
  ],
  [
    'UTF-16 without a mark',
    '{\0"\0a\0"\0',
    'in.json is text in UTF-16',
    'Save it as UTF-8, for example with iconv -f UTF-16LE -t UTF-8.',
  ],
  [
    'a zip archive',
    'PK\x03\x04\0\0',
    'in.json is a workbook (.xlsx, .ods, .numbers) or another zip archive',
    'Pass text in UTF-8.',
  ],
])('refuses %s, which would change or hide text', async (_, bytes, message, hint) => {
  const folder = temporaryFolder();
  await writeFile(join(folder, 'in.json'), Buffer.from(bytes, 'latin1'));
  const { context } = fakeContext({ currentDirectory: folder });
  await expect(readInput('in.json', context)).rejects.toMatchObject({ message, facts: { hint } });
});

test('removes a byte order mark, and keeps a character 0 for the JSON error', async () => {
  const { context } = fakeContext({ currentDirectory: temporaryFolder({ 'in.json': '\ufeff{"a":1}\0' }) });
  expect(await readInput('in.json', context)).toEqual({ text: '{"a":1}\0', source: 'in.json' });
});
