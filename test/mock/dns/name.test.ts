import { describe, expect, test } from 'vitest';
import { isWithin, nameAt, nameBytes, readName, withAncestors } from '../../../src/mock/dns/name.js';

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
    ['a\\255', 'example.test', 'a\\255.example.test'],
    ['a\\.b\\046c', 'example.test', 'a\\046b\\046c.example.test'],
    ['\\"\\\\\\;\\ ', 'example.test', '"\\092;\\032.example.test'],
    ['\\065\\B.test.', '', 'ab.test'],
    [`${'\\255'.repeat(63)}.test.`, '', `${'\\255'.repeat(63)}.test`],
  ])('reads %s with the origin %s', (text, origin, name) => {
    expect(readName(text, origin)).toBe(name);
  });

  test.each([
    ['a..b', 'the name has an empty label: a..b'],
    ['.a', 'the name has an empty label: .a'],
    ['', 'the name has an empty label: '],
    [`${'a'.repeat(64)}.test.`, 'longer than 63 bytes'],
    [Array.from({ length: 130 }, () => 'a').join('.'), 'longer than 255 bytes'],
    [`${'\\255'.repeat(64)}.test.`, 'longer than 63 bytes'],
    ['münchen', 'a name must be ASCII; write other letters as xn--, and bytes as \\DDD: münchen'],
    ['a\\1b', 'and bytes as \\DDD: a\\1b'],
    ['a\\', 'and bytes as \\DDD: a\\'],
    ['a\\256', 'not a byte: \\256'],
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

test('encodes bytes, and escapes them in a packet', () => {
  const bytes = Buffer.from('\x05A\x1b .\xff\x04TEST\0', 'latin1');
  const name = 'a\\027\\032\\046\\255.test';
  expect(nameAt(bytes, 0)).toEqual({ name, end: bytes.length });
  expect(nameBytes(name)).toEqual(Buffer.from(bytes.toString('latin1').toLowerCase(), 'latin1'));
  expect(nameAt(Buffer.of(9, 0), 1)).toEqual({ name: '', end: 2 });
});

test.each([[[]], [[1]], [[1, 97]], [[0xc0, 0]], [[64]]])('is not a name: %j', (bytes) => {
  expect(nameAt(Buffer.from(bytes), 0)).toBeUndefined();
});
