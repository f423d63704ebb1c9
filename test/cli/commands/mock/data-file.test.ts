import { execFileSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { createDataFile, lockDataFile } from '../../../../src/cli/commands/mock/data-file.js';
import { createMock } from '../../../../src/mock/index.js';
import { fakeContext } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const unexpected = (error: unknown): void => {
  throw error;
};
const snapshot = () => createMock({ pets: 2 }).snapshot();

test('saves nothing without a file', () => {
  const none = createDataFile(undefined, fakeContext().context);
  none.saveSoon(snapshot, unexpected);
  none.save(snapshot);
  expect(none.snapshot).toBeUndefined();
});

test('saves once for several changes, and reads the file again', async () => {
  const folder = temporaryFolder();
  const { context } = fakeContext({ currentDirectory: folder });
  const taken = vi.fn(snapshot);
  const file = createDataFile('d.json', context);
  expect(file.snapshot).toBeUndefined();
  file.saveSoon(taken, unexpected);
  file.saveSoon(taken, unexpected);
  await vi.waitFor(() => readFileSync(join(folder, 'd.json')));
  expect(taken).toHaveBeenCalledTimes(1);
  expect(createMock({ snapshot: createDataFile('d.json', context).snapshot }).snapshot()).toEqual(snapshot());
});

test.each([
  ['{', 'd.json, line 1, column 2 is not JSON'],
  ['', 'd.json is empty'],
  ['{"format":"other"}', 'd.json is not a data file of the mock'],
  ['{"format":"petstore-mock/1","worlds":[{}]}', 'worlds[0].pets of the snapshot must be a list'],
  [
    '{"format":"petstore-mock/1","worlds":[{"pets":[{"id":1,"name":"a","categoryId":1},{}]}]}',
    'worlds[0].pets[1] of the snapshot is not a pet',
  ],
  [
    '{"format":"petstore-mock/1","worlds":[{"pets":[{"id":"x","name":"a","categoryId":1}]}]}',
    'worlds[0].pets of the snapshot: The id of a pet is not an int64: x',
  ],
])('rejects the content %j', (content, message) => {
  const { context } = fakeContext({ currentDirectory: temporaryFolder({ 'd.json': content }) });
  expect(() => createDataFile('d.json', context)).toThrow(message);
});

test('rejects a directory', () => {
  const { context } = fakeContext({ currentDirectory: temporaryFolder({ 'd.json/keep': '' }) });
  expect(() => createDataFile('d.json', context)).toThrow("Can't read d.json (it is a directory)");
});

test('rejects a named pipe, which would block forever', () => {
  const folder = temporaryFolder();
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  const { context } = fakeContext({ currentDirectory: folder });
  expect(() => createDataFile('pipe', context)).toThrow("Can't read pipe (it is a named pipe)");
});

test('a save that is killed leaves the old file or the new one', () => {
  const folder = temporaryFolder();
  const { context } = fakeContext({ currentDirectory: folder });
  createDataFile('d.json', context).save(snapshot);
  const before = readFileSync(join(folder, 'd.json'), 'utf8');
  // What a kill leaves behind: a part of the new content in a temporary file, which is never read.
  writeFileSync(join(folder, 'd.json.0.tmp'), before.slice(0, 20));
  expect(createDataFile('d.json', context).snapshot).toEqual(snapshot());
  const descriptor = openSync(join(folder, 'd.json'), 'r');
  createDataFile('d.json', context).save(() => createMock({ pets: 3 }).snapshot());
  // The old file was replaced, not overwritten: no reader and no kill can see a part of the new content.
  expect(readFileSync(descriptor, 'utf8')).toBe(before);
  closeSync(descriptor);
});

test('reports a delayed save that failed', async () => {
  const { context } = fakeContext({ currentDirectory: temporaryFolder() });
  const error = await new Promise((resolve) => {
    createDataFile('absent/d.json', context).saveSoon(snapshot, resolve);
  });
  expect(error).toMatchObject({ message: "Can't write absent/d.json (ENOENT)" });
});

describe('the lock', () => {
  test('refuses a second mock, by any path to the file, until it is released', async () => {
    const folder = temporaryFolder({ 'd.json': '{}' });
    symlinkSync(join(folder, 'd.json'), join(folder, 'link.json'));
    const { context } = fakeContext({ currentDirectory: folder });
    const release = await lockDataFile('d.json', context);
    for (const path of ['d.json', './d.json', join(folder, 'd.json'), 'link.json'])
      await expect(lockDataFile(path, context)).rejects.toMatchObject({
        message: `Another mock uses ${path}`,
        hint: 'Stop that mock, or pass another file with --data.',
      });
    const other = await lockDataFile('other.json', context);
    // Saving replaces the file.
    createDataFile('other.json', context).save(snapshot);
    await expect(lockDataFile('other.json', context)).rejects.toThrow('Another mock uses other.json');
    await other();
    await release();
    await (
      await lockDataFile('link.json', context)
    )();
  });

  test('does not hide that the folder is missing', async () => {
    const { context } = fakeContext({ currentDirectory: temporaryFolder() });
    await (
      await lockDataFile('none/d.json', context)
    )();
  });
});
