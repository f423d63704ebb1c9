import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lockFile } from '../../../../src/security/file-lock.js';
import { authIn, openKeychain, SECRET, URL } from '../../../support/auth.js';

const { config, logIn, setup, run } = authIn();

test('removes nothing while another process holds the lock', async () => {
  await logIn();
  const lock = await lockFile(join(setup.folder, 'config.json'), { clock: { setTimeout } });
  const { exitCode, stderr } = await run('auth logout');
  expect({ exitCode, stderr }).toEqual({ exitCode: 2, stderr: expect.stringContaining('Another petstore') });
  expect(readFileSync(join(setup.folder, 'keys/default.key'), 'utf8')).toBe(`${SECRET}\n`);
  lock?.release();
});

test('removes an older key from the keychain too', async () => {
  const keychain = openKeychain();
  await logIn('', { keychain });
  const account = `default in ${setup.folder}`;
  const { stderr } = await logIn();
  expect(stderr).toContain('warning: The keychain may still hold an older key of this profile');
  expect(await keychain.find(account)).toBe(SECRET);
  expect((await run('auth logout', { keychain })).stderr).toBe('Removed the key of profile "default".\n');
  expect(await keychain.find(account)).toBeUndefined();
});

test('reports a keychain that cannot be used', async () => {
  await logIn();
  const { exitCode, stderr } = await run('auth logout');
  expect(exitCode).toBe(0);
  expect(stderr).toBe(
    `Removed the key of profile "default".\nThe keychain can't be used (not available here). It may still hold an older key.\n`,
  );
});

test('removes the key and keeps the profile', async () => {
  await logIn();
  expect(await run('auth logout')).toMatchObject({ exitCode: 0, stdout: '' });
  expect(config()).toEqual({ profile: 'default', profiles: { default: { baseUrl: URL } } });
  expect(existsSync(join(setup.folder, 'keys/default.key'))).toBe(false);
  expect(await run('auth key')).toMatchObject({ exitCode: 3, stdout: '' });
  expect((await run('auth logout')).stderr).toContain('had no stored key');
});
