import { runFake } from '../../support/fake-context.js';
import { describe, expect, test } from 'vitest';
import { checkBaseUrl, isLoopback } from '../../../src/cli/config/base-url.js';
import {
  findProfile,
  selectProfile,
  describeOrigin,
  resolveSettings,
} from '../../../src/cli/config/settings.js';
import { readGlobalOptions } from '../../../src/cli/command-line/global-options.js';
import { createPetStore } from '../../../src/client/index.js';
import { fakeContext } from '../../support/fake-context.js';
import { temporaryFolder } from '../../support/temporary-folder.js';

const PROFILES = {
  home: {
    baseUrl: 'https://home.test/v1',
    stagingUrl: 'https://staging.test/v1',
    output: 'yaml',
    color: 'never',
  },
  work: { baseUrl: 'https://work.test/v1' },
  flag: { baseUrl: 'https://flag-profile.test/v1' },
};

interface Layers {
  flags?: Record<string, unknown>;
  env?: Record<string, string>;
  project?: Record<string, unknown>;
  current?: string;
}

function resolve({ flags = {}, env = {}, project, current }: Layers) {
  const folder = temporaryFolder({
    'config/config.json': { profiles: PROFILES, ...(current === undefined ? {} : { profile: current }) },
    'work/keep': '',
    ...(project === undefined ? {} : { 'work/petstore.config.json': project }),
  });
  const { context } = fakeContext({
    env: { PETSTORE_CONFIG_DIR: `${folder}/config`, ...env },
    currentDirectory: `${folder}/work`,
  });
  return resolveSettings(readGlobalOptions(flags), context);
}

describe('precedence: flag, environment, project file, profile, default', () => {
  const flags = { baseUrl: 'https://flag.test/v1' };
  const env = { PETSTORE_BASE_URL: 'https://env.test/v1' };
  const project = { baseUrl: 'https://project.test/v1' };

  test.each<[string, Layers, string | undefined]>([
    ['all four', { flags, env, project, current: 'home' }, 'https://flag.test/v1'],
    ['no flag', { env, project, current: 'home' }, 'https://env.test/v1'],
    [
      'an empty variable',
      { env: { PETSTORE_BASE_URL: '' }, project, current: 'home' },
      'https://project.test/v1',
    ],
    ['no variable', { project, current: 'home' }, 'https://project.test/v1'],
    ['the profile alone', { current: 'home' }, 'https://home.test/v1'],
    ['an empty project entry', { project: { baseUrl: '' }, current: 'home' }, 'https://home.test/v1'],
    ['nothing', {}, undefined],
    [
      '--staging over a variable',
      { flags: { staging: true }, env, current: 'home' },
      'https://staging.test/v1',
    ],
  ])('base URL: %s', (_, layers, expected) => {
    expect(resolve(layers).baseUrl).toBe(expected);
  });

  test.each<[string, Layers, string | undefined]>([
    [
      'flag',
      { flags: { profile: 'flag' }, env: { PETSTORE_PROFILE: 'work' }, project: { profile: 'home' } },
      'flag',
    ],
    [
      'variable',
      { env: { PETSTORE_PROFILE: 'work' }, project: { profile: 'home' }, current: 'flag' },
      'work',
    ],
    ['project', { project: { profile: 'home' }, current: 'flag' }, 'home'],
    ['current', { current: 'flag' }, 'flag'],
    ['none', {}, undefined],
  ])('profile: %s', (_, layers, expected) => {
    expect(resolve(layers).profile).toBe(expected);
  });

  test.each<[string, Layers, unknown, unknown, unknown]>([
    [
      'flag',
      { flags: { output: 'csv', color: 'always' }, env: { PETSTORE_OUTPUT: 'json' }, current: 'home' },
      'csv',
      'always',
      'never',
    ],
    [
      'variable',
      { env: { PETSTORE_OUTPUT: 'json', PETSTORE_COLOR: 'auto' }, current: 'home' },
      'json',
      'auto',
      'never',
    ],
    [
      'flag, though it says auto',
      { flags: { color: 'auto' }, env: { PETSTORE_COLOR: 'always' } },
      undefined,
      'auto',
      undefined,
    ],
    ['profile', { current: 'home' }, 'yaml', undefined, 'never'],
    ['none', {}, undefined, undefined, undefined],
  ])('output and colour: %s', (_, layers, format, color, profileColor) => {
    expect(resolve(layers)).toMatchObject({ format, color, profileColor });
  });
});

