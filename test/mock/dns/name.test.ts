import { describe, expect, test } from 'vitest';
import {
  isWithin,
  labelBytes,
  labelsOf,
  nameOfLabels,
  readName,
  withAncestors,
} from '../../../src/mock/dns/name.js';

describe('reads', () => {
  test.each([
    ['shop', 'example.test', 'shop.example.test'],
    ['shop.example.test.', 'other.test', 'shop.example.test'],
    ['@', 'example.test', 'example.test'],
    ['.', 'example.test', ''],
    ['Shop.EXAMPLE.test.', '', 'shop.example.test'],
    ['*', 'example.test', '*.example.test'],
    ['_dmarc', 'example.test', '_dmarc.example.test'],
    ['a\\.b', 'example.test', 'a\\046b.example.test'],
    ['a\\046b', 'example.test', 'a\\046b.example.test'],
    ['\\027[31m', 'example.test', '\\027[31m.example.test'],
    ['a\\@', '', 'a@'],
    ['end\\.', 'test', 'end\\046.test'],
  ])('%s at %s', (text, origin, name) => {
    expect(readName(text, origin)).toBe(name);
  });

  test.each([
    ['a..b', 'a label of the name is empty: a..b'],
    ['.a', 'a label of the name is empty: .a'],
    ['', 'a label of the name is empty: '],
    [`${'a'.repeat(64)}.test.`, 'longer than 63 bytes'],
    [Array.from({ length: 130 }, () => 'a').join('.'), 'longer than 255 bytes'],
    ['münchen', 'a name is written in ASCII, with xn-- for other letters: münchen'],
    ['a\\999', 'a name is written in ASCII'],
  ])('not %s', (text, message) => {
    expect(() => readName(text, 'test')).toThrow(TypeError);
    expect(() => readName(text, 'test')).toThrow(message);
  });
});

test('bytes and back', () => {
  const name = 'a\\046b\\000\\255.example.test';
  expect(labelBytes(name)[0]).toEqual(Uint8Array.of(0x61, 0x2e, 0x62, 0, 255));
  expect(nameOfLabels(labelBytes(name))).toBe(name);
  expect(nameOfLabels([Uint8Array.of(0x41)])).toBe('a');
});

test('a dot within a label is no boundary', () => {
  expect(isWithin('a\\046example.test', 'example.test')).toBe(false);
  expect(labelsOf('a\\046b.test')).toEqual(['a\\046b', 'test']);
});

test.each([
  ['example.test', 'example.test', true],
  ['shop.example.test', 'example.test', true],
  ['myexample.test', 'example.test', false],
  ['test', 'example.test', false],
  ['test', '', true],
])('%s within %s: %s', (name, zone, within) => {
  expect(isWithin(name, zone)).toBe(within);
});

test('goes up to the root', () => {
  expect(withAncestors('a.b.test')).toEqual(['a.b.test', 'b.test', 'test', '']);
  expect(withAncestors('')).toEqual(['']);
});
