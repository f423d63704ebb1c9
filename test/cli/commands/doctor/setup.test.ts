import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { join } from 'node:path';
import { doctorIn, NOTHING } from '../../../support/doctor.js';
import { runFake, type World } from '../../../support/fake-context.js';
import { lockFile } from '../../../../src/security/file-lock.js';
import { systemClock } from '../../../../src/time/clock.js';
import { changeOwner } from '../../../support/change-owner.js';
import { ROOT } from '../../../support/source-tree.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const { doctor, configure, directories } = doctorIn();

/** A profile with a key in a file, and what a project file says next to it. */
function shop(project?: object, trustedUrls?: string[]): World {
  const entry = { baseUrl: 'https://pets.test/v1', keyIn: 'file', ...(trustedUrls && { trustedUrls }) };
  configure('config.json', { profile: 'shop', profiles: { shop: entry } });
  configure('keys/shop.key', 'sk-stored\n');
  const files = project === undefined ? {} : { 'petstore.config.json': project };
  return { env: NOTHING, currentDirectory: temporaryFolder(files) };
}

test('a profile, its key in a file, and a project file', async () => {
  const world = shop({ profile: 'shop' });
  const { found, ok, stdout } = await doctor(world);
  expect(ok).toBe(true);
  expect(found('config').finding).toMatch(/config\.json: 1 profile$/);
  expect(found('project').finding).toBe(join(world.currentDirectory!, 'petstore.config.json'));
  expect(found('profile').finding).toBe('shop, from petstore.config.json');
  expect(found('base-url').finding).toBe('https://pets.test/v1, from profile shop');
  expect(found('destination').finding).toBe('the key may be sent to https://pets.test');
  expect(found('key')).toMatchObject({
    finding: expect.stringMatching(/fingerprint [0-9a-f]{8}\), from .*shop\.key; the service accepts it$/),
  });
  expect(stdout).not.toContain('sk-stored');
});

test('warns about keys that no profile uses, and its remedy removes them', async () => {
  const world = shop();
  configure('keys/gone.key', 'sk-gone\n');
  configure('keys/old@0123456789abcdef.key', 'sk-old\n');
  const { found, stdout } = await doctor(world);
  expect(found('config')).toMatchObject({
    state: 'warn',
    finding: '2 stored keys without a profile: gone.key, and 1 more',
    remedy: 'petstore auth switch shop',
  });
  expect(stdout).not.toMatch(/sk-(gone|old)/);
  const env = { PETSTORE_CONFIG_DIR: directories.config };
  expect(await runFake('auth switch shop', { env })).toMatchObject({ exitCode: 0 });
  expect(readdirSync(join(directories.config, 'keys'))).toEqual(['shop.key']);
  const { found: next } = await doctor(world);
  expect(next('config')).toMatchObject({ state: 'ok' });
});

test('without a default profile, the next login removes keys that no profile uses', async () => {
  configure('config.json', { profiles: { shop: {} } });
  configure('keys/gone.key', 'sk-gone\n');
  const { found } = await doctor({ env: NOTHING });
  expect(found('config')).toMatchObject({
    state: 'warn',
    finding: '1 stored key without a profile: gone.key',
    remedy: 'The next "petstore auth login" removes it.',
  });
});

test.skipIf(process.platform === 'win32')('warns about a project file of another user', async () => {
  const currentDirectory = temporaryFolder({ 'petstore.config.json': { target: 't.example' } });
  const path = join(currentDirectory, 'petstore.config.json');
  const { found } = await doctor({ env: NOTHING, currentDirectory, userId: changeOwner(path) });
  expect(found('project')).toMatchObject({
    state: 'warn',
    finding: `${path} belongs to another user`,
    remedy: expect.stringContaining('sudo chown'),
  });
});

test.each([
  ['a name and an address', { 'sk-misplaced-0123456789': 1, baseUrl: 'ftp://sk-misplaced-0123456789' }, /./],
  ['apiKey', { apiKey: 'sk-misplaced-0123456789' }, /does not belong/],
])('does not show a key in a project file, as %s', async (_, project, finding) => {
  const { stdout, found } = await doctor({
    env: { PETSTORE_API_KEY: 'sk-misplaced-0123456789' },
    currentDirectory: temporaryFolder({ 'petstore.config.json': project }),
  });
  expect(found('project')).toMatchObject({ state: 'failed', finding: expect.stringMatching(finding) });
  expect(stdout).not.toContain('sk-misplaced');
});

test('reports a missing address and a missing key', async () => {
  const { exitCode, found, requests } = await doctor({ env: NOTHING });
  expect({ exitCode, requests }).toEqual({ exitCode: 1, requests: [] });
  const wanted = { state: 'failed', remedy: expect.stringContaining('petstore auth login') };
  expect(found('base-url')).toMatchObject(wanted);
  expect(found('key')).toMatchObject(wanted);
  expect(found('base-url').remedy).not.toBe(found('key').remedy);
});

test('checks the key without a valid address', async () => {
  const { found } = await doctor({ env: { PETSTORE_BASE_URL: 'pets.test' } });
  expect(found('key')).toMatchObject({
    state: 'ok',
    finding: expect.stringContaining('not checked with the service'),
  });
});

test('skips what depends on an invalid file', async () => {
  configure('config.json', '{\n  "profile": }');
  const { found } = await doctor();
  expect(found('config').finding).toContain('config.json, line 2, column 14 is not JSON');
  for (const id of ['profile', 'base-url', 'key'])
    expect(found(id)).toMatchObject({ state: 'skipped', finding: 'depends on config, which failed' });
});