describe('invalid settings', () => {
  test.each<[string, Layers, RegExp, RegExp]>([
    ['an unknown profile', { flags: { profile: 'hom' } }, /Profile "hom" not found/, /Did you mean "home"\?/],
    [
      'one nothing like it',
      { flags: { profile: 'zzzzzz' } },
      /Profile "zzzzzz" not found/,
      /Profiles: home, work, flag/,
    ],
    ['a name of Object.prototype', { flags: { profile: 'toString' } }, /not found/, /Profiles:/],
    [
      'a bad PETSTORE_OUTPUT',
      { env: { PETSTORE_OUTPUT: 'jsno' } },
      /PETSTORE_OUTPUT: "jsno"/,
      /Did you mean "json"\?/,
    ],
    [
      'a bad PETSTORE_COLOR',
      { env: { PETSTORE_COLOR: 'pink' } },
      /PETSTORE_COLOR: "pink"/,
      /auto, always, never/,
    ],
    ['--staging without a profile', { flags: { staging: true } }, /needs a profile/, /--profile NAME/],
    [
      '--staging without an address',
      { flags: { staging: true }, current: 'work' },
      /Profile work has no staging address/,
      /config set stagingUrl https:\/\/HOST\/v1 --profile work/,
    ],
  ])('%s', (_, layers, message, hint) => {
    expect(() => resolve(layers)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(message), hint: expect.stringMatching(hint) }),
    );
  });
});

describe('checkBaseUrl', () => {
  test.each([
    ...['https://pets.test/v1', 'http://127.0.0.1:4010/v1', 'http://localhost/v1', 'http://[::1]:1/v1'],
    ...['https://xn--br-mia.test/v1', 'https://[2001:db8::1]:8443/v1', 'https://a-1.test./v1'],
  ])('accepts %s', (url) => {
    expect(checkBaseUrl('--base-url', url)).toBe(url);
  });

  test.each([';', '{', '$', '(', ')', '`', '&', '!', "'", '"', '*', '~', '_'])(
    'refuses a host with %s, which a shell would interpret',
    (character) => {
      const url = `https://x${character}sh.evil.test/v1`;
      expect(new URL(url).hostname).toContain(character);
      expect(() => checkBaseUrl('baseUrl', url)).toThrow(/baseUrl has a host name with invalid characters/);
    },
  );

  test.each(['/', ' ', '.', '%', '@', ':', 'é'])(
    'refuses 200,000 of %j with a short message',
    (character) => {
      const text = `https://pets.test/v1${character.repeat(200_000)}`;
      expect(() => checkBaseUrl('--base-url', text)).toThrow(
        /^--base-url has 200,020 characters, and the maximum is 2,000$/,
      );
    },
  );

  test.each([
    ['pets.test/v1', /must start with https/],
    ['localhost:4010/v1', /must start with https/],
    ['ftp://pets.test', /must start with https/],
    ['https://', /is not a URL/],
    ['https://ida:hunter2@pets.test/v1', /user name or password/],
    ['https://pets.test/v1?x=1', /query or a fragment/],
    ['http://pets.test/v1', /plain http to pets\.test/],
    ['http://127.0.0.1.evil.test/v1', /plain http/],
    ['http://pets.localhost/v1', /plain http to pets\.localhost/],
  ])('refuses %s and shows no password', (url, message) => {
    expect(() => checkBaseUrl('--base-url', url)).toThrow(message);
    expect(() => checkBaseUrl('--base-url', url)).not.toThrow(/hunter2/);
  });
});

// The command line names where an address comes from, so it checks by itself; what it checks is the client's rule.
test.each([
  'https://pets.test/v1',
  'HTTPS://PETS.test/v1',
  'https://pets.test',
  'https://pets.test/v1/',
  'https://pets.test:8443/v1',
  'https://pets.test/v1?',
  'https://pets.test/v1#',
  'http://127.0.0.1:4010/v1',
  'http://127.1/v1',
  'http://127.255.255.255/v1',
  'http://2130706433/v1',
  'http://localhost/v1',
  'http://LOCALHOST/v1',
  'http://pets.localhost/v1',
  'http://[::1]:1/v1',
  'http://[0:0:0:0:0:0:0:1]/v1',
  '',
  ' https://pets.test/v1',
  'pets.test/v1',
  'localhost:4010/v1',
  'https:/pets.test/v1',
  'ftp://pets.test/v1',
  'https://',
  'https://pets .test/v1',
  'https://ida@pets.test/v1',
  'https://:hunter2@pets.test/v1',
  'https://pets.test/v1?x=1',
  'https://pets.test/v1#x',
  'http://pets.test/v1',
  'http://0.0.0.0/v1',
  'http://[::]/v1',
  'http://[::ffff:127.0.0.1]/v1',
  'http://localhost./v1',
  'http://127.0.0.1.evil.test/v1',
  'http://localhost.evil.test/v1',
])('checkBaseUrl and the client agree on %j', (baseUrl) => {
  const accepts = (check: () => unknown): boolean => {
    try {
      check();
      return true;
    } catch (error) {
      expect(['UsageError', 'ConfigurationError']).toContain((error as Error).name);
      return false;
    }
  };
  expect(accepts(() => checkBaseUrl('--base-url', baseUrl))).toBe(
    accepts(() => createPetStore({ baseUrl, apiKey: 'k' })),
  );
});

