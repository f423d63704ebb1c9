import { spawnSync } from 'node:child_process';
import {
  symlinkSync,
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  describeFileError,
  readRegularFile,
  replaceFile,
  writePrivateFile,
} from '../../../../src/cli/system/files/safe-file.js';
import { isForeignOwner } from '../../../../src/security/private-folder.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

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
  expect(whyNot(join(folder, 'absent'))).toBe('no such file or folder');
  expect(whyNot(join(folder, 'folder'))).toBe('it is a directory');
  expect(describeFileError('odd')).toBe('unknown reason');
});

test.skipIf(process.platform === 'win32')('never opens a named pipe or a device', () => {
  const pipe = join(temporaryFolder(), 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  expect(whyNot(pipe)).toBe('it is a named pipe');
  expect(whyNot('/dev/zero')).toBe('it is a device');
});

const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('writePrivateFile', () => {
  test('writes a file that only the owner can read, and replaces an old one', () => {
    const path = join(temporaryFolder(), 'state', 'file.json');
    writePrivateFile(path, 'old');
    writePrivateFile(path, 'new');
    expect(readFileSync(path, 'utf8')).toBe('new');
    expect(modeOf(path)).toBe(0o600);
    expect(modeOf(join(path, '..'))).toBe(0o700);
    expect(readdirSync(join(path, '..'))).toEqual(['file.json']);
  });

  test('keeps the mode of an existing directory', () => {
    const folder = temporaryFolder();
    chmodSync(folder, 0o755);
    writePrivateFile(join(folder, 'file'), 'text');
    expect(modeOf(folder)).toBe(0o755);
    expect(modeOf(join(folder, 'file'))).toBe(0o600);
  });

  test('replaces a link and does not change its target', () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'target'), 'theirs');
    symlinkSync(join(folder, 'target'), join(folder, 'link'));
    writePrivateFile(join(folder, 'link'), 'ours');
    expect(readFileSync(join(folder, 'target'), 'utf8')).toBe('theirs');
    expect(readFileSync(join(folder, 'link'), 'utf8')).toBe('ours');
  });

  test('leaves no temporary file when it fails', () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'taken', 'full'), { recursive: true });
    expect(() => {
      writePrivateFile(join(folder, 'taken'), 'text');
    }).toThrow();
    expect(readdirSync(folder)).toEqual(['taken']);
  });
});

test('replaceFile creates no directory', () => {
  const folder = temporaryFolder({ a: 'old' });
  expect(() => replaceFile(join(folder, 'absent/a'), ['x'])).toThrow('ENOENT');
  expect(readdirSync(folder)).toEqual(['a']);
});

test.each([
  [1_000, 1_000, false],
  [0, 1_000, false],
  [1_001, 1_000, true],
  [1_000, 0, true],
  [1_001, undefined, false],
])('owner %j is foreign to user %j: %j', (ownerId, userId, expected) => {
  expect(isForeignOwner(ownerId, userId)).toBe(expected);
});