describe('a project file with another address', () => {
  const project = { baseUrl: 'https://stranger.test/v1' };
  /** Doctor could prompt, and does not. */
  const terminals = ['stdin', 'stderr'] as const;

  test.each([
    ['in a pipe', undefined],
    ['at a terminal', terminals],
  ])('%s: does not prompt and does not send the key', async (_, at) => {
    const world = { ...shop(project), ...(at === undefined ? {} : { terminals: at }) };
    const { found, exitCode, requests, stderr } = await doctor(world);
    expect({ exitCode, stderr }).toEqual({ exitCode: 1, stderr: '' });
    expect(requests).toEqual([]);
    expect(found('destination')).toMatchObject({
      state: 'failed',
      finding: expect.stringContaining('https://stranger.test'),
      remedy: expect.stringContaining('petstore config set trustedUrls https://stranger.test'),
    });
    expect(found('service')).toMatchObject({
      state: 'skipped',
      finding: 'depends on destination, which failed',
    });
  });

  test.each([
    ['in a pipe', undefined],
    ['at a terminal, where other commands prompt', terminals],
  ])('a key of the environment is not sent %s', async (_, at) => {
    const world = {
      env: { PETSTORE_BASE_URL: '' },
      currentDirectory: temporaryFolder({ 'petstore.config.json': project }),
      ...(at === undefined ? {} : { terminals: at }),
    };
    const { found, requests, stderr } = await doctor(world);
    expect(found('destination').state).toBe('failed');
    expect(requests).toEqual([]);
    expect(stderr).toBe('');
  });

  test('that the user confirmed receives the key', async () => {
    const { found, requests } = await doctor(shop(project, ['https://stranger.test']));
    expect(requests).toHaveLength(1);
    expect(found('destination').state).toBe('ok');
  });
});

describe('the Node version', () => {
  const { engines } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
    engines: { node: string };
  };

  test('is checked against package.json', () => {
    expect(engines.node).toBe('^20.19.0 || ^22.13.0 || >=24');
  });

  test.each([
    ['v18.20.8', 'warn'],
    ['v20.18.3', 'warn'],
    ['v20.19.0', 'ok'],
    ['v21.7.3', 'warn'],
    ['v22.12.0', 'warn'],
    ['v22.13.0', 'ok'],
    ['v23.11.0', 'warn'],
    ['v24.0.0', 'ok'],
    ['v26.1.0', 'ok'],
  ])('%s is %s', async (nodeVersion, state) => {
    const { found } = await doctor({ nodeVersion }, '--offline');
    expect(found('program')).toMatchObject({
      state,
      finding: expect.stringContaining(`Node ${nodeVersion}`),
    });
  });
});

test('reports a keychain that is locked', async () => {
  configure('config.json', { profile: 'shop', profiles: { shop: { keyIn: 'keychain' } } });
  const locked = (): Promise<never> => Promise.reject(new Error('it is locked'));
  const keychain = { check: locked, find: locked, save: locked, remove: locked };
  const { found } = await doctor({ env: { PETSTORE_API_KEY: '' }, keychain });
  expect(found('key')).toMatchObject({
    state: 'failed',
    finding: "The key of profile shop can't be read from the keychain: it is locked",
    remedy: expect.stringMatching(/^Unlock the keychain, /),
  });
});

test('warns about a lock of the configuration that another process holds, and removes none', async () => {
  configure('config.json', {});
  const path = join(directories.config, 'config.json');
  const lock = await lockFile(path, { clock: systemClock });
  for (let run = 0; run < 2; run += 1)
    expect((await doctor()).found('config')).toMatchObject({
      state: 'warn',
      finding: `Another petstore process is changing ${path}`,
      remedy: expect.stringMatching(/wait\. If none is running, remove .*config\.json\.lock\.$/),
    });
  expect(lock?.isHeld()).toBe(true);
  lock?.release();
  expect((await doctor()).found('config').state).toBe('ok');
});

describe.skipIf(process.platform === 'win32')('other installations in PATH', () => {
  /** A folder of PATH with a link to a program, as package managers make it. */
  function installation(content = ''): { folder: string; program: string } {
    const folder = temporaryFolder();
    const program = join(folder, 'lib', 'petstore.cjs');
    mkdirSync(join(folder, 'lib'));
    writeFileSync(program, content);
    chmodSync(program, 0o755);
    symlinkSync(program, join(folder, 'petstore'));
    return { folder, program };
  }

  test('warns about the one that the shell starts', async () => {
    const own = installation();
    const other = installation();
    const PATH = `${temporaryFolder()}:${other.folder}:${own.folder}`;
    const { found } = await doctor({ programPath: join(own.folder, 'petstore'), env: { PATH } });
    expect(found('program')).toMatchObject({
      state: 'warn',
      finding: expect.stringMatching(/; the shell starts another installation: .*\/petstore$/),
      remedy: expect.stringContaining(`Remove ${join(other.folder, 'petstore')}, or put `),
    });
  });

  test.each([
    ['it is first', (own: string, other: string) => `${own}:${other}`, true],
    [
      'a wrapper is first, which may start it',
      (own: string, _: string, wrapper: string) => `${wrapper}:${own}`,
      true,
    ],
    ['its path is unknown', (_: string, other: string) => other, false],
    ['PATH is empty', () => '', true],
  ])('does not warn if %s', async (_, path, isKnown) => {
    const own = installation();
    const wrapper = temporaryFolder({ petstore: '#!/bin/sh\n' });
    chmodSync(join(wrapper, 'petstore'), 0o755);
    const PATH = path(own.folder, installation().folder, wrapper);
    const { found } = await doctor({ ...(isKnown ? { programPath: own.program } : {}), env: { PATH } });
    expect(found('program').state).toBe('ok');
  });
});
