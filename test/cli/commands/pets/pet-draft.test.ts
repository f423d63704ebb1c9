import { expect, test } from 'vitest';
import { checkName, checkStatus } from '../../../../src/cli/commands/pets/pet-draft.js';

test('a name may be anything but empty', () => {
  expect(checkName('--name', ' ')).toBe(' ');
  expect(() => checkName('--name', '')).toThrow('--name is empty');
});

test('a status is one that a request may name', () => {
  expect(checkStatus('--status', 'sold')).toBe('sold');
  expect(() => checkStatus('--status', 'lent')).toThrow(/"lent" is not one of available, pending, sold/);
});
