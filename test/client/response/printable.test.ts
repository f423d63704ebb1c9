import fc from 'fast-check';
import { expect, test } from 'vitest';
import { printable } from '../../../src/client/response/printable.js';
import { anyCharacter } from '../../support/any-character.js';

test.each([
  ['Möhre 小春 🐕', 'Möhre 小春 🐕'],
  ['\x1b[2J', '\\u{1b}[2J'],
  ['a\nb\tc', 'a\\u{a}b\\u{9}c'],
  ['\u202eabc', '\\u{202e}abc'],
  ['\u{e0041}', '\\u{e0041}'],
  ['\ud800', '\\u{d800}'],
  ['abcdef', 'abcde…'],
])('prints %o as %s', (text, shown) => {
  expect(printable(text, text === 'abcdef' ? 5 : 100)).toBe(shown);
});

test('leaves no character that controls a terminal', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter }), (text) => {
      expect(printable(text, 1_000)).not.toMatch(
        /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u,
      );
    }),
  );
});
