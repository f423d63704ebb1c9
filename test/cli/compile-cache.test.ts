import { expect, test } from 'vitest';
import { cacheCompiledCode } from '../../src/cli/compile-cache.js';

const folderFor = (env: Record<string, string>, platform = 'linux'): string | undefined => {
  let folder: string | undefined;
  cacheCompiledCode({ env, platform }, { enableCompileCache: (directory) => (folder = directory) });
  return folder;
};

test.each([
  [{ HOME: '/home/ada' }, 'linux', '/home/ada/.cache/petstore/compiled'],
  [{ HOME: '/home/ada', XDG_CACHE_HOME: '/cache' }, 'linux', '/cache/petstore/compiled'],
  [{ HOME: '/home/ada', XDG_CACHE_HOME: 'relative' }, 'linux', '/home/ada/.cache/petstore/compiled'],
  [{ HOME: '/Users/ada' }, 'darwin', '/Users/ada/Library/Caches/petstore/compiled'],
  [{ LOCALAPPDATA: '/local' }, 'win32', '/local/petstore/Cache/compiled'],
])('with %j on %s the compiled code is kept in %s', (env, platform, folder) => {
  expect(folderFor(env, platform)).toBe(folder);
});

test.each(['linux', 'win32'])('nothing is kept where %s names no place of the person', (platform) => {
  expect(folderFor({}, platform)).toBeUndefined();
});

test('a Node that keeps no compiled code is left alone', () => {
  expect(() => {
    cacheCompiledCode({ env: { HOME: '/home/ada' }, platform: 'linux' }, {});
  }).not.toThrow();
});
