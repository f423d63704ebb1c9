import fs, {
  existsSync,
  fstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { lockFile } from '../../src/security/file-lock.js';
import { LockLostError } from '../../src/security/locked-file.js';
import type { LockedFiles } from '../../src/security/locked-files.js';
import { lockedFiles } from '../support/locked-files.js';
import { pieces } from '../support/pieces.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const clock = { setTimeout };

/** A locked file, with another file next to it. */
async function lockedFolder() {
  const folder = temporaryFolder({ j: 'ours', other: 'theirs' });
  const path = (name: string): string => join(folder, name);
  const lock = await lockFile(path('j'), { clock });
  /** As a process that waited 15 s for a renewal. */
  const takeOver = async () => {
    rmSync(`${path('j')}.lock`, { recursive: true });
    return lockFile(path('j'), { clock });
  };
  return { folder, path, files: lock!.files, lock: lock!, takeOver };
}

/** Every change of `LockedFiles`, of the locked path or of another one. */
const CHANGES: Record<string, (files: LockedFiles, path: string, draft: string) => unknown> = {
  remove: (files, path) => files.remove(path),
  replace: (files, path) => files.replace(path, ['new']),
  publish: (files, path, draft) => files.publish(draft, path),
  publishNew: (files, path, draft) => files.publishNew(draft, `${path}-2`),
  open: (files, path) => files.open(path),
  openDraft: (files) => files.openDraft('new'),
  writeDraft: (files) => files.writeDraft('new', pieces('text', 4)),
  copyToDraft: (files, path) => files.copyToDraft(path, 'new'),
  draftPath: (files) => files.draftPath('new'),
};

describe.each(Object.entries(CHANGES))('%s', (_, change) => {
  test('changes nothing after the lock was lost', async () => {
    const { folder, path, files, takeOver } = await lockedFolder();
    const next = await takeOver();
    const draft = path('draft');
    writeFileSync(draft, 'draft');
    for (const name of ['j', 'other'])
      await expect((async () => change(files, path(name), draft))()).rejects.toThrow(LockLostError);
    expect(readdirSync(folder).sort()).toEqual(['draft', 'j', 'j.lock', 'other']);
    expect([readFileSync(path('j'), 'utf8'), readFileSync(path('other'), 'utf8')]).toEqual([
      'ours',
      'theirs',
    ]);
    expect(readdirSync(path('j.lock'))).toHaveLength(1);
    expect(next?.isHeld()).toBe(true);
  });

  test('changes nothing after another process replaced the locked file', async () => {
    const { folder, path, files } = await lockedFolder();
    const draft = files.copyToDraft(path('other'), 'draft');
    rmSync(path('j'));
    writeFileSync(path('j'), 'of another process');
    await expect((async () => change(files, path('j'), draft))()).rejects.toThrow(LockLostError);
    expect(readFileSync(path('j'), 'utf8')).toBe('of another process');
    expect(readdirSync(folder).sort()).toEqual(['j', 'j.lock', 'other']);
  });
});

describe('an open file', () => {
  const opened = async () => {
    const setup = await lockedFolder();
    return { ...setup, file: setup.files.open(setup.path('j')) };
  };
  const changes = {
    write: (file: ReturnType<LockedFiles['open']>) => file.write(Buffer.from('x'), 4),
    truncate: (file: ReturnType<LockedFiles['open']>) => file.truncate(0),
    remove: (file: ReturnType<LockedFiles['open']>) => file.remove(),
  };
  test.each(Object.entries(changes))('is not changed after the lock was lost: %s', async (_, change) => {
    const { file, path, takeOver } = await opened();
    await takeOver();
    expect(() => change(file)).toThrow(`Another process changed or removed ${path('j')}`);
    expect(readFileSync(path('j'), 'utf8')).toBe('ours');
    file.close();
  });

  test.each(Object.entries(changes))('is not changed if the path leads elsewhere: %s', async (_, change) => {
    const { file, path } = await opened();
    renameSync(path('j'), path('moved'));
    expect(() => change(file)).toThrow(LockLostError);
    renameSync(path('other'), path('j'));
    expect(() => change(file)).toThrow(LockLostError);
    expect([readFileSync(path('moved'), 'utf8'), readFileSync(path('j'), 'utf8')]).toEqual([
      'ours',
      'theirs',
    ]);
    file.close();
  });

  test('is read, written, truncated and removed under the lock', async () => {
    const { file, path, lock } = await opened();
    expect(file.write(Buffer.from('!'), 4)).toBe(1);
    file.truncate(3);
    const chunks: string[] = [];
    for await (const chunk of file.read()) chunks.push(Buffer.from(chunk).toString());
    expect(chunks).toEqual(['our']);
    file.remove();
    expect(existsSync(path('j'))).toBe(false);
    file.close();
    lock.release();
  });
});

test('a draft that was checked before the lock was lost can not be moved into place', async () => {
  const { path, files, takeOver } = await lockedFolder();
  const draft = files.copyToDraft(path('other'), 'draft');
  // The process is suspended after the check.
  const rename = fs.renameSync;
  let next: Awaited<ReturnType<typeof lockFile>>;
  const taken: Promise<unknown>[] = [];
  const spy = vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
    taken.push(takeOver().then((lock) => (next = lock)));
    rename(from, to);
  });
  syncBuiltinESMExports();
  try {
    expect(() => files.publish(draft, path('j'))).toThrow(LockLostError);
  } finally {
    spy.mockRestore();
    syncBuiltinESMExports();
  }
  await Promise.all(taken);
  expect(readFileSync(path('j'), 'utf8')).toBe('ours');
  expect(next?.isHeld()).toBe(true);
});

