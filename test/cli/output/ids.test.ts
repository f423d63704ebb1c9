import { expect, test } from 'vitest';
import { toIds } from '../../../src/cli/output/ids.js';
import { UsageError } from '../../../src/cli/errors/usage-error.js';

test('prints one id a line', () => {
  expect(toIds([{ id: 9007199254740993n }, { id: 'a\nb' }])).toBe('9007199254740993\na^Jb\n');
  expect(toIds([])).toBe('');
});

test('rejects rows without an id', () => {
  expect(() => toIds([{ id: 1n }, { name: 'Rex' }])).toThrow(UsageError);
});
