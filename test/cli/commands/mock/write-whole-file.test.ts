import fs, { fstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  assertWritable,
  isTemporaryFileOf,
  writeWholeFile,
} from '../../../../src/cli/commands/mock/write-whole-file.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

test('replaces a file and leaves no temporary file', () => {
  const folder = temporaryFolder({ a: 'old' });
  writeWholeFile('a', join(folder, 'a'), ['n', 'ew']);
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('new');
  expect(readdirSync(folder)).toEqual(['a']);
  if (process.platform !== 'win32') expect(statSync(join(folder, 'a')).mode & 0o777).toBe(0o600);
});

test('reports the reason of a failure, and keeps the old content', () => {
  const folder = temporaryFolder({ 'a/keep': '' });
  const absent = join(folder, 'absent/a');
  expect(() => {
    writeWholeFile('absent/a', absent, ['x']);
  }).toThrow("Can't write absent/a (ENOENT)");
  expect(() => {
    assertWritable('absent/a', absent);
  }).toThrow("Can't write absent/a (ENOENT)");
  expect(() => {
    writeWholeFile('a', join(folder, 'a'), ['x']);
  }).toThrow(/Can't write a/);
  expect(readdirSync(folder)).toEqual(['a']);
});

test('checks that a file can be written without changing it', () => {
  const folder = temporaryFolder({ a: 'old' });
  assertWritable('a', join(folder, 'a'));
  expect(readdirSync(folder)).toEqual(['a']);
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('old');
});

test('knows its unfinished files', () => {
  const folder = temporaryFolder();
  let during: string[] = [];
  const parts = (function* () {
    during = readdirSync(folder);
    yield 'x';
  })();
  writeWholeFile('a.json', join(folder, 'a.json'), parts);
  expect(during).toHaveLength(1);
  expect(during.map((name) => isTemporaryFileOf('a.json', name))).toEqual([true]);
  for (const name of ['a.json', 'a.json.tmp', 'a.json.0.tmp', `b${during[0]!}`, `${during[0]!}.tmp`])
    expect(isTemporaryFileOf('a.json', name)).toBe(false);
});

test('a durable file is on the disk before it replaces the old one, and then its folder', () => {
  const folder = temporaryFolder({ a: 'old' });
  const calls: string[] = [];
  const rename = fs.renameSync;
  const spies = [
    vi.spyOn(fs, 'fsyncSync').mockImplementation((descriptor) => {
      calls.push(`fsync ${fstatSync(descriptor).isDirectory() ? 'folder' : 'file'}`);
    }),
    vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
      calls.push('rename');
      rename(from, to);
    }),
  ];
  syncBuiltinESMExports();
  try {
    writeWholeFile('a', join(folder, 'a'), ['new'], { isDurable: true });
    if (process.platform !== 'win32') expect(calls).toEqual(['fsync file', 'rename', 'fsync folder']);
    writeWholeFile('a', join(folder, 'a'), ['newer']);
    expect(calls.filter((call) => call.startsWith('fsync file'))).toHaveLength(1);
  } finally {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  }
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('newer');
});
