import { describe, expect, test } from 'vitest';
import { findProfile, selectProfile } from '../../../src/cli/config/settings.js';

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
