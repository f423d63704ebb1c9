import { describe, expect, test } from 'vitest';
import { join } from 'node:path';
import { doctorIn, NOTHING } from '../../../support/doctor.js';
import type { World } from '../../../support/fake-context.js';
import { giveAway } from '../../../support/give-away.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

const { doctor, configure } = doctorIn();

/** A profile with a key in a file, and what a project file says beside it. */
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
  expect(found('destination').finding).toBe('the key may go to https://pets.test');
  expect(found('key')).toMatchObject({
    finding: expect.stringMatching(/fingerprint [0-9a-f]{8}\), from .*shop\.key; the service accepts it$/),
    details: { verdict: 'accepted' },
  });
  expect(stdout).not.toContain('sk-stored');
});

test.skipIf(process.platform === 'win32')('a project file of another user is told of', async () => {
  const currentDirectory = temporaryFolder({ 'petstore.config.json': { target: 't.example' } });
  const path = join(currentDirectory, 'petstore.config.json');
  const { found } = await doctor({ env: NOTHING, currentDirectory, userId: giveAway(path) });
  expect(found('project')).toMatchObject({
    state: 'warn',
    finding: `${path} belongs to another user`,
    remedy: expect.stringContaining('sudo chown'),
  });
});

test('a key that stands where it does not belong is not repeated', async () => {
  const secret = 'sk-misplaced-0123456789';
  const { stdout, found } = await doctor({
    env: { PETSTORE_API_KEY: secret },
    currentDirectory: temporaryFolder({
      'petstore.config.json': { [secret]: 1, baseUrl: `ftp://${secret}` },
    }),
  });
  expect(found('project').state).toBe('failed');
  expect(stdout).not.toContain(secret);
});

test('no address and no key', async () => {
  const { exitCode, found, requests } = await doctor({ env: NOTHING });
  expect({ exitCode, requests }).toEqual({ exitCode: 1, requests: [] });
  const wanted = { state: 'failed', remedy: expect.stringContaining('petstore auth login') };
  expect(found('base-url')).toMatchObject(wanted);
  expect(found('key')).toMatchObject(wanted);
  expect(found('base-url').remedy).not.toBe(found('key').remedy);
});

test('a key does not hang on the address', async () => {
  const { found } = await doctor({ env: { PETSTORE_BASE_URL: 'pets.test' } });
  expect(found('key')).toMatchObject({
    state: 'ok',
    finding: expect.stringContaining('the service was not asked'),
  });
});

test('what hangs on a file that is broken is not judged', async () => {
  configure('config.json', '{\n  "profile": }');
  const { found } = await doctor();
  expect(found('config').finding).toContain('config.json, line 2, column 14 is not JSON');
  for (const id of ['profile', 'base-url', 'key'])
    expect(found(id)).toMatchObject({ state: 'skipped', finding: "can't be told before config is right" });
});

test('a key in a project file is told of, and not shown', async () => {
  const { found, stdout } = await doctor({
    currentDirectory: temporaryFolder({ 'petstore.config.json': { apiKey: 'sk-other' } }),
  });
  expect(found('project')).toMatchObject({
    state: 'failed',
    finding: expect.stringContaining('does not belong'),
  });
  expect(stdout).not.toContain('sk-other');
});

describe('a project file that names another address', () => {
  const project = { baseUrl: 'https://stranger.test/v1' };
  /** Where somebody could be asked, nobody is. */
  const terminals = ['stdin', 'stderr'] as const;

  test.each([
    ['in a pipe', undefined],
    ['at a terminal', terminals],
  ])('%s: nobody is asked, and the key stays here', async (_, at) => {
    const world = { ...shop(project), ...(at === undefined ? {} : { terminals: at }) };
    const { found, exitCode, requests, stderr } = await doctor(world);
    expect({ exitCode, requests, stderr }).toEqual({ exitCode: 1, requests: [], stderr: '' });
    expect(found('destination')).toMatchObject({
      state: 'failed',
      finding: expect.stringContaining('https://stranger.test'),
      remedy: expect.stringContaining('petstore config set trustedUrls https://stranger.test'),
    });
    expect(found('service')).toMatchObject({
      state: 'skipped',
      finding: 'nobody has confirmed that the key may go there',
    });
    expect(found('connection').state).toBe('ok');
  });

  test.each([
    ['in a pipe is told of, as with any other command', undefined, 'ok', 1],
    ['stays here at a terminal, where any other command would ask', terminals, 'failed', 0],
  ])('a key of the environment %s', async (_, at, state, sent) => {
    const world = {
      env: { PETSTORE_BASE_URL: '' },
      currentDirectory: temporaryFolder({ 'petstore.config.json': project }),
      ...(at === undefined ? {} : { terminals: at }),
    };
    const { found, requests, stderr } = await doctor(world);
    expect(found('destination').state).toBe(state);
    expect(requests).toHaveLength(sent);
    expect(stderr).toMatch(sent === 0 ? /^$/ : /^warning: the key in PETSTORE_API_KEY is sent to \S+,.*\n$/);
  });

  test('that was confirmed is asked', async () => {
    const { found, requests } = await doctor(shop(project, ['https://stranger.test']));
    expect(requests).toHaveLength(1);
    expect(found('destination').state).toBe('ok');
  });
});
