import { spawnSync } from 'node:child_process';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readRegularFile, describeFileError } from '../../../src/cli/files/safe-file.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

function whyNot(path: string): string {
  try {
    readRegularFile(path);
  } catch (error) {
    return describeFileError(error);
  }
  return 'it was read';
}

test('reads a file, also through a link, without a byte order mark', () => {
  const folder = temporaryFolder({ 'a.txt': '\uFEFFtext' });
  symlinkSync(join(folder, 'a.txt'), join(folder, 'link'));
  expect(readRegularFile(join(folder, 'link'))).toBe('text');
});

test('describes why it fails', () => {
  const folder = temporaryFolder({ 'folder/keep': '' });
  expect(whyNot(join(folder, 'absent'))).toBe('ENOENT');
  expect(whyNot(join(folder, 'folder'))).toBe('it is a directory');
  expect(describeFileError('odd')).toBe('unknown reason');
});

test.skipIf(process.platform === 'win32')('never opens a named pipe or a device', () => {
  const pipe = join(temporaryFolder(), 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  expect(whyNot(pipe)).toBe('it is a named pipe');
  expect(whyNot('/dev/zero')).toBe('it is a device');
});
