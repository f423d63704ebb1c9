import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { writeWholeFile } from '../../../../src/cli/commands/mock/write-whole-file.js';
import { fakeContext } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

test('replaces a file and leaves no temporary file', () => {
  const folder = temporaryFolder({ a: 'old' });
  writeWholeFile('a', 'new', fakeContext({ currentDirectory: folder }).context);
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['a']);
  if (process.platform !== 'win32') expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o600);
});

test('reports the reason of a failure, and keeps the old content', () => {
  const folder = temporaryFolder({ 'a/keep': '' });
  const { context } = fakeContext({ currentDirectory: folder });
  expect(() => {
    writeWholeFile('absent/a', 'x', context);
  }).toThrow("Can't write absent/a (ENOENT)");
  expect(() => {
    writeWholeFile('a', 'x', context);
  }).toThrow(/Can't write a/);
  expect(readdirSync(folder)).toEqual(['a']);
});
