import { expect, test } from 'vitest';
import { checkName, checkStatus } from '../../../../src/cli/commands/pets/pet-draft.js';

test('accepts every name except an empty one', () => {
  expect(checkName('--name', ' ')).toBe(' ');
  expect(() => checkName('--name', '')).toThrow('--name is empty');
});

test('accepts only the statuses of a request', () => {
  expect(checkStatus('--status', 'sold')).toBe('sold');
  expect(() => checkStatus('--status', 'lent')).toThrow(/"lent" is not one of available, pending, sold/);
});
