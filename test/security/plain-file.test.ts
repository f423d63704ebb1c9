import { spawnSync } from 'node:child_process';
import fs, { openSync, renameSync, type Stats, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { readPlainFile, UnsupportedFileError } from '../../src/security/plain-file.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const between = { lookAndOpen: (): void => undefined };
vi.spyOn(fs, 'openSync').mockImplementation((...args) => {
  between.lookAndOpen();
  return openSync(...args);
});
beforeEach(() => {
  between.lookAndOpen = () => undefined;
});

const pipeIn = (folder: string): string => {
  const pipe = join(folder, 'pipe');
  expect(spawnSync('mkfifo', [pipe]).status).toBe(0);
  return pipe;
};

test('reads text unchanged', () => {
  const folder = temporaryFolder({ 'a.txt': '\uFEFFtext' });
  expect(readPlainFile(join(folder, 'a.txt'))).toBe('\uFEFFtext');
});

test('rejects a file above the maximum size, also a sparse one', () => {
  const path = join(temporaryFolder({ a: '12345' }), 'a');
  expect(readPlainFile(path, { bytesMax: 5 })).toBe('12345');
  truncateSync(path, 3 * 2 ** 30);
  expect(() => readPlainFile(path, { bytesMax: 5 })).toThrow(
    'a is 3221225472 bytes long, and the maximum is 5 bytes',
  );
});

test('passes the open file to check and reads nothing if it throws', () => {
  const path = join(temporaryFolder({ a: 'text' }), 'a');
  const seen: Stats[] = [];
  readPlainFile(path, { check: (found) => void seen.push(found) });
  expect(seen.map(({ ino }) => ino)).toEqual([statSync(path).ino]);
  const judge = (): never => {
    throw new Error('not this one');
  };
  expect(() => readPlainFile(path, { check: judge })).toThrow('not this one');
});

describe.skipIf(process.platform === 'win32')('a path that is not a regular file', () => {
  test('is not opened', () => {
    const folder = temporaryFolder();
    between.lookAndOpen = () => {
      throw new Error('it was opened');
    };
    expect(() => readPlainFile(folder)).toThrow(`${folder} is a directory`);
    expect(() => readPlainFile(pipeIn(folder))).toThrow('pipe is a named pipe');
    expect(() => readPlainFile('/dev/zero')).toThrow('/dev/zero is a device');
  });

  test('does not block if it replaces a file after the first check', () => {
    const folder = temporaryFolder({ a: 'text' });
    const pipe = pipeIn(folder);
    between.lookAndOpen = () => {
      renameSync(pipe, join(folder, 'a'));
    };
    expect(() => readPlainFile(join(folder, 'a'))).toThrow(UnsupportedFileError);
  });
});
