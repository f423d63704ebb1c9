import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createExportFile } from '../../../../src/cli/commands/pets/export-file.js';
import { fakeContext } from '../../../support/fake-context.js';
import { rejection } from '../../../support/stores.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

/** Simulates a file system such as FAT. */
const noLinks = vi.hoisted(() => ({ value: false }));
vi.mock('node:fs/promises', async (original) => {
  const files = await original<typeof import('node:fs/promises')>();
  const refused = () => Promise.reject(Object.assign(new Error('EPERM'), { code: 'EPERM' }));
  return { ...files, link: (from: string, to: string) => (noLinks.value ? refused() : files.link(from, to)) };
});
afterEach(() => void (noLinks.value = false));

const begin = (folder: string, file = 'pets.csv', force = true) =>
  createExportFile(file, force, fakeContext({ currentDirectory: folder }).context);
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
  await file.discard();
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

describe('a file that another process creates meanwhile', () => {
  test.each([
    ['with links', false],
    ['without links', true],
  ])('is kept, on a file system %s', async (_, isFat) => {
    noLinks.value = isFat;
    const folder = temporaryFolder();
    const file = await begin(folder, 'pets.csv', false);
    await file.write('new');
    writeFileSync(join(folder, 'pets.csv'), 'theirs');
    expect(await rejection(file.commit())).toMatchObject({
      facts: { exitCode: 1 },
      message: "Can't write pets.csv (another process has created it); nothing was written",
    });
    await file.discard();
    expect(readdirSync(folder)).toEqual(['pets.csv']);
    expect(readFileSync(join(folder, 'pets.csv'), 'utf8')).toBe('theirs');
  });

  test('a new file on a file system without links', async () => {
    noLinks.value = true;
    const folder = temporaryFolder();
    await write(folder, 'new');
    expect(readdirSync(folder)).toEqual(['pets.csv']);
    expect(readFileSync(join(folder, 'pets.csv'), 'utf8')).toBe('new');
  });
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
    const file = await begin(folder);
    const [draft = ''] = readdirSync(folder).filter((name) => name.endsWith('.tmp'));
    expect(modeOf(join(folder, draft))).toBe(0o600);
    await file.commit();
    await file.discard();
    expect(modeOf(join(folder, 'pets.csv'))).toBe(0o600);
  });
});

describe('targets that are not regular files', () => {
  test('rejects links to a file, to nothing and to a device', async () => {
    const folder = temporaryFolder({ 'old.csv': 'old' });
    const links = { 'pets.csv': 'old.csv', 'lost.csv': 'nowhere.csv', 'null.csv': '/dev/null' };
    for (const [name, target] of Object.entries(links)) symlinkSync(target, join(folder, name));
    for (const name of Object.keys(links))
      expect(await rejection(begin(folder, name))).toMatchObject({ message: `${name} is a symbolic link` });
    expect(readFileSync(join(folder, 'old.csv'), 'utf8')).toBe('old');
    expect(readdirSync(folder).sort()).toEqual([...Object.keys(links), 'old.csv'].sort());
  });

  test.skipIf(process.platform === 'win32')('rejects names of stdout', async () => {
    expect(await rejection(begin(temporaryFolder(), '/dev/stdout'))).toMatchObject({
      message: expect.stringMatching(/^\/dev\/stdout is /),
      hint: expect.stringContaining('omit --out'),
    });
  });

  test('rejects a directory and a device', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'pets.csv'));
    expect(await rejection(begin(folder))).toMatchObject({ message: 'pets.csv is a directory' });
    expect(await rejection(begin(folder, '/dev/null'))).toMatchObject({
      message: '/dev/null is not a regular file',
      hint: 'Pass the path of a regular file, or omit --out and redirect stdout.',
    });
  });

  test('a target that becomes unwritable: exit code 1, no draft left', async () => {
    const folder = temporaryFolder({ 'pets.csv': 'old' });
    const file = await begin(folder);
    rmSync(join(folder, 'pets.csv'));
    mkdirSync(join(folder, 'pets.csv', 'full'), { recursive: true });
    await file.write('new');
    expect(await rejection(file.commit())).toMatchObject({
      facts: { type: 'output', exitCode: 1 },
      message: expect.stringMatching(/^Can't write pets\.csv \(E\w+\); it is unchanged$/),
    });
    await file.discard();
    expect(readdirSync(folder)).toEqual(['pets.csv']);
  });
});

test('without links, leaves no reserved name if the file can not get it', async () => {
  noLinks.value = true;
  const folder = temporaryFolder();
  const file = await begin(folder);
  for (const draft of readdirSync(folder)) rmSync(join(folder, draft));
  expect(await rejection(file.commit())).toMatchObject({
    message: expect.stringContaining('nothing was written'),
  });
  await file.discard();
  expect(readdirSync(folder)).toEqual([]);
});
