import { chmodSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Keychain } from '../../../../src/cli/system/keychain.js';
import { storedKeys } from '../../../../src/cli/settings/credentials/stored-keys.js';
import { openKeychain } from '../../../support/auth.js';
import { changeOwner } from '../../../support/change-owner.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const locked = (): Promise<never> => Promise.reject(new Error('it is locked'));
const LOCKED: Keychain = { check: locked, find: locked, save: locked, remove: locked };

function keysIn(
  folder: string,
  keychain: Keychain,
  userId = process.geteuid?.(),
): ReturnType<typeof storedKeys> {
  const env = { PETSTORE_CONFIG_DIR: folder };
  const context = { env, homeDirectory: '/nowhere', platform: 'linux', currentDirectory: '/here', userId };
  return storedKeys({ ...context, keychain: () => Promise.resolve(keychain) });
}

test('configurations share no keychain entry, even with relative paths', async () => {
  const keychain = openKeychain();
  await keysIn('/c', keychain).save('shop', 'sk-1', 'keychain');
  await keysIn('c', keychain).save('shop', 'sk-2', 'keychain');
  expect([...keychain.entries]).toEqual([
    ['shop in /c', 'sk-1'],
    ['shop in /here/c', 'sk-2'],
  ]);
  expect(await keysIn('/c', keychain).remove('shop', 'keychain')).toBe(true);
  expect(await keysIn('/here/c', keychain).find('shop', 'keychain')).toBe('sk-2');
});

describe('reports what blocks a key file', () => {
  const FAULT = { name: 'UsageError', hint: expect.stringMatching(/Fix the|set PETSTORE_CONFIG_DIR/) };
  test.each([
    ['a file for the folder', { keys: '' }, 'shop', /shop\.key.* \(.*keys is not a directory\)/],
    ['a folder for the file', { 'keys/shop.key/x': '' }, 'shop', /shop\.key.* \(it is a directory\)/],
    ['a name too long', { 'keys/x': '' }, 'x'.repeat(300), /the name is too long/],
  ])('%s', async (_, files, profile, message) => {
    const keys = keysIn(temporaryFolder(files), LOCKED);
    const error = { ...FAULT, message: expect.stringMatching(message) };
    await expect(keys.save(profile, 'sk-1', 'file')).rejects.toMatchObject(error);
    await expect(keys.find(profile, 'file')).rejects.toMatchObject(error);
    await expect(keys.remove(profile, 'file')).rejects.toMatchObject(error);
  });
});

test('stores a key in a private file', async () => {
  const folder = temporaryFolder();
  const keys = keysIn(folder, LOCKED);
  const path = join(folder, 'keys', 'shop.key');
  await keys.save('shop', 'sk-1', 'file');
  expect(readFileSync(path, 'utf8')).toBe('sk-1\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(folder, 'keys')).mode & 0o777).toBe(0o700);
  expect(await keys.find('shop', 'file')).toBe('sk-1');
});

test('removes from file and keychain, and returns whether there was a key', async () => {
  const folder = temporaryFolder({ 'keys/shop.key': 'sk-1\n' });
  const keychainProblem = 'it is locked';
  expect(await keysIn(folder, LOCKED).removeAll('shop', 'file')).toEqual({ removed: true, keychainProblem });
  expect(await keysIn(folder, LOCKED).removeAll('shop', 'file')).toEqual({ removed: false, keychainProblem });
  const keychain = openKeychain();
  await keysIn(folder, keychain).save('shop', 'sk-1', 'keychain');
  expect(await keysIn(folder, keychain).removeAll('shop', 'keychain')).toEqual({ removed: true });
  expect(keychain.entries.size).toBe(0);
});

test.each(['file', undefined] as const)(
  'removes a key from the keychain if the configuration says %s',
  async (place) => {
    const keychain = openKeychain();
    const folder = temporaryFolder();
    await keysIn(folder, keychain).save('shop', 'sk-1', 'keychain');
    expect(await keysIn(folder, keychain).removeAll('shop', place)).toEqual({ removed: true });
    expect(keychain.entries.size).toBe(0);
  },
);

test.each(['save', 'removeAll'] as const)('%s removes temporary files of a killed process', async (act) => {
  const folder = temporaryFolder({
    'keys/.1.2.tmp': '',
    'keys/shop.key.1.2.tmp': 'sk-1\n',
    'keys/note.tmp': '',
  });
  const keys = keysIn(folder, LOCKED);
  await (act === 'save' ? keys.save('shop', 'sk-2', 'file') : keys.removeAll('shop', 'file'));
  expect(readdirSync(join(folder, 'keys')).filter((name) => name.endsWith('.tmp'))).toEqual(['note.tmp']);
});

test('refuses a symbolic link and does not change its target', async () => {
  const folder = temporaryFolder({ 'keys/other': 'theirs', victim: 'theirs' });
  chmodSync(join(folder, 'victim'), 0o644);
  symlinkSync(join(folder, 'victim'), join(folder, 'keys/shop.key'));
  await expect(keysIn(folder, LOCKED).find('shop', 'file')).rejects.toThrow('shop.key is a symbolic link');
  expect(statSync(join(folder, 'victim')).mode & 0o777).toBe(0o644);
});

describe.skipIf(process.platform === 'win32')('refuses keys of another user', () => {
  test.each(['keys/shop.key', 'keys'])('%s', async (theirs) => {
    const folder = temporaryFolder({ 'keys/shop.key': 'sk-theirs\n' });
    const path = join(folder, theirs);
    chmodSync(join(folder, 'keys/shop.key'), 0o644);
    const keys = keysIn(folder, LOCKED, changeOwner(path));
    await expect(keys.find('shop', 'file')).rejects.toMatchObject({
      message: expect.stringMatching(/keys.* belongs to another user \(\d+\)/),
      hint: expect.stringContaining('PETSTORE_CONFIG_DIR'),
    });
    expect(statSync(join(folder, 'keys/shop.key')).mode & 0o777).toBe(0o644);
  });

  test('and writes and removes nothing', async () => {
    const folder = temporaryFolder({ 'keys/shop.key': 'sk-theirs\n', 'keys/.1.2.tmp': '' });
    const keys = keysIn(folder, openKeychain(), changeOwner(join(folder, 'keys')));
    await expect(keys.save('shop', 'sk-1', 'keychain')).rejects.toThrow('another user');
    await expect(keys.removeAll('shop', 'file')).rejects.toThrow('another user');
    expect(() => {
      keys.checkWritable('shop');
    }).toThrow('another user');
    expect(readdirSync(join(folder, 'keys')).sort()).toEqual(['.1.2.tmp', 'shop.key']);
  });
});

test('writing a key file keeps the mode of an existing directory', async () => {
  const folder = temporaryFolder({ 'keys/other': '' });
  chmodSync(join(folder, 'keys'), 0o755);
  await keysIn(folder, LOCKED).save('shop', 'sk-1', 'file');
  expect(statSync(join(folder, 'keys')).mode & 0o777).toBe(0o755);
  expect(statSync(join(folder, 'keys/shop.key')).mode & 0o777).toBe(0o600);
});

test('no profile name results in a path outside the directory', () => {
  expect(keysIn('/c', LOCKED).pathOf('../../etc/passwd')).toBe('/c/keys/..%2F..%2Fetc%2Fpasswd.key');
  expect(keysIn('/c', LOCKED).pathOf('half \ud800')).toBe('/c/keys/half%20%EF%BF%BD.key');
});
