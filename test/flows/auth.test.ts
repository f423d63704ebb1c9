import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { createMock } from '../../src/mock/index.js';
import { keyFileOf } from '../support/auth.js';
import { IS_FULL } from '../support/random-runs.js';
import { runCli } from '../support/run-cli.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const server = await createMock({
  keys: ['sk-secret', ...['a', 'b', 'c', 'd'].map((name) => `sk-secret-${name}`)],
  plan: 'unlimited',
}).listen();
afterAll(() => server.close());

const login = (profile: string, key: string, folder: string) =>
  runCli(['auth', 'login', '--profile', profile, '--base-url', server.baseUrl, '--with-key'], {
    env: { PETSTORE_CONFIG_DIR: folder, DBUS_SESSION_BUS_ADDRESS: 'disabled:' },
    input: `${key}\n`,
  });

test('concurrent logins store all profiles and print no key (more with PETSTORE_TEST_FULL=1)', async () => {
  const folder = temporaryFolder();
  const names = IS_FULL ? ['a', 'b', 'c', 'd'] : ['a', 'b'];
  const done = await Promise.all(names.map((name) => login(name, `sk-secret-${name}`, folder)));
  expect(done.map(({ exitCode }) => exitCode)).toEqual(names.map(() => 0));
  expect(done.map(({ stdout, stderr }) => stdout + stderr).join('')).not.toContain('sk-secret');
  const { profiles } = JSON.parse(readFileSync(join(folder, 'config.json'), 'utf8'));
  expect(Object.keys(profiles).sort()).toEqual(names);
  for (const name of names) {
    expect(readFileSync(join(folder, keyFileOf(name, server.baseUrl)), 'utf8')).toBe(`sk-secret-${name}\n`);
  }
  expect(readdirSync(folder).sort()).toEqual(['config.json', 'keys']);
}, 30_000);

test('the keychain process responds on every system', () => {
  const { stdout, status } = spawnSync(process.execPath, ['dist/cli/keychain-main.cjs'], {
    input: JSON.stringify({ action: 'find', account: 'missing-profile' }),
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
  });
  expect(status).toBe(0);
  expect(JSON.parse(stdout)).toHaveProperty('ok');
});