test('the locked file that this lock put there is not the one of another process', async () => {
  const { path, files, lock, folder } = await lockedFolder();
  files.replace(path('j'), ['one']);
  files.replace(path('j'), ['two']);
  files.remove(path('j'));
  files.replace(path('j'), ['three'], { mode: 0o640 });
  expect(readFileSync(path('j'), 'utf8')).toBe('three');
  if (process.platform !== 'win32') expect(statSync(path('j')).mode & 0o777).toBe(0o640);
  lock.release();
  expect(readdirSync(folder).sort()).toEqual(['j', 'other']);
  expect(() => files.replace(path('j'), ['four'])).toThrow(LockLostError);
});

test('drafts are removed with the lock of their owner', async () => {
  const { path, files, lock } = await lockedFolder();
  await files.writeDraft('input', pieces('rows', 4));
  expect(
    readdirSync(path('j.lock'))
      .map((name) => name.replace(/^.*\./, ''))
      .sort(),
  ).toContain('input');
  lock.release();
  expect(existsSync(path('j.lock'))).toBe(false);
});

test('a failure leaves no draft and no change', async () => {
  const { path, files, folder } = await lockedFolder();
  const broken = (function* () {
    yield 'half';
    throw new Error('the disk is full');
  })();
  expect(() => files.replace(path('j'), broken)).toThrow('the disk is full');
  mkdirSync(path('folder/full'), { recursive: true });
  expect(() => files.replace(path('folder'), ['x'])).toThrow();
  expect(readFileSync(path('j'), 'utf8')).toBe('ours');
  expect(readdirSync(path('j.lock'))).toHaveLength(1);
  expect(readdirSync(folder).sort()).toEqual(['folder', 'j', 'j.lock', 'other']);
});

test.skipIf(process.platform === 'win32')('a new name replaces no file and follows no link', async () => {
  const { path, files } = await lockedFolder();
  symlinkSync('other', path('link'));
  const draft = files.copyToDraft(path('j'), 'draft');
  expect([files.publishNew(draft, path('other')), files.publishNew(draft, path('link'))]).toEqual([
    false,
    false,
  ]);
  expect(files.publishNew(draft, path('new'))).toBe(true);
  expect([readFileSync(path('other'), 'utf8'), readFileSync(path('new'), 'utf8')]).toEqual([
    'theirs',
    'ours',
  ]);
  expect(readdirSync(path('j.lock'))).toHaveLength(1);
});

test('a durable file is on the disk before it replaces the old one, and then its folder', () => {
  const folder = temporaryFolder({ a: 'old' });
  const files = lockedFiles(join(folder, 'a'));
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
    files.replace(join(folder, 'a'), ['n', 'ew'], { isDurable: true });
    if (process.platform !== 'win32') expect(calls).toEqual(['fsync file', 'rename', 'fsync folder']);
    files.replace(join(folder, 'a'), ['new', 'er']);
    expect(calls.filter((call) => call.startsWith('fsync file'))).toHaveLength(1);
  } finally {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  }
  expect(readFileSync(join(folder, 'a'), 'utf8')).toBe('newer');
});
