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
import { writeExportFile } from '../../../../src/cli/commands/pets/export-file.js';
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

/** Writes pets.csv. `meanwhile` happens between the draft and the content. */
function write(files: Record<string, string> = {}, { file = 'pets.csv', force = false, text = 'new' } = {}) {
  const folder = temporaryFolder(files);
  const { context } = fakeContext({ currentDirectory: folder });
  const names = () => readdirSync(folder);
  return {
    folder,
    names,
    content: () => readFileSync(join(folder, 'pets.csv'), 'utf8'),
    mode: () => statSync(join(folder, 'pets.csv')).mode & 0o777,
    run: (meanwhile: (draft: string) => void = () => undefined) =>
      writeExportFile(file, force, context, () => {
        meanwhile(join(folder, names().find((name) => name.endsWith('.tmp')) ?? ''));
        return Promise.resolve({ text });
      }),
  };
}

test('is complete if the system writes a part of the text at a time', async () => {
  const { folder, run, content } = write({ any: '' }, { text: 'a'.repeat(1_000) });
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
  await run();
  expect(content()).toHaveLength(1_000);
});

describe.each([
  ['with links', false],
  ['without links', true],
])('on a file system %s', (_, isFat) => {
  test('a new file appears completely, at the end', async () => {
    noLinks.value = isFat;
    const { run, names, content } = write();
    await run(() => expect(names()).not.toContain('pets.csv'));
    expect({ names: names(), content: content() }).toEqual({ names: ['pets.csv'], content: 'new' });
  });

  test('a file that another process creates meanwhile is kept', async () => {
    noLinks.value = isFat;
    const { run, folder, names, content } = write();
    const failure = await rejection(run(() => writeFileSync(join(folder, 'pets.csv'), 'theirs')));
    expect(failure).toMatchObject({
      facts: { exitCode: 1 },
      message: "Can't write pets.csv (another process has created it); nothing was written",
    });
    expect({ names: names(), content: content() }).toEqual({ names: ['pets.csv'], content: 'theirs' });
  });

  test('leaves no reserved name if the file can not get it', async () => {
    noLinks.value = isFat;
    const { run, names } = write();
    expect(await rejection(run((draft) => rmSync(draft)))).toMatchObject({
      message: expect.stringContaining('nothing was written'),
    });
    expect(names()).toEqual([]);
  });
});

describe('the mode', () => {
  test.each([
    [0o022, 0o644],
    [0o077, 0o600],
  ])('of a new file follows the umask %o', async (umask, expected) => {
    const { run, mode } = write();
    const before = process.umask(umask);
    onTestFinished(() => void process.umask(before));
    await run();
    expect(mode()).toBe(expected);
  });

  test('of a replaced file is kept, so a private file stays private', async () => {
    const { run, folder, mode, content } = write({ 'pets.csv': 'old' }, { force: true });
    chmodSync(join(folder, 'pets.csv'), 0o600);
    await run((draft) => expect(statSync(draft).mode & 0o777).toBe(0o600));
    expect({ mode: mode(), content: content() }).toEqual({ mode: 0o600, content: 'new' });
  });
});

describe('targets that are not regular files', () => {
  test('rejects links to a file, to nothing and to a device', async () => {
    const links = { 'pets.csv': 'old.csv', 'lost.csv': 'nowhere.csv', 'null.csv': '/dev/null' };
    for (const [file, target] of Object.entries(links)) {
      const { run, folder, names } = write({ 'old.csv': 'old' }, { file, force: true });
      symlinkSync(target, join(folder, file));
      expect(await rejection(run())).toMatchObject({ message: `${file} is a symbolic link` });
      expect(readFileSync(join(folder, 'old.csv'), 'utf8')).toBe('old');
      expect(names().sort()).toEqual([file, 'old.csv'].sort());
    }
  });

  test.skipIf(process.platform === 'win32')('rejects names of stdout', async () => {
    expect(await rejection(write({}, { file: '/dev/stdout', force: true }).run())).toMatchObject({
      message: expect.stringMatching(/^\/dev\/stdout is /),
      hint: expect.stringContaining('omit --out'),
    });
  });

  test('rejects a directory and a device', async () => {
    const { run, folder } = write({}, { force: true });
    mkdirSync(join(folder, 'pets.csv'));
    expect(await rejection(run())).toMatchObject({ message: 'pets.csv is a directory' });
    expect(await rejection(write({}, { file: '/dev/null', force: true }).run())).toMatchObject({
      message: '/dev/null is not a regular file',
      hint: 'Pass the path of a regular file, or omit --out and redirect stdout.',
    });
  });

  test('a target that becomes unwritable: exit code 1, no draft left', async () => {
    const { run, folder, names } = write({ 'pets.csv': 'old' }, { force: true });
    const failure = run(() => {
      rmSync(join(folder, 'pets.csv'));
      mkdirSync(join(folder, 'pets.csv', 'full'), { recursive: true });
    });
    expect(await rejection(failure)).toMatchObject({
      facts: { type: 'output', exitCode: 1 },
      message: expect.stringMatching(/^Can't write pets\.csv \([a-z ]+\); it is unchanged$/),
    });
    expect(names()).toEqual(['pets.csv']);
  });
});
