import { describe, expect, test } from 'vitest';
import {
  describeOrigin,
  PLAIN_VARIABLES,
  resolveSettings,
  findProfile,
  selectProfile,
} from '../../../../src/cli/settings/config/settings.js';
import { readGlobalOptions } from '../../../../src/cli/command-line/global-options.js';
import { fakeContext } from '../../../support/fake-context.js';
import { temporaryFolder } from '../../../support/temporary-folder.js';

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
      /For example: auto/,
    ],
    ['--staging without a profile', { flags: { staging: true } }, /needs a profile/, /--profile NAME/],
    [
      '--staging without an address',
      { flags: { staging: true }, current: 'work' },
      /Profile work has no staging URL/,
      /config set stagingUrl https:\/\/HOST\/v1 --profile work/,
    ],
  ])('%s', (_, layers, message, hint) => {
    expect(() => resolve(layers)).toThrow(
      expect.objectContaining({ message: expect.stringMatching(message), hint: expect.stringMatching(hint) }),
    );
  });
});

test.each(PLAIN_VARIABLES)('a value of %s in quotes is no value', (name) => {
  for (const value of ['"memory"', "'memory'"])
    expect(() => resolve({ env: { [name]: value } })).toThrow(
      expect.objectContaining({
        message: `${name} is in quotes, which are part of the value`,
        hint: 'Remove the quotes.',
      }),
    );
});

test('the origin of a default profile is config.json', () => {
  expect(describeOrigin('config', { setting: 'profile' })).toBe('config.json');
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
