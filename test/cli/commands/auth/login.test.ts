import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runLine } from '../../../../src/cli/program/run-line.js';
import type { Prompter } from '../../../../src/cli/system/context.js';
import type { Keychain } from '../../../../src/cli/system/keychain.js';
import { keyFileOf, authIn, openKeychain, person, SECRET, URL } from '../../../support/auth.js';
import { fakeContext, type World } from '../../../support/fake-context.js';

const { config, logIn, setup, run } = authIn();

const REJECTED = { exitCode: 2, stdout: '', requests: [], prompts: [] };
const LONG_NAME = '\u732b'.repeat(30);

describe('login', () => {
  test('checks the key, then stores it with its address in the default profile', async () => {
    const { exitCode, stdout, requests, stderr } = await logIn();
    expect(exitCode).toBe(0);
    expect(requests.map(({ path, headers }) => [path, headers.authorization])).toEqual([
      ['/v1/pets?limit=1', `Bearer ${SECRET}`],
    ]);
    expect(config()).toEqual({
      profile: 'default',
      profiles: { default: { baseUrl: URL, keyIn: 'file', keyOrigin: 'https://pets.test' } },
    });
    expect(readFileSync(join(setup.folder, keyFileOf()), 'utf8')).toBe(`${SECRET}\n`);
    expect(stdout).toBe(`default\t${URL}\tfile\n`);
    expect(stderr).toMatch(/The keychain can't be used .*\nwarning: .*plain text in .*default@.*\.key/);
    expect(stdout + stderr).not.toContain(SECRET);
  });

  test('prefers the keychain', async () => {
    const keychain = openKeychain();
    const { stderr } = await logIn('', { keychain });
    expect(stderr).toBe(
      `Using profile "default".\nStored the key of profile "default" in the system's keychain.\n`,
    );
    expect((await run('auth status --offline', { keychain })).stdout).toContain('\tthe keychain\t');
    expect(config()).toMatchObject({ profiles: { default: { keyIn: 'keychain' } } });
    // The file names the entry, because keychains can't be listed.
    expect(readdirSync(join(setup.folder, 'keys'))).toEqual([
      expect.stringMatching(/^default@.*\.keychain$/),
    ]);
  });

  test('prompts for missing values on a terminal', async () => {
    const prompts: string[] = [];
    const world: World = { terminals: ['stdin', 'stderr'], prompter: person(SECRET, prompts) };
    expect(await run('auth login', world)).toMatchObject({ exitCode: 0 });
    expect(prompts).toEqual(['Base URL, including /v1', 'API key']);
  });

  test('asks on a terminal about a base URL without a version, before the key', async () => {
    const prompts: string[] = [];
    const world: World = { terminals: ['stdin', 'stderr'], prompter: person(SECRET, prompts) };
    const { exitCode, requests } = await run('auth login --base-url https://pets.test/', world);
    expect({ exitCode, paths: requests.map(({ path }) => path) }).toEqual({
      exitCode: 0,
      paths: ['/v1/pets?limit=1'],
    });
    expect(prompts).toEqual(['The base URL has no version. Which one?', 'API key']);
    expect(config()).toMatchObject({ profiles: { default: { baseUrl: URL } } });
    const asTyped: Prompter = {
      ...person(SECRET),
      choose: (_, choices) => Promise.resolve(choices[1]!.value),
    };
    await run('auth login --base-url https://pets.test/shop', { ...world, prompter: asTyped });
    expect(config()).toMatchObject({ profiles: { default: { baseUrl: 'https://pets.test/shop' } } });
  });

  test.each<[string, World]>([
    ['--fields nope', {}],
    ['--sort nope', {}],
    ['-o ids', {}],
    ['--query [', {}],
    ['--ca absent.pem', {}],
    ['', { env: { PETSTORE_OUTPUT: 'jsn' } }],
    ['', { env: { PETSTORE_COLOR: 'red' } }],
    ['', { env: { PETSTORE_GATE: 'nonsense' } }],
    ['', { env: { HTTPS_PROXY: 'ftp://a.test' } }],
    ['', { env: { PETSTORE_CONFIG_DIR: '/dev/null/config' } }],
  ])('reports invalid %s %j before it prompts, sends or stores', async (flags, world) => {
    const prompts: string[] = [];
    const { exitCode, stdout, requests } = await run(`auth login --base-url ${URL} ${flags}`, {
      terminals: ['stdin', 'stderr'],
      prompter: person(SECRET, prompts),
      env: { ...setup.env, ...world.env },
    });
    expect({ exitCode, stdout, requests, prompts }).toEqual(REJECTED);
    expect(readdirSync(setup.folder)).toEqual([]);
  });

  test('rejects what is too long for a key', async () => {
    const { context, stderr } = fakeContext({ env: setup.env, stdin: 'a'.repeat(8_193) });
    const line = ['auth', 'login', '--with-key', '--base-url', URL];
    expect(await runLine(line, context)).toBe(2);
    expect(stderr()).toContain('8,193 characters are too long for a key');
  });

  test('accepts a name of letters that need several bytes', async () => {
    expect(await logIn(`--profile ${LONG_NAME.slice(0, 20)}`)).toMatchObject({ exitCode: 0 });
  });

  test('reports what blocks the key file; the configuration stays unchanged', async () => {
    writeFileSync(join(setup.folder, 'keys'), '');
    const { exitCode, stderr, requests } = await logIn();
    expect({ exitCode, requests }).toEqual({ exitCode: 2, requests: [] });
    expect(stderr).toMatch(/keys is not a directory\)\nhint: /);
    expect(existsSync(join(setup.folder, 'config.json'))).toBe(false);
  });

  test('drops the confirmed addresses if the host changes', async () => {
    await logIn();
    await run('config set trustedUrls https://other.test --profile default');
    await run('config set stagingUrl https://staging.test/v1');
    await run(`auth login --with-key --base-url https://pets.test/v2`, { stdin: SECRET });
    expect(config()).toMatchObject({
      profiles: { default: { trustedUrls: ['https://other.test'], stagingUrl: 'https://staging.test/v1' } },
    });
    await run(`auth login --with-key --base-url https://new.test/v1`, { stdin: SECRET });
    expect(config()).toEqual({
      profile: 'default',
      profiles: {
        default: { baseUrl: 'https://new.test/v1', keyIn: 'file', keyOrigin: 'https://new.test' },
      },
    });
  });

  test('drops addresses of the old key, also if config set has changed the base URL before', async () => {
    await logIn();
    await run('config set trustedUrls https://other.test --profile default');
    await run('config set stagingUrl https://staging.test/v1');
    await run('config set baseUrl https://new.test/v1');
    await run('auth login --with-key', { stdin: 'sk-new' });
    expect(config()).toMatchObject({
      profiles: {
        default: { baseUrl: 'https://new.test/v1', keyIn: 'file', keyOrigin: 'https://new.test' },
      },
    });
    const staging = await run('pets list --staging');
    expect(staging).toMatchObject({ exitCode: 2, requests: [] });
    expect(await run('pets list --base-url https://other.test/v1')).toMatchObject({
      exitCode: 2,
      requests: [],
    });
  });

  test('keeps the old key if the configuration is invalid', async () => {
    await logIn();
    writeFileSync(join(setup.folder, 'config.json'), '{');
    expect(await logIn('', { stdin: 'sk-new' })).toMatchObject({ exitCode: 2 });
    expect(readFileSync(join(setup.folder, keyFileOf()), 'utf8')).toBe(`${SECRET}\n`);
  });

  test.each<[string, World, number | undefined]>([
    ['at a terminal', { terminals: ['stderr'] }, 60_000],
    ['in a pipe', {}, undefined],
    ['in CI', { terminals: ['stderr'], env: { CI: 'true' } }, undefined],
    ['with PETSTORE_NO_INPUT', { terminals: ['stderr'], env: { PETSTORE_NO_INPUT: '1' } }, undefined],
  ])('%s, the keychain has this time for its prompt: %#', async (_, world, expectedMs) => {
    const waits = new Set<number | undefined>();
    const env = { ...setup.env, ...world.env };
    const onKeychain = (responseMs: number | undefined) => void waits.add(responseMs);
    expect(await logIn('', { ...world, env, onKeychain })).toMatchObject({ exitCode: 0 });
    expect([...waits]).toEqual([expectedMs]);
  });

  test('a login that is killed after the keychain stored the key leaves one that works', async () => {
    await logIn();
    const keychain = openKeychain();
    const killed: Keychain = {
      ...keychain,
      async save(account, secret) {
        await keychain.save(account, secret);
        // The process ends before it can write config.json or remove the file.
        throw new Error('killed');
      },
    };
    expect(await logIn('', { keychain: killed, stdin: 'sk-new' })).toMatchObject({ exitCode: 1 });
    expect((await run('auth key', { keychain })).stdout).toBe(`${SECRET}\n`);
    expect(await logIn('', { keychain, stdin: 'sk-new' })).toMatchObject({ exitCode: 0 });
    expect((await run('auth key', { keychain })).stdout).toBe('sk-new\n');
    expect(existsSync(join(setup.folder, keyFileOf()))).toBe(false);
  });

  test('keeps the key file until config.json names the keychain', async () => {
    await logIn();
    const file = join(setup.folder, keyFileOf());
    const keychain = openKeychain();
    const watched: Keychain = {
      ...keychain,
      async save(account, secret) {
        await keychain.save(account, secret);
        // From here on, config.json can't be replaced.
        rmSync(join(setup.folder, 'config.json'));
        mkdirSync(join(setup.folder, 'config.json'));
      },
    };
    expect((await logIn('', { keychain: watched, stdin: 'sk-new' })).exitCode).not.toBe(0);
    expect(readFileSync(file, 'utf8')).toBe(`${SECRET}\n`);
  });
});
