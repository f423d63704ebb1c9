import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createExportFile } from '../../../../src/cli/commands/pets/export-file.js';
import { fakeContext } from '../../../support/fake-context.js';
import { rejection } from '../../../support/stores.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const begin = (folder: string, file = 'pets.csv') =>
  createExportFile(file, fakeContext({ currentDirectory: folder }).context);
const modeOf = (path: string) => statSync(path).mode & 0o777;

async function write(folder: string, text: string): Promise<void> {
  const file = await begin(folder);
  await file.write(text);
  await file.commit();
  await file.discard();
}

test('appears completely, after commit', async () => {
  const folder = temporaryFolder();
  const file = await begin(folder);
  await file.write('a'.repeat(200_000));
  await file.write('b');
  expect(readdirSync(folder)).not.toContain('pets.csv');
  await file.commit();
  expect(readFileSync(join(folder, 'pets.csv'), 'utf8')).toBe(`${'a'.repeat(200_000)}b`);
  expect(readdirSync(folder)).toEqual(['pets.csv']);
});

test('is complete if the system writes a part of the text at a time', async () => {
  const folder = temporaryFolder({ any: '' });
  const any = await open(join(folder, 'any'));
  // A handle's class has no name that could be imported.
  const handles = Object.getPrototypeOf(any) as typeof any;
  await any.close();
  const { write: writeAll } = handles;
  const short = vi.spyOn(handles, 'write').mockImplementation(function (this: typeof any, data, ...rest) {
    const isText = typeof data === 'string';
    return Reflect.apply(writeAll, this, isText ? [data.slice(0, data.length / 2)] : [data, ...rest]);
  });
  onTestFinished(() => short.mockRestore());
  await write(folder, 'a'.repeat(1_000));
  expect(readFileSync(join(folder, 'pets.csv'))).toHaveLength(1_000);
});

test('discard removes the draft and keeps an existing file', async () => {
  const folder = temporaryFolder({ 'pets.csv': 'old' });
  const file = await begin(folder);
  await file.write('new');
  await file.discard();
  expect(readdirSync(folder)).toEqual(['pets.csv']);
  expect(readFileSync(join(folder, 'pets.csv'), 'utf8')).toBe('old');
});

describe('the mode', () => {
  test.each([
    [0o022, 0o644],
    [0o077, 0o600],
  ])('of a new file follows the umask %o', async (umask, mode) => {
    const folder = temporaryFolder();
    const before = process.umask(umask);
    onTestFinished(() => void process.umask(before));
    await write(folder, 'x');
    expect(modeOf(join(folder, 'pets.csv'))).toBe(mode);
  });

  test('of a replaced file is kept, so a private file stays private', async () => {
    const folder = temporaryFolder({ 'pets.csv': 'old' });
    chmodSync(join(folder, 'pets.csv'), 0o600);
    await write(folder, 'new');
    expect(modeOf(join(folder, 'pets.csv'))).toBe(0o600);
  });
});

describe('targets that are not regular files', () => {
  test('keeps a link and replaces its target', async () => {
    const folder = temporaryFolder({ 'there/elsewhere.csv': 'old' });
    chmodSync(join(folder, 'there/elsewhere.csv'), 0o600);
    symlinkSync('there/elsewhere.csv', join(folder, 'pets.csv'));
    await write(folder, 'new');
    expect(lstatSync(join(folder, 'pets.csv')).isSymbolicLink()).toBe(true);
    expect(readFileSync(join(folder, 'there/elsewhere.csv'), 'utf8')).toBe('new');
    expect(modeOf(join(folder, 'there/elsewhere.csv'))).toBe(0o600);
    expect(readdirSync(join(folder, 'there'))).toEqual(['elsewhere.csv']);
  });

  test('rejects a broken link and a link to a special file', async () => {
    const folder = temporaryFolder();
    const links = { 'pets.csv': '/dev/null', 'lost.csv': 'nowhere.csv' };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
    expect(await rejection(begin(folder))).toMatchObject({ message: 'pets.csv is not a regular file' });
    expect(await rejection(begin(folder, 'lost.csv'))).toMatchObject({
      message: 'lost.csv is a broken symbolic link',
    });
    expect(readdirSync(folder).sort()).toEqual(Object.keys(links).sort());
  });

  test.skipIf(process.platform === 'win32')('rejects names of stdout', async () => {
    expect(await rejection(begin(temporaryFolder(), '/dev/stdout'))).toMatchObject({
      message: '/dev/stdout is not a regular file',
      hint: expect.stringContaining('omit --out'),
    });
  });

  test('rejects a directory and a device', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'pets.csv'));
    expect(await rejection(begin(folder))).toMatchObject({ message: 'pets.csv is a directory' });
    expect(await rejection(begin(folder, '/dev/null'))).toMatchObject({
      message: '/dev/null is not a regular file',
      hint: 'Pass a regular file, or omit --out and redirect stdout.',
    });
  });

  test('a target that becomes unwritable: exit code 1, no draft left', async () => {
    const folder = temporaryFolder({ 'pets.csv': 'old' });
    const file = await begin(folder);
    rmSync(join(folder, 'pets.csv'));
    mkdirSync(join(folder, 'pets.csv', 'full'), { recursive: true });
    await file.write('new');
    expect(await rejection(file.commit())).toMatchObject({
      type: 'output',
      exitCode: 1,
      message: expect.stringMatching(/^Can't write pets\.csv \(E\w+\); it is unchanged$/),
    });
    await file.discard();
    expect(readdirSync(folder)).toEqual(['pets.csv']);
  });
});
