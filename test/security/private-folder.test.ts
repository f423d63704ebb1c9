import { chmodSync, lchownSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  makePrivateFolder,
  resolvePrivateFolder,
  UnsafeFolderError,
} from '../../src/security/private-folder.js';
import { changeOwner } from '../support/change-owner.js';
import { temporaryFolder } from '../support/temporary-folder.js';

test('creates a folder and its parents, with access for their owner only', () => {
  const root = temporaryFolder();
  for (let count = 0; count < 2; count += 1)
    expect(makePrivateFolder(join(root, 'a', 'b', 'c'))).toBe(join(root, 'a', 'b', 'c'));
  if (process.platform === 'win32') return;
  for (const folder of ['a', 'a/b', 'a/b/c']) expect(statSync(join(root, folder)).mode & 0o777).toBe(0o700);
});

test('leaves the mode of an existing folder unchanged', () => {
  const folder = join(temporaryFolder(), 'own');
  mkdirSync(folder, { mode: 0o755 });
  const { mode } = statSync(folder);
  makePrivateFolder(folder);
  expect(statSync(folder).mode).toBe(mode);
});

test.each(['file', 'file/below'])('reports a file in the way of %s', (path) => {
  const root = temporaryFolder();
  writeFileSync(join(root, 'file'), '');
  expect(() => makePrivateFolder(join(root, path))).toThrow(/EEXIST|ENOTDIR/);
});

test.skipIf(process.platform !== 'linux')('ends for a path where nothing can be created', () => {
  expect(() => makePrivateFolder('/proc/x/y')).toThrow('ENOENT');
});

describe.skipIf(process.platform === 'win32')('a private folder', () => {
  const userId = process.geteuid?.() ?? 0;

  /** A folder, two more above it, and where it is. */
  function nest(): { root: string; folder: string } {
    const root = temporaryFolder();
    const folder = join(root, 'above', 'folder');
    mkdirSync(folder, { recursive: true });
    return { root, folder };
  }

  test.each(['above/folder', 'above', '.'])('is not used if others can write %s', (name) => {
    const { root, folder } = nest();
    chmodSync(join(root, name), 0o757);
    const message = `other users can write ${join(root, name)} (0757)`;
    expect(() => resolvePrivateFolder(folder)).toThrow(
      new UnsafeFolderError(join(root, name), { uid: userId, mode: 0o757 }, userId),
    );
    expect(() => resolvePrivateFolder(folder)).toThrow(message);
    // With the sticky bit, others can't rename what is in it.
    chmodSync(join(root, name), 0o1777);
    expect(resolvePrivateFolder(folder)).toBe(folder);
  });

  test.each(['above/folder', 'above', '.'])('is not used if %s belongs to another user', (name) => {
    const { root, folder } = nest();
    expect(() => resolvePrivateFolder(folder, changeOwner(join(root, name)))).toThrow(
      /belongs to another user/,
    );
  });

  test('is used by its owner below a folder of root', () => {
    expect(resolvePrivateFolder('/etc', 4_242)).toBe(statSync('/etc').uid === 0 ? '/etc' : '');
  });

  test('is checked at the end of links, and where these are', () => {
    const { root, folder } = nest();
    mkdirSync(join(root, 'links'));
    symlinkSync('../above', join(root, 'links', 'link'));
    const path = join(root, 'links', 'link', 'folder', 'missing', 'more');
    expect(resolvePrivateFolder(path)).toBe(join(folder, 'missing', 'more'));
    chmodSync(join(root, 'links'), 0o777);
    expect(() => resolvePrivateFolder(path)).toThrow(`other users can write ${join(root, 'links')}`);
    chmodSync(join(root, 'links'), 0o1777);
    expect(resolvePrivateFolder(path)).toBe(join(folder, 'missing', 'more'));
    chmodSync(join(root, 'above'), 0o777);
    expect(() => resolvePrivateFolder(path)).toThrow(`other users can write ${join(root, 'above')}`);
  });

  test.skipIf(userId !== 0)('is not used through a link that another user made', () => {
    const { root, folder } = nest();
    symlinkSync(folder, join(root, 'link'));
    lchownSync(join(root, 'link'), 4_242, 4_242);
    expect(() => resolvePrivateFolder(join(root, 'link'))).toThrow('link belongs to another user (4242)');
  });

  test('ends for links in a circle', () => {
    const root = temporaryFolder();
    symlinkSync('b', join(root, 'a'));
    symlinkSync('a', join(root, 'b'));
    expect(() => resolvePrivateFolder(join(root, 'a', 'folder'))).toThrow('Too many links');
  });

  test.each([
    { what: 'only the user is in it', passwd: 'ida:x:U:G::', group: 'ida:x:G:', isUsed: true },
    { what: 'it lists the user', passwd: 'ida:x:U:5::', group: 'ida:x:G:ida', isUsed: true },
    { what: 'root is in it too', passwd: 'root:x:0:0::\nida:x:U:G::', group: 'ida:x:G:root', isUsed: true },
    {
      what: 'it is the group of another user too',
      passwd: 'ida:x:U:G::\nbob:x:7777:G::',
      group: 'staff:x:G:',
    },
    { what: 'it lists another user', passwd: 'ida:x:U:G::\nbob:x:7777:9::', group: 'ida:x:G:bob' },
    { what: 'it lists a user of a directory service', passwd: 'ida:x:U:G::', group: 'ida:x:G:eve' },
    { what: 'it has no known members', passwd: 'ida:x:U:5::', group: 'staff:x:G:' },
    { what: 'it is unknown', passwd: '', group: '' },
    { what: 'all users can write as well', passwd: 'ida:x:U:G::', group: 'ida:x:G:', mode: 0o777 },
  ])('whose group can write is used if $what: $isUsed', ({ passwd, group, isUsed = false, mode = 0o770 }) => {
    const { root, folder } = nest();
    chmodSync(join(root, 'above'), mode);
    const { gid } = statSync(join(root, 'above'));
    const read = (file: string): string =>
      (file === '/etc/passwd' ? passwd : group).replaceAll('U', String(userId)).replaceAll('G', String(gid));
    const resolveFolder = (): string => resolvePrivateFolder(folder, userId, read);
    if (isUsed) expect(resolveFolder()).toBe(folder);
    else expect(resolveFolder).toThrow('other users can write');
  });

  test('whose group can write is not used if the members are unreadable', () => {
    const { folder } = nest();
    chmodSync(folder, 0o770);
    const read = (): string => {
      throw new Error('no such file');
    };
    expect(() => resolvePrivateFolder(folder, userId, read)).toThrow('other users can write');
  });
});
