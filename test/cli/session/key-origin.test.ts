import { mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { authIn, keyFileOf, SECRET, URL } from '../../support/auth.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

// A stored key goes to the origin that it was given for, and to those that the user has set for its profile.

const { config, logIn, run, setup } = authIn();
const OTHER = 'https://other.test/v1';
const REFUSED = { exitCode: 2, stdout: '', requests: [] };

const sentTo = (requests: readonly { origin: string }[]): string[] => requests.map(({ origin }) => origin);

/** Writes what an earlier version stored: its key has no origin. */
function storeEarlier(entry: Record<string, unknown>): void {
  mkdirSync(join(setup.folder, 'keys'), { mode: 0o700 });
  writeFileSync(join(setup.folder, 'keys/default.key'), `${SECRET}\n`, { mode: 0o600 });
  const content = { profile: 'default', profiles: { default: { keyIn: 'file', ...entry } } };
  writeFileSync(join(setup.folder, 'config.json'), JSON.stringify(content));
}

describe('an address that the key was not given for', () => {
  test.each([
    ['--base-url', `--base-url ${OTHER}`, {}],
    ['PETSTORE_BASE_URL', '', { PETSTORE_BASE_URL: OTHER }],
    ['another port', '--base-url https://pets.test:8443/v1', {}],
    ['plain http', '--base-url http://127.0.0.1/v1', {}],
  ])('%s: is refused, and nothing is sent', async (_, flags, env) => {
    await logIn();
    for (const line of ['pets list', 'auth status', 'auth key', 'limits', 'api /pets']) {
      const { stderr, ...outcome } = await run(`${line} ${flags}`, { env: { ...setup.env, ...env } });
      expect(outcome).toEqual(REFUSED);
      expect(stderr).toContain(
        'The stored key of profile "default" was given for https://pets.test, so it is',
      );
    }
  });

  test('both commands of the hint work as printed', async () => {
    await logIn();
    const { stderr } = await run(`pets list --base-url ${OTHER}`);
    expect(stderr).toContain(
      'hint: Run "petstore auth login --profile other.test --base-url https://other.test/v1" to store a key for it. ' +
        'If it may receive the key of profile "default", run: petstore config set trustedUrls https://other.test --profile default',
    );
    const stdin = 'sk-other\n';
    await run(`auth login --profile other.test --base-url ${OTHER} --with-key`, { stdin });
    const { requests } = await run('pets list --profile other.test');
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-other']);
    expect((await run(`pets list --base-url ${OTHER}`)).stderr).toContain(
      'hint: Pass --profile other.test: it has a key for this address.',
    );
    await run('config set trustedUrls https://other.test --profile default');
    expect((await run(`pets list --base-url ${OTHER}`)).exitCode).toBe(0);
  });

  test('the hint replaces the key of no other profile', async () => {
    // Both are for https://pets.test.
    await logIn('--profile other.test');
    await logIn('--profile other.test-2');
    const { stderr } = await run(`pets list --base-url ${OTHER}`);
    expect(stderr).toContain('auth login --profile other.test-3 --base-url');
    const address = await run('pets list --base-url http://[::1]:8080/v1');
    expect(address.stderr).toContain("auth login --profile 1 --base-url 'http://[::1]:8080/v1'");
  });

  test('config set baseUrl warns; the key is not sent there until the next login', async () => {
    await logIn();
    const { stderr } = await run(`config set baseUrl ${OTHER}`);
    expect(stderr).toContain(
      'warning: The stored key was given for https://pets.test. Run "petstore auth login --profile default"',
    );
    const refused = await run('pets list');
    expect(refused).toMatchObject(REFUSED);
    expect(refused.stderr).toContain(
      'hint: Run "petstore auth login --profile default" to store a key for this',
    );
    await run('auth login --profile default --with-key', { stdin: 'sk-new' });
    const { requests } = await run('pets list');
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-new']);
  });

  test('doctor says so and sends nothing', async () => {
    await logIn();
    const { stdout, requests } = await run(`doctor --json --base-url ${OTHER}`);
    expect(requests).toEqual([]);
    expect(JSON.parse(stdout)).toMatchObject({
      checks: expect.arrayContaining([
        expect.objectContaining({
          id: 'destination',
          state: 'failed',
          finding: expect.stringContaining('was given for'),
        }),
      ]),
    });
  });
});

describe('addresses that receive the key', () => {
  test.each([
    ['another path and spelling of the origin', '', '--base-url HTTPS://Pets.Test:443/v2'],
    ['--staging', 'config set stagingUrl https://staging.test/v1', '--staging'],
    ['the staging URL by name', 'config set stagingUrl https://other.test/v1', `--base-url ${OTHER}`],
    [
      'an address in trustedUrls',
      'config set trustedUrls https://other.test --profile default',
      `--base-url ${OTHER}`,
    ],
  ])('%s', async (_, setting, flags) => {
    await logIn();
    if (setting !== '') await run(setting);
    const { exitCode, requests } = await run(`pets list ${flags}`);
    expect(exitCode).toBe(0);
    expect(requests.map(({ headers }) => headers.authorization)).toEqual([`Bearer ${SECRET}`]);
  });

  test('a project file: the origin of the key, but not an address that only config set baseUrl named', async () => {
    await logIn();
    await run(`config set baseUrl ${OTHER}`);
    const projectAt = (baseUrl: string) => temporaryFolder({ 'petstore.config.json': { baseUrl } });
    const own = await run('pets list', { currentDirectory: projectAt(URL) });
    expect(sentTo(own.requests)).toEqual(['https://pets.test']);
    expect(await run('pets list', { currentDirectory: projectAt(OTHER) })).toMatchObject(REFUSED);
  });

  test('PETSTORE_API_KEY is not stored, so it goes to the address that the user names', async () => {
    await logIn();
    const env = { ...setup.env, PETSTORE_API_KEY: 'sk-env' };
    expect((await run(`pets list --base-url ${OTHER}`, { env })).requests).toHaveLength(1);
  });
});

describe('a key of an earlier version, which has no origin', () => {
  test('works for the address of its profile only, and is bound at the next login', async () => {
    storeEarlier({ baseUrl: URL });
    expect((await run('pets list')).requests).toHaveLength(1);
    expect(await run(`pets list --base-url ${OTHER}`)).toMatchObject(REFUSED);
    await logIn('--profile default', { stdin: 'sk-new' });
    expect(config()).toMatchObject({ profiles: { default: { keyOrigin: 'https://pets.test' } } });
    expect((await run('auth key')).stdout).toBe('sk-new\n');
  });

  test.each([
    ['config set baseUrl', []],
    ['config unset baseUrl and config set baseUrl', ['config unset baseUrl']],
  ])('%s gives it no other address', async (_, lines) => {
    storeEarlier({ baseUrl: URL });
    expect((await run('config set baseUrl https://pets.test/v2')).exitCode).toBe(0);
    for (const line of lines) await run(line);
    const before = config();
    const { stderr, ...outcome } = await run(`config set baseUrl ${OTHER}`);
    expect(outcome).toEqual(REFUSED);
    expect(stderr).toContain(
      'error: The stored key of profile "default" would be sent to https://other.test',
    );
    expect(stderr).toContain(
      'hint: Run "petstore auth login --profile default --base-url https://other.test/v1" to store a key for it.',
    );
    expect(config()).toEqual(before);
    await run(`auth login --profile default --base-url ${OTHER} --with-key`, { stdin: 'sk-new' });
    const { requests } = await run('pets list');
    expect(requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer sk-new']);
  });

  test('without an address it goes nowhere', async () => {
    storeEarlier({});
    const { stderr, ...outcome } = await run(`pets list --base-url ${OTHER}`);
    expect(outcome).toEqual(REFUSED);
    expect(stderr).toContain('has no origin that it was given for');
  });
});

test('a missing key is no key, also if its file was moved to another profile', async () => {
  await logIn();
  await run(`config set baseUrl ${OTHER} --profile other`);
  renameSync(join(setup.folder, keyFileOf()), join(setup.folder, keyFileOf('other')));
  expect(await run('pets list')).toMatchObject({ exitCode: 3, requests: [] });
  expect(await run('pets list --profile other')).toMatchObject({ exitCode: 3, requests: [] });
});
