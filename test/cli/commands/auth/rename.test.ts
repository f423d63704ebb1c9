import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { authIn, openKeychain, SECRET, URL } from '../../../support/auth.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const { config, logIn, setup, run } = authIn();
const keyFile = (profile: string): string => join(setup.folder, 'keys', `${profile}.key`);

test('renames the profile, its key file and the default', async () => {
  await logIn();
  const { exitCode, stdout, stderr } = await run('auth rename default shop');
  expect({ exitCode, stdout, stderr }).toEqual({
    exitCode: 0,
    stdout: '',
    stderr: 'Renamed profile "default" to "shop".\n',
  });
  expect(config()).toEqual({ profile: 'shop', profiles: { shop: { baseUrl: URL, keyIn: 'file' } } });
  expect(readFileSync(keyFile('shop'), 'utf8')).toBe(`${SECRET}\n`);
  expect(readdirSync(join(setup.folder, 'keys'))).toEqual(['shop.key']);
  expect((await run('auth key')).stdout).toBe(`${SECRET}\n`);
});

test('moves the entry of the keychain', async () => {
  const keychain = openKeychain();
  await logIn('', { keychain });
  expect((await run('auth rename default shop', { keychain })).stderr).toBe(
    'Renamed profile "default" to "shop".\n',
  );
  expect(await keychain.find(`shop in ${setup.folder}`)).toBe(SECRET);
  expect(await keychain.find(`default in ${setup.folder}`)).toBeUndefined();
});

test('keeps the other settings, the order and another default', async () => {
  const profiles = { a: { output: 'json' }, b: { baseUrl: URL, trustedUrls: ['https://x.test'] }, c: {} };
  writeFileSync(join(setup.folder, 'config.json'), JSON.stringify({ profile: 'a', profiles }));
  expect((await run('auth rename b z')).exitCode).toBe(0);
  expect(config()).toEqual({ profile: 'a', profiles: { a: profiles.a, z: profiles.b, c: {} } });
  expect(Object.keys((config() as { profiles: object }).profiles)).toEqual(['a', 'z', 'c']);
  expect(existsSync(join(setup.folder, 'keys'))).toBe(false);
});

test.each([
  ['auth rename shpo counter', 'Profile "shpo" not found', 'Did you mean "shop"?'],
  ['auth rename shop staging', 'Profile "staging" already exists', 'petstore auth delete staging'],
  ['auth rename shop shop', 'Profile "shop" already has this name', 'Choose another name.'],
  ['auth rename shop ../x', 'Invalid profile name "../x"', ''],
  ['auth rename shop __proto__', 'Invalid profile name "__proto__"', ''],
  ['auth rename shop', 'Missing required argument "name"', ''],
  ['auth rename shop counter --dry-run', '"petstore auth rename" has no request to show', ''],
])('%s changes nothing', async (line, message, hint) => {
  const text = JSON.stringify({ profile: 'shop', profiles: { shop: {}, staging: {} } });
  writeFileSync(join(setup.folder, 'config.json'), text);
  const { exitCode, stderr } = await run(line);
  expect(exitCode).toBe(2);
  expect(stderr).toContain(`error: ${message}`);
  expect(stderr).toContain(hint);
  expect(readFileSync(join(setup.folder, 'config.json'), 'utf8')).toBe(text);
});

test('a key that cannot be read: nothing changes', async () => {
  await logIn('', { keychain: openKeychain() });
  const before = config();
  expect(await run('auth rename default shop')).toMatchObject({ exitCode: 2 });
  expect(config()).toEqual(before);
});

test('warns of a project file and a variable that still have the old name', async () => {
  await logIn();
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'petstore.config.json'), '{"profile":"default"}');
  const env = { ...setup.env, PETSTORE_PROFILE: 'default' };
  const { stderr } = await run('auth rename default shop', { currentDirectory: folder, env });
  expect(stderr).toContain(
    'warning: PETSTORE_PROFILE still selects profile "default". Change it to "shop".\n',
  );
  expect(stderr).toContain(
    `warning: ${join(folder, 'petstore.config.json')} still selects profile "default". Change it to "shop".\n`,
  );
});
