import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Keychain } from '../../../../src/cli/system/keychain.js';
import { accountOf, authIn, openKeychain, SECRET, URL } from '../../../support/auth.js';
import type { Outcome } from '../../../support/fake-context.js';

const { config, logIn, setup, run } = authIn();

test('moves the entry of the keychain', async () => {
  const keychain = openKeychain();
  await logIn('', { keychain });
  expect((await run('auth rename default shop', { keychain })).stderr).toBe(
    'Renamed profile "default" to "shop".\n',
  );
  expect(await keychain.find(accountOf('shop', setup.folder))).toBe(SECRET);
  expect(await keychain.find(accountOf('default', setup.folder))).toBeUndefined();
});

test('keeps the other settings, the order and another default', async () => {
  const profiles = { a: { output: 'json' }, b: { baseUrl: URL, trustedUrls: ['https://x.test'] }, c: {} };
  writeFileSync(join(setup.folder, 'config.json'), JSON.stringify({ profile: 'a', profiles }));
  expect((await run('auth rename b z')).exitCode).toBe(0);
  expect(config()).toEqual({ profile: 'a', profiles: { a: profiles.a, z: profiles.b, c: {} } });
  expect(Object.keys((config() as { profiles: object }).profiles)).toEqual(['a', 'z', 'c']);
  expect(existsSync(join(setup.folder, 'keys'))).toBe(false);
});

test('keeps the key of a login that stored it under the old name meanwhile', async () => {
  const keychain = openKeychain();
  await logIn('', { keychain });
  let login: Promise<Outcome> | undefined;
  const busy: Keychain = {
    ...keychain,
    save(account, secret) {
      login ??= logIn('--profile default', { keychain, stdin: 'sk-new' });
      return keychain.save(account, secret);
    },
    async remove(account) {
      // The login finishes first, if it has the lock.
      for (let turn = 0; turn < 500; turn += 1) await new Promise(setImmediate);
      return keychain.remove(account);
    },
  };
  expect(await run('auth rename default shop', { keychain: busy })).toMatchObject({ exitCode: 0 });
  expect(await login).toMatchObject({ exitCode: 0 });
  expect((await run('auth key --profile default', { keychain })).stdout).toBe('sk-new\n');
  expect((await run('auth key --profile shop', { keychain })).stdout).toBe(`${SECRET}\n`);
});

test('keeps the key of a login under the new name if the rename fails', async () => {
  const keychain = openKeychain();
  await logIn('', { keychain });
  let login: Promise<Outcome> | undefined;
  const failing: Keychain = {
    ...keychain,
    async save(account, secret) {
      await keychain.save(account, secret);
      login = logIn('--profile shop', { keychain, stdin: 'sk-new' });
      throw new Error('it is locked');
    },
    async remove(account) {
      for (let turn = 0; turn < 500; turn += 1) await new Promise(setImmediate);
      return keychain.remove(account);
    },
  };
  expect(await run('auth rename default shop', { keychain: failing })).toMatchObject({ exitCode: 2 });
  expect(await login).toMatchObject({ exitCode: 0 });
  expect((await run('auth key --profile shop', { keychain })).stdout).toBe('sk-new\n');
  expect((await run('auth key --profile default', { keychain })).stdout).toBe(`${SECRET}\n`);
});

test('a keychain that fails in the middle: no key goes to a file', async () => {
  const keychain = openKeychain();
  await logIn('', { keychain });
  const before = config();
  const failing: Keychain = { ...keychain, save: () => Promise.reject(new Error('it is locked')) };
  const { exitCode, stderr } = await run('auth rename default shop', { keychain: failing });
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('it is locked') });
  expect(config()).toEqual(before);
  expect(readdirSync(join(setup.folder, 'keys')).filter((name) => name.endsWith('.key'))).toEqual([]);
});

test('reports a profile that another process removes meanwhile', async () => {
  const keychain = openKeychain();
  await logIn('', { keychain });
  let rename: Promise<Outcome> | undefined;
  const busy: Keychain = {
    ...keychain,
    async remove(account) {
      await new Promise<void>((resolve) => {
        // The timer shows that the rename waits for the lock.
        rename ??= run('auth rename default shop', { keychain, onTimer: () => resolve() });
      });
      return keychain.remove(account);
    },
  };
  expect(await run('auth delete default -y', { keychain: busy })).toMatchObject({ exitCode: 0 });
  expect(await rename).toMatchObject({
    exitCode: 2,
    stderr: expect.stringContaining('Another process has removed profile "default"'),
  });
  expect(config()).toEqual({ profiles: {} });
});
