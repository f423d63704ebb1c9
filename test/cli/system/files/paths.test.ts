import { describe, expect, test } from 'vitest';
import {
  compileCacheDirectory,
  configDirectory,
  stateDirectory,
} from '../../../../src/cli/system/files/paths.js';

describe('configDirectory', () => {
  test.each([
    [{ PETSTORE_CONFIG_DIR: '/own', XDG_CONFIG_HOME: '/xdg' }, 'linux', '/own'],
    [{ PETSTORE_CONFIG_DIR: '', XDG_CONFIG_HOME: '/xdg' }, 'linux', '/xdg/petstore'],
    [{ XDG_CONFIG_HOME: 'relative' }, 'linux', '/home/ida/.config/petstore'],
    [{}, 'linux', '/home/ida/.config/petstore'],
    [{}, 'darwin', '/home/ida/Library/Preferences/petstore'],
    [{ APPDATA: '/roaming' }, 'win32', '/roaming/petstore'],
    [{}, 'win32', '/home/ida/AppData/Roaming/petstore'],
  ])('%j on %s', (env, platform, expected) => {
    expect(configDirectory({ env, platform, homeDirectory: '/home/ida' })).toBe(expected);
  });
});

const linux = { env: {}, homeDirectory: '/home/ada', platform: 'linux' };

test.each([
  [linux, '/home/ada/.local/state/petstore'],
  [{ ...linux, env: { XDG_STATE_HOME: '/state' } }, '/state/petstore'],
  [{ ...linux, env: { XDG_STATE_HOME: 'relative' } }, '/home/ada/.local/state/petstore'],
  [{ ...linux, env: { XDG_STATE_HOME: '/state', PETSTORE_STATE_DIR: '/own' } }, '/own'],
  [{ ...linux, env: { PETSTORE_STATE_DIR: '' } }, '/home/ada/.local/state/petstore'],
  [{ ...linux, platform: 'darwin' }, '/home/ada/Library/Application Support/petstore/state'],
  [{ ...linux, platform: 'win32', env: { LOCALAPPDATA: '/local' } }, '/local/petstore/state'],
])('stateDirectory of %j is %s', (context, directory) => {
  expect(stateDirectory(context)).toBe(directory);
});

test.each([
  [{ HOME: '/home/ida', XDG_CACHE_HOME: '/cache' }, 'linux', '/cache/petstore/compiled'],
  [{ HOME: '/home/ida', XDG_CACHE_HOME: 'relative' }, 'linux', '/home/ida/.cache/petstore/compiled'],
  [{ HOME: '/home/ida' }, 'darwin', '/home/ida/Library/Caches/petstore/compiled'],
  [{ LOCALAPPDATA: '/local' }, 'win32', '/local/petstore/Cache/compiled'],
  [{}, 'win32', undefined],
  [{}, 'linux', undefined],
])('compileCacheDirectory with %j on %s is %s', (env, platform, directory) => {
  expect(compileCacheDirectory({ env, platform })).toBe(directory);
});