test.each([
  ['localhost', true],
  ['a.localhost', false],
  ['127.9.9.9', true],
  ['[::1]', true],
  ['::1', true],
  ['::', false],
  ['localhost.evil.test', false],
  ['128.0.0.1', false],
])('isLoopback(%s) is %s', (host, expected) => {
  expect(isLoopback(host)).toBe(expected);
});

test('selects the profile with the highest precedence, without reading other files', () => {
  const env = { PETSTORE_PROFILE: 'of-environment' };
  const owned = { path: '/p/petstore.config.json', ownerIds: [1_000] };
  const project = { ...owned, profile: 'of-project' };
  const config = { profile: 'of-all' };
  const unread = {
    get project() {
      return expect.unreachable();
    },
    get config() {
      return expect.unreachable();
    },
  };
  expect(selectProfile({ profile: 'of-flag' }, { env }, unread)).toEqual({ name: 'of-flag', from: 'flag' });
  expect(selectProfile({}, { env }, unread)).toEqual({ name: 'of-environment', from: 'environment' });
  const files = {
    project,
    get config() {
      return expect.unreachable();
    },
  };
  expect(selectProfile({}, { env: {} }, files)).toEqual({ name: 'of-project', from: 'project' });
  for (const silent of [undefined, owned])
    expect(selectProfile({}, { env: {} }, { project: silent, config })).toEqual({
      name: 'of-all',
      from: 'config',
    });
  expect(selectProfile({}, { env: {} }, { project: undefined, config: {} })).toBeUndefined();
});

test.each([
  ['flag', { setting: 'profile' }, '--profile'],
  ['flag', {}, 'a flag'],
  ['environment', { setting: 'baseUrl' }, 'PETSTORE_BASE_URL'],
  ['environment', {}, 'the environment'],
  ['project', { project: '/p/petstore.config.json' }, '/p/petstore.config.json'],
  ['project', {}, 'petstore.config.json'],
  ['profile', { profile: 'shop' }, 'profile shop'],
  ['profile', {}, 'the profile'],
  ['config', { config: '/c/config.json' }, '/c/config.json'],
  ['config', {}, 'config.json'],
] as const)('describes origin %s with %j as %s', (origin, places, text) => {
  expect(describeOrigin(origin, places)).toBe(text);
});

describe('a project file of another user', () => {
  const named = (ofProject: string, ofAll?: string, more: { env?: object; profile?: string } = {}) =>
    selectProfile(
      more.profile === undefined ? {} : { profile: more.profile },
      { env: { ...more.env }, userId: 1_000 },
      {
        project: { path: '/p/petstore.config.json', ownerIds: [1_000, 1_001], profile: ofProject },
        config: ofAll === undefined ? {} : { profile: ofAll },
      },
    );

  test.each([undefined, 'shop'])('selects no profile if the default is %s', (inUse) => {
    expect(() => named('production', inUse)).toThrow(
      expect.objectContaining({
        message: '/p/petstore.config.json belongs to another user and selects profile "production"',
        hint: expect.stringContaining('--profile NAME'),
      }),
    );
  });

  test('may select the default profile; a flag or variable overrides it', () => {
    expect(named('shop', 'shop')).toEqual({ name: 'shop', from: 'project' });
    expect(named('production', 'shop', { profile: 'a' })).toEqual({ name: 'a', from: 'flag' });
    expect(named('production', 'shop', { env: { PETSTORE_PROFILE: 'a' } })).toMatchObject({ name: 'a' });
  });
});

test('a missing default profile: the hint says how to clear it', () => {
  const config = { path: '/c/config.json', profile: 'gone', profiles: {}, trustedUrls: [] };
  expect(() => findProfile(config, 'gone')).toThrow(
    'Profile "gone", the default in /c/config.json, does not exist',
  );
  expect(() => findProfile(config, 'other')).toThrow(/^Profile "other" not found$/);
});

describe('--mock', () => {
  test.each(['{', '[]', '{"profiles":7}', ''])('works with the broken files %j', async (text) => {
    const files = { 'config.json': text, 'petstore.config.json': text };
    const folder = temporaryFolder(files);
    const world = { currentDirectory: folder, env: { PETSTORE_CONFIG_DIR: folder } };
    expect(await runFake('pets list --mock --limit 1 -o ids', world)).toMatchObject({
      exitCode: 0,
      stdout: '1\n',
    });
    expect((await runFake('pets list', world)).exitCode).toBe(2);
  });
});
