import { expect, test } from 'vitest';
import { resolvePath } from '../../../src/cli/files/resolve-path.js';
import { UsageError } from '../../../src/cli/errors/usage-error.js';

test('a path is meant from the current directory', () => {
  expect(resolvePath('a/../b', { currentDirectory: '/here' })).toBe('/here/b');
  expect(resolvePath('/a/../b', { currentDirectory: '/here' })).toBe('/b');
});

test('without that directory only an absolute one leads anywhere', () => {
  expect(resolvePath('/b', { currentDirectory: undefined })).toBe('/b');
  expect(() => resolvePath('b', { currentDirectory: undefined })).toThrow(UsageError);
});
