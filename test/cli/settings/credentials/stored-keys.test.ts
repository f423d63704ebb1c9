import fs, { chmodSync, linkSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { dirname, join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import type { Keychain } from '../../../../src/cli/system/keychain.js';
import { type ConfigLock, withConfigLock } from '../../../../src/cli/settings/config/config-editor.js';
import { keyFileName, type KeyPlace } from '../../../../src/cli/settings/credentials/key-place.js';
import { storedKeys } from '../../../../src/cli/settings/credentials/stored-keys.js';
import { openKeychain } from '../../../support/auth.js';
import { changeOwner } from '../../../support/change-owner.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const locked = (): Promise<never> => Promise.reject(new Error('it is locked'));
const LOCKED: Keychain = { check: locked, find: locked, save: locked, remove: locked };

const ORIGIN = 'https://pets.test';
const inFile = (profile = 'shop'): KeyPlace => ({ profile, location: 'file', origin: ORIGIN });
const inKeychain = (profile = 'shop'): KeyPlace => ({ profile, location: 'keychain', origin: ORIGIN });
const FILE = keyFileName(inFile());

/** The keys of a configuration directory, with the lock for each change. */
function keysIn(folder: string, keychain: Keychain, userId = process.geteuid?.()) {
  const context = {
    env: { PETSTORE_CONFIG_DIR: folder },
    homeDirectory: '/nowhere',
    platform: 'linux',
    currentDirectory: dirname(folder),
    userId,
    clock: { now: () => 0, setTimeout },
    keychain: () => Promise.resolve(keychain),
  };
  const keys = storedKeys(context as never);
  const locked = <T>(work: (lock: ConfigLock) => T | Promise<T>) => withConfigLock(context as never, work);
  return {
    ...keys,
    storage: keys,
    locked,
    save: (place: KeyPlace, key: string) => locked((lock) => keys.save(place, key, lock)),
    remove: (place: KeyPlace) => locked((lock) => keys.remove(place, lock)),
    removeUnused: () => locked((lock) => keys.removeUnused(lock)),
  };
}

test('configurations share no keychain entry, even with relative paths', async () => {
  const keychain = openKeychain();
  const folder = temporaryFolder();
  const other = join(folder, 'c');
  await keysIn(folder, keychain).save(inKeychain(), 'sk-1');
  await keysIn(other, keychain).save(inKeychain(), 'sk-2');
  expect([...keychain.entries]).toEqual([
    [`shop at ${ORIGIN} in ${folder}`, 'sk-1'],
    [`shop at ${ORIGIN} in ${other}`, 'sk-2'],
  ]);
  expect(await keysIn(folder, keychain).remove(inKeychain())).toBe(true);
  expect(await keysIn(other, keychain).find(inKeychain())).toBe('sk-2');
});

describe('reports what blocks a key file', () => {
  const FAULT = { name: 'UsageError', hint: expect.stringMatching(/Fix the|set PETSTORE_CONFIG_DIR/) };
  test.each([
    ['a file for the folder', { keys: '' }, 'shop', /shop@.*\.key.* \(.*keys is not a directory\)/],
    ['a folder for the file', { [`keys/${FILE}/x`]: '' }, 'shop', /shop@.*\.key.* \(it is a directory\)/],
    ['a name too long', { 'keys/x': '' }, 'x'.repeat(300), /the name is too long/],
  ])('%s', async (_, files, profile, message) => {
    const keys = keysIn(temporaryFolder(files), LOCKED);
    const error = { ...FAULT, message: expect.stringMatching(message) };
    await expect(keys.save(inFile(profile), 'sk-1')).rejects.toMatchObject(error);
    await expect(keys.find(inFile(profile))).rejects.toMatchObject(error);
    await expect(keys.remove(inFile(profile))).rejects.toMatchObject(error);
  });
});

test('stores a key in a private file', async () => {
  const folder = temporaryFolder();
  const keys = keysIn(folder, LOCKED);
  const path = join(folder, 'keys', FILE);
  await keys.save(inFile(), 'sk-1');
  expect(readFileSync(path, 'utf8')).toBe('sk-1\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'keys')).mode & 0o777).toBe(0o700);
  expect(await keys.find(inFile())).toBe('sk-1');
});

test('a key file is on the disk before config.json names it', async () => {
  const spy = vi.spyOn(fs, 'fsyncSync');
  syncBuiltinESMExports();
  try {
    await keysIn(temporaryFolder(), LOCKED).save(inFile(), 'sk-1');
    expect(spy).toHaveBeenCalled();
  } finally {
    spy.mockRestore();
    syncBuiltinESMExports();
  }
});

describe('a process that lost the lock', () => {
  test.each<[string, (keys: ReturnType<typeof keysIn>, lock: ConfigLock) => Promise<unknown>]>([
    ['removes no entry of the keychain', (keys, lock) => keys.storage.remove(inKeychain(), lock)],
    ['replaces no entry of the keychain', (keys, lock) => keys.storage.save(inKeychain(), 'sk-2', lock)],
  ])('%s', async (_, change) => {
    const keychain = openKeychain();
    const folder = temporaryFolder();
    const keys = keysIn(folder, keychain);
    await keys.save(inKeychain(), 'sk-1');
    const outcome = keys.locked((lock) => {
      rmSync(join(folder, 'config.json.lock'), { recursive: true });
      return change(keys, lock);
    });
    await expect(outcome).rejects.toThrow('Another petstore process changed');
    expect([...keychain.entries.values()]).toEqual(['sk-1']);
  });

  test('leaves unused keys to the next edit, because its own edit is done', async () => {
    const keychain = openKeychain();
    const folder = temporaryFolder({ 'keys/gone.key': 'sk-1\n' });
    const keys = keysIn(folder, keychain);
    await keys.save(inKeychain('gone'), 'sk-2');
    const unused = await keys.locked((lock) => {
      rmSync(join(folder, 'config.json.lock'), { recursive: true });
      return keys.storage.removeUnused(lock);
    });
    expect(unused).toEqual({ removed: [] });
    expect(keychain.entries.size).toBe(1);
    expect(keys.findUnused({})).toHaveLength(2);
  });
});

test('a key is found only for its origin', async () => {
  const keychain = openKeychain();
  const keys = keysIn(temporaryFolder(), keychain);
  for (const place of [inFile(), inKeychain()]) {
    await keys.save(place, 'sk-1');
    expect(await keys.find({ ...place, origin: 'https://other.test' })).toBeUndefined();
    expect(await keys.find({ ...place, origin: undefined })).toBeUndefined();
    expect(await keys.find(place)).toBe('sk-1');
  }
});

describe('keys that no profile uses', () => {
  const CONFIG = { profiles: { shop: { keyIn: 'file', keyOrigin: ORIGIN } } };
  const FILES = {
    'config.json': CONFIG,
    [`keys/${FILE}`]: 'sk-1\n',
    'keys/gone.key': 'sk-2\n',
    [`keys/${keyFileName(inFile('gone'))}`]: 'sk-3\n',
    'keys/.1.2.tmp': '',
    'keys/shop.key.1.2.tmp': 'sk-4\n',
    'keys/note.tmp': '',
    'keys/note.txt': '',
  };

  test('are removed; other files stay', async () => {
    const folder = temporaryFolder(FILES);
    expect((await keysIn(folder, LOCKED).removeUnused()).removed).toHaveLength(4);
    expect(readdirSync(join(folder, 'keys')).sort()).toEqual(['note.tmp', 'note.txt', FILE]);
  });

  test('a profile without a key has none', async () => {
    const folder = temporaryFolder({ ...FILES, 'config.json': { profiles: { shop: {} } } });
    await keysIn(folder, LOCKED).removeUnused();
    expect(readdirSync(join(folder, 'keys')).sort()).toEqual(['note.tmp', 'note.txt']);
  });

  test('a name in other case may be the same file', async () => {
    const folder = temporaryFolder(FILES);
    linkSync(join(folder, 'keys', FILE), join(folder, 'keys', FILE.toUpperCase().replace('KEY', 'key')));
    await keysIn(folder, LOCKED).removeUnused();
    expect(readdirSync(join(folder, 'keys'))).toHaveLength(4);
  });

  test('an entry of the keychain is found by its file, which stays until the entry is removed', async () => {
    const keychain = openKeychain();
    const folder = temporaryFolder();
    await keysIn(folder, keychain).save(inKeychain(), 'sk-1');
    expect(await keysIn(folder, LOCKED).removeUnused()).toEqual({
      removed: [],
      problem: expect.stringContaining('The keychain may still hold an older key (it is locked)'),
    });
    expect(keysIn(folder, LOCKED).findUnused({})).toHaveLength(1);
    expect((await keysIn(folder, keychain).removeUnused()).removed).toHaveLength(1);
    expect(keychain.entries.size).toBe(0);
    expect(readdirSync(join(folder, 'keys'))).toEqual([]);
  });

  test('an entry of an earlier version, which has no file', async () => {
    const keychain = openKeychain();
    const folder = temporaryFolder();
    keychain.entries.set(`shop in ${folder}`, 'sk-1');
    const keys = keysIn(folder, keychain);
    await keys.locked((lock) => {
      keys.nameEarlierEntry('shop', { keyIn: 'keychain' }, lock);
    });
    await keys.removeUnused();
    expect(keychain.entries.size).toBe(0);
  });
});

test('refuses a symbolic link and does not change its target', async () => {
  const folder = temporaryFolder({ 'keys/other': 'theirs', victim: 'theirs' });
  chmodSync(join(folder, 'victim'), 0o644);
  symlinkSync(join(folder, 'victim'), join(folder, 'keys', FILE));
  await expect(keysIn(folder, LOCKED).find(inFile())).rejects.toThrow(`${FILE} is a symbolic link`);
  expect(statSync(join(folder, 'victim')).mode & 0o777).toBe(0o644);
});

describe.skipIf(process.platform === 'win32')('refuses keys of another user', () => {
  test.each(['keys/shop.key', 'keys'])('%s', async (theirs) => {
    const folder = temporaryFolder({ 'keys/shop.key': 'sk-theirs\n' });
    const path = join(folder, theirs);
    chmodSync(join(folder, 'keys/shop.key'), 0o644);
    const keys = keysIn(folder, LOCKED, changeOwner(path));
    await expect(keys.find({ profile: 'shop', location: 'file' })).rejects.toMatchObject({
      message: expect.stringMatching(/keys.* belongs to another user \(\d+\)/),
      hint: expect.stringContaining('PETSTORE_CONFIG_DIR'),
    });
    expect(statSync(join(folder, 'keys/shop.key')).mode & 0o777).toBe(0o644);
  });

  test('and writes and removes nothing', async () => {
    const folder = temporaryFolder({ 'keys/shop.key': 'sk-theirs\n', 'keys/.1.2.tmp': '' });
    const keys = keysIn(folder, openKeychain(), changeOwner(join(folder, 'keys')));
    await expect(keys.save(inKeychain(), 'sk-1')).rejects.toThrow('another user');
    await expect(keys.remove(inFile())).rejects.toThrow('another user');
    await expect(keys.removeUnused()).rejects.toThrow('another user');
    expect(() => {
      keys.checkWritable('shop');
    }).toThrow('another user');
    expect(readdirSync(join(folder, 'keys')).sort()).toEqual(['.1.2.tmp', 'shop.key']);
  });
});

test('writing a key file keeps the mode of an existing directory', async () => {
  const folder = temporaryFolder({ 'keys/other': '' });
  chmodSync(join(folder, 'keys'), 0o755);
  await keysIn(folder, LOCKED).save(inFile(), 'sk-1');
  expect(statSync(join(folder, 'keys')).mode & 0o777).toBe(0o755);
  expect(statSync(join(folder, 'keys', FILE)).mode & 0o777).toBe(0o600);
});

const pathless = (profile: string): KeyPlace => ({ profile, location: 'file' });

test('no profile name results in a path outside the directory', () => {
  expect(keysIn('/c', LOCKED).pathOf(pathless('../../etc/passwd'))).toBe(
    '/c/keys/..%2F..%2Fetc%2Fpasswd.key',
  );
  expect(keysIn('/c', LOCKED).pathOf(pathless('half \ud800'))).toBe('/c/keys/half%20%EF%BF%BD.key');
});
