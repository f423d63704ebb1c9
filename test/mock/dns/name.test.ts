import { describe, expect, test } from 'vitest';
import { fromWire, isWithin, readName, toWire, withAncestors } from '../../../src/mock/dns/name.js';

describe('readName', () => {
  test.each([
    ['shop', 'example.test', 'shop.example.test'],
    ['shop.example.test.', 'other.test', 'shop.example.test'],
    ['@', 'example.test', 'example.test'],
    ['.', 'example.test', ''],
    ['Shop.EXAMPLE.test.', '', 'shop.example.test'],
    ['*', 'example.test', '*.example.test'],
    ['_dmarc', 'example.test', '_dmarc.example.test'],
    ['\\027[31m', 'example.test', '\\027[31m.example.test'],
    ['a\\032', 'example.test', 'a\\032.example.test'],
  ])('reads %s with the origin %s', (text, origin, name) => {
    expect(readName(text, origin)).toBe(name);
  });

  test.each([
    ['a..b', 'the name has an empty label: a..b'],
    ['.a', 'the name has an empty label: .a'],
    ['', 'the name has an empty label: '],
    [`${'a'.repeat(64)}.test.`, 'longer than 63 bytes'],
    [Array.from({ length: 130 }, () => 'a').join('.'), 'longer than 255 bytes'],
    ['münchen', 'a name must be ASCII; write other letters as xn--: münchen'],
    ['a\\046b', 'a name must be ASCII'],
    ['a\\255b', 'a name must be ASCII'],
  ])('rejects %s', (text, message) => {
    expect(() => readName(text, 'test')).toThrow(TypeError);
    expect(() => readName(text, 'test')).toThrow(message);
  });
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

test('lists ancestors up to the root', () => {
  expect(withAncestors('a.b.test')).toEqual(['a.b.test', 'b.test', 'test', '']);
  expect(withAncestors('')).toEqual(['']);
});

test('escapes control characters of a packet, and rejects other bytes', () => {
  expect(fromWire('A\u001b[31m.test')).toBe('a\\027[31m.test');
  expect(toWire('a\\027[31m.test')).toBe('a\u001b[31m.test');
  expect(fromWire('a b\u007f.test')).toBe('a\\032b\\127.test');
  expect(fromWire('.')).toBe('');
  expect(fromWire('m\u00fcnchen.test')).toBeUndefined();
});
