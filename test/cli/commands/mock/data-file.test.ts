import { execFileSync } from 'node:child_process';
import { lstatSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { lockDataFile, openDataFile } from '../../../../src/cli/commands/mock/data-file.js';
import type { Context } from '../../../../src/cli/system/context.js';
import { createMock, type Mock, type MockOptions } from '../../../../src/mock/index.js';
import { lockedFiles } from '../../../support/locked-files.js';
import { fakeContext } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';
import { createVirtualClock } from '../../../support/virtual-clock.js';
import { sendRequest } from '../../../mock/send-request.js';

/** A context with a folder, and a clock that the test moves. */
function world(files: Record<string, string> = {}) {
  const folder = temporaryFolder(files);
  const clock = createVirtualClock();
  const context: Context = { ...fakeContext({ currentDirectory: folder }).context, clock };
  return { folder, clock, context, path: join(folder, 'd.json') };
}

const unexpected = (error: unknown): void => {
  throw error;
};

/** Opens a data file under a lock that is held. */
const open = (context: Context, name = 'd.json', isHeld?: () => boolean) =>
  openDataFile(name, context, lockedFiles(join(context.currentDirectory!, name), isHeld));

/** Starts a mock that follows its data file. */
function start(context: Context, options: MockOptions = {}, name = 'd.json') {
  const file = open(context, name);
  const mock = createMock({ pets: 2, ...options, snapshot: file.read() });
  file.follow(mock, unexpected);
  return { file, mock };
}

/** The names in the file, by store. */
function savedNames(path: string): string[][] {
  const { worlds } = JSON.parse(readFileSync(path, 'utf8')) as { worlds: { pets: { name: string }[] }[] };
  return worlds.map(({ pets }) => pets.map(({ name }) => name));
}

const REX = { name: 'Rex', categoryId: 1 };
const SAVED = '{"format":"petstore-mock/1","worlds":[{"pets":[{"id":1,"name":"Otto","categoryId":1}]}]}';

test('writes a new file at once, one pet a line, and reads it again', () => {
  const { context, path } = world();
  const { mock } = start(context);
  expect(readFileSync(path, 'utf8').split('\n')).toHaveLength(7);
  expect(createMock({ snapshot: open(context).read() }).snapshot()).toEqual(mock.snapshot());
});

test('does not write a file without changes', async () => {
  const { context, path, clock, folder } = world({ 'd.json': SAVED });
  const { file, mock } = start(context);
  sendRequest(mock, 'GET', '/pets');
  sendRequest(mock, 'HEAD', '/pets');
  mock.advance('1s');
  await clock.advance(1_000);
  file.save();
  expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual([SAVED, ['d.json']]);
});

test.each<[string, (mock: Mock) => void, string[]]>([
  ['a request', (mock) => sendRequest(mock, 'POST', '/pets', { body: REX }), ['Otto', 'Rex']],
  ['pets.put()', (mock) => mock.forKey().pets.put(REX), ['Otto', 'Rex']],
  ['pets.delete()', (mock) => mock.forKey().pets.delete(1), []],
  ['pets.load()', (mock) => mock.forKey().pets.load([REX]), ['Rex']],
  ['restore()', (mock) => mock.restore(createMock({ pets: [REX] }).snapshot()), ['Rex']],
  ['restore() of a key', (mock) => mock.forKey().restore(createMock({ pets: [REX] }).snapshot()), ['Rex']],
  ['reset()', (mock) => mock.reset(), ['Bella', 'Maple']],
  ['reset() of a key', (mock) => mock.forKey().reset(), ['Bella', 'Maple']],
])('saves the change of %s after 100 ms', async (_, change, names) => {
  const { context, path, clock } = world({ 'd.json': SAVED });
  const { mock } = start(context, {
    pets: [
      { ...REX, name: 'Bella' },
      { ...REX, name: 'Maple' },
    ],
  });
  change(mock);
  await clock.advance(99);
  expect(savedNames(path)).toEqual([['Otto']]);
  await clock.advance(1);
  expect(savedNames(path)).toEqual([names]);
  expect(clock.pending).toBe(0);
});

test('saves once for several changes', async () => {
  const { context, clock, path } = world();
  const { mock } = start(context);
  for (let count = 0; count < 5; count += 1) mock.forKey().pets.put(REX);
  expect(clock.pending).toBe(1);
  await clock.advance(100);
  expect(savedNames(path)[0]).toHaveLength(7);
});

test('saves rarely if a save takes long', async () => {
  const { context, clock } = world();
  const { mock } = start(context);
  // Time passes while the pets are written.
  const slow = {
    toJSON() {
      clock.setWall(clock.now() + 2_000);
      return 1;
    },
  };
  mock.forKey().pets.put({ ...REX, slow });
  await clock.advance(100);
  mock.forKey().pets.put(REX);
  expect(clock.delays).toEqual([100, 18_000]);
});

test('saves through a symbolic link', () => {
  const { context, folder, path } = world({ 'real.json': SAVED });
  symlinkSync(join(folder, 'real.json'), path);
  const { file, mock } = start(context);
  mock.forKey().pets.put(REX);
  file.save();
  expect(lstatSync(path).isSymbolicLink()).toBe(true);
  expect(savedNames(join(folder, 'real.json'))).toEqual([['Otto', 'Rex']]);
});

test('keeps the pets of keys that this mock does not have', () => {
  const { context, path } = world();
  start(context, { keys: ['a', 'b'] });
  const { file, mock } = start(context, { keys: ['a'] });
  mock.forKey().pets.load([REX]);
  file.save();
  expect(savedNames(path)).toEqual([['Rex'], [expect.any(String), expect.any(String)]]);
});

test('rejects a directory', () => {
  const { context } = world({ 'd.json/keep': '' });
  expect(() => open(context).read()).toThrow("Can't read d.json (it is a directory)");
});

test('rejects a named pipe, which would block forever', () => {
  const { folder, context } = world();
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  expect(() => open(context, 'pipe').read()).toThrow("Can't read pipe (it is a named pipe)");
});

test('reports a delayed save that failed, and saves later', async () => {
  const { context, clock, folder, path } = world({ 'd.json': SAVED });
  const errors: unknown[] = [];
  const file = open(context);
  const mock = createMock({ snapshot: file.read() });
  file.follow(mock, (error) => errors.push(error));
  const broken = {
    toJSON() {
      throw new RangeError('out of memory');
    },
  };
  mock.forKey().pets.put({ ...REX, id: 7, broken });
  await clock.advance(100);
  expect(errors).toMatchObject([{ message: expect.stringContaining("Can't write d.json") as unknown }]);
  expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual([SAVED, ['d.json']]);
  mock.forKey().pets.delete(7);
  await clock.advance(100);
  expect([errors.length, savedNames(path)]).toEqual([1, [['Otto']]]);
});

describe('the lock', () => {
  test('refuses a second mock, by any path to the file, until it is released', async () => {
    const folder = temporaryFolder({ 'd.json': '{}' });
    symlinkSync(join(folder, 'd.json'), join(folder, 'link.json'));
    const { context } = fakeContext({ currentDirectory: folder });
    const lock = await lockDataFile('d.json', context);
    for (const path of ['d.json', './d.json', join(folder, 'd.json'), 'link.json'])
      await expect(lockDataFile(path, context)).rejects.toMatchObject({
        message: `Another mock uses ${path}`,
        hint: 'Stop that mock, or pass another file with --data.',
      });
    const other = await lockDataFile('other.json', context);
    // Saving replaces the file.
    start(context, {}, 'other.json');
    await expect(lockDataFile('other.json', context)).rejects.toThrow('Another mock uses other.json');
    other.release();
    lock.release();
    (await lockDataFile('link.json', context)).release();
  });

  test('a mock that lost it reports this once, saves nothing, and fails at its end', async () => {
    const { context, clock, path } = world({ 'd.json': SAVED });
    let isHeld = true;
    const errors: unknown[] = [];
    const file = open(context, 'd.json', () => isHeld);
    const mock = createMock({ snapshot: file.read() });
    file.follow(mock, (error) => errors.push(error));
    isHeld = false;
    for (const name of ['Rex', 'Mia']) {
      mock.forKey().pets.put({ ...REX, name });
      await clock.advance(1_000);
    }
    const error = {
      message: 'Another process changed d.json, or took it over. The pets of this mock are no longer saved',
      facts: { exitCode: 1, hint: 'Stop that mock, or pass another file with --data.' },
    };
    expect(errors).toMatchObject([error]);
    expect(() => file.save()).toThrow(error.message);
    expect(readFileSync(path, 'utf8')).toBe(SAVED);
  });

  test('a mock does not replace a file that another process put there', async () => {
    const { context, path } = world({ 'd.json': SAVED });
    const { file, mock } = start(context);
    mock.forKey().pets.put(REX);
    rmSync(path);
    writeFileSync(path, 'of another process');
    expect(() => file.save()).toThrow('Another process changed d.json');
    expect(readFileSync(path, 'utf8')).toBe('of another process');
  });

  test('does not hide that the folder is missing', async () => {
    const { context } = fakeContext({ currentDirectory: temporaryFolder() });
    await expect(lockDataFile('none/d.json', context)).rejects.toThrow(
      "Can't write none/d.json (no such file or folder)",
    );
  });
});
