import { expect, test, describe } from 'vitest';
import { withPrintableTexts } from '../../../src/domain/report/finding.js';
import fc from 'fast-check';
import { printable } from '../../../src/schema/control-characters.js';
import {
  clipped,
  isPrintable,
  listed,
  shown,
  withoutUnprintable,
} from '../../../src/domain/names/printable.js';
import { anyCharacter } from '../../support/any-character.js';

test('makes every text of a finding safe, and changes nothing else', () => {
  const record = { type: 'TXT', name: 'a\u0007.example', label: 'a\u0007', value: '"\u001b[2J"', ttl: 300 };
  expect(
    withPrintableTexts({
      id: 'conflict.other-types',
      axis: 'record',
      severity: 'block',
      message: 'x\u202ey',
      fix: { action: 'remove', text: '\r', records: [record] },
      evidence: [{ text: '\n', command: 'dig \u009b' }, { text: 'plain' }],
    }),
  ).toEqual({
    id: 'conflict.other-types',
    axis: 'record',
    severity: 'block',
    message: 'x<U+202E>y',
    fix: {
      action: 'remove',
      text: '^M',
      records: [{ type: 'TXT', name: 'a^G.example', label: 'a^G', value: '"^[[2J"', ttl: 300 }],
    },
    evidence: [{ text: '^J', command: 'dig <U+009B>' }, { text: 'plain' }],
  });
});

describe('printable', () => {
  test.each([
    ['plain text, "quotes" and ünïcödé', 'plain text, "quotes" and ünïcödé'],
    ['日本', '日本'],
    ['\u001b[31mred', '^[[31mred'],
    ['a\nb\0', 'a^Jb^@'],
    ['\u009b2J', '<U+009B>2J'],
    ['a\u202eb', 'a<U+202E>b'],
    ['zero\u200bwidth', 'zero<U+200B>width'],
    ['line\u2028break', 'line<U+2028>break'],
    ['\ud800', '<U+D800>'],
    ['\u200b\ufe00', '<U+200B><U+FE00>'],
  ])('%j', (text, expected) => expect(printable(text)).toBe(expected));

  test('leaves no control characters, and is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter }), (text) => {
        const shown = printable(text);
        expect(shown).not.toMatch(/[\p{C}\p{Zl}\p{Zp}]/u);
        expect(printable(shown)).toBe(shown);
      }),
    );
  });
});

describe('clipped', () => {
  test.each([
    ['abcde', 5, 'abcde'],
    ['abcdef', 5, 'abcd…'],
    ['😀😀😀😀', 3, '😀😀…'],
  ])('%s to %i', (text, lengthMax, expected) => expect(clipped(text, lengthMax)).toBe(expected));
});

describe('listed', () => {
  test.each([
    [[], ''],
    [['a'], 'a'],
    [['a', 'b'], 'a and b'],
    [['a', 'b', 'c'], 'a, b and c'],
    [['a', 'b', 'c', 'd', 'e'], 'a, b and 3 more'],
  ])('%j', (items, expected) => expect(listed(items, 3)).toBe(expected));
});

test.each([
  ['shop.example.com', true, 'shop.example.com'],
  ['bücher 日本', true, 'bücher 日本'],
  ['a\u001b[2Jb', false, 'a[2Jb'],
  ['a\u202eb\u200b', false, 'ab'],
  ['a\u2028b', false, 'ab'],
])('%j is safe as it is: %s', (text, isSafe, without) => {
  expect([isPrintable(text), isPrintable(text)]).toEqual([isSafe, isSafe]);
  expect(withoutUnprintable(text)).toBe(without);
});

test('makes untrusted text safe and truncates it', () => {
  expect(shown(`\u0007${'x'.repeat(500)}`)).toMatch(/^\^Gx{198}…$/);
  expect(shown('abcdef', 4)).toBe('abc…');
  expect(withoutUnprintable('a\nb', ' ')).toBe('a b');
});
