import { expect, test } from 'vitest';
import { resolvePath } from '../../../src/cli/files/resolve-path.js';
import { UsageError } from '../../../src/cli/errors/usage-error.js';

test('resolves against the current directory', () => {
  expect(resolvePath('a/../b', { currentDirectory: '/here' })).toBe('/here/b');
  expect(resolvePath('/a/../b', { currentDirectory: '/here' })).toBe('/b');
});

test('refuses a relative path if the current directory is deleted', () => {
  expect(resolvePath('/b', { currentDirectory: undefined })).toBe('/b');
  expect(() => resolvePath('b', { currentDirectory: undefined })).toThrow(UsageError);
});
