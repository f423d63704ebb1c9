import { expect, test } from 'vitest';
import { suggest } from '../../../src/cli/text/suggest.js';

test.each([
  ['lsit', 'list'],
  ['Available', 'available'],
  ['creat', 'create'],
  ['gte', 'get'],
  ['listt', 'list'],
  ['available', 'available'],
  ['zzzzz', undefined],
  ['x', undefined],
  ['', undefined],
  ['li', undefined],
])('%j: %s', (word, meant) => {
  expect(suggest(word, ['list', 'get', 'create', 'available'])).toBe(meant);
});

test('returns the nearest word, and the first of equals', () => {
  expect(suggest('cat', ['cart', 'cat'])).toBe('cat');
  expect(suggest('bat', ['cat', 'hat'])).toBe('cat');
  expect(suggest('list', [])).toBeUndefined();
});
