import { expect, test } from 'vitest';
import { editDistance, suggest, suggestionFor } from '../../src/options/suggest.js';

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

test.each([
  ['cname', 'cname', 0],
  ['cnmae', 'cname', 1],
  ['cnme', 'cname', 1],
  ['cnamee', 'cname', 1],
  ['xname', 'cname', 1],
  ['anmce', 'cname', 3],
  ['', 'cname', 3],
])('%s to %s', (from, to, expected) => expect(editDistance(from, to, 3)).toBe(expected));

test('does not suggest another word of four letters that differs in two', () =>
  expect(suggest('tcsh', ['bash', 'zsh', 'fish', 'powershell'])).toBeUndefined());

test('returns the limit at once for a very long name', () =>
  expect(editDistance('x'.repeat(1e7), 'cname', 3)).toBe(3));

test('a hint names the nearest or all known names', () => {
  expect(suggestionFor('plann', ['plan', 'pets'])).toBe('Did you mean "plan"?');
  expect(suggestionFor('latency', ['plan', 'pets'])).toBe('Known: plan, pets.');
});
