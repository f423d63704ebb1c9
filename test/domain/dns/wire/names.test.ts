import { describe, expect, test } from 'vitest';
import { escapeLabel, escapeText, MalformedMessage, readName } from '../../../../src/domain/dns/names.js';
import { join, labels, name, pointer } from '../wire.js';

const HEADER = Buffer.alloc(12);

/** Reads the last of several consecutive names after the header. */
function readLast(...names: readonly Buffer[]) {
  const before = join(HEADER, ...names.slice(0, -1));
  const message = join(before, names.at(-1)!);
  return { ...readName(message, before.length, message.length), length: message.length };
}

describe('a name', () => {
  test('is read in lower case, up to its root', () => {
    const { text, end, length } = readLast(name('Shop.EXAMPLE.test'));
    expect(text).toBe('shop.example.test');
    expect(end).toBe(length);
  });

  test('without labels is a dot', () => {
    expect(readLast(name('.'))).toMatchObject({ text: '.', end: 13 });
  });

  test('continues at its pointer, and ends after the pointer', () => {
    const { text, end, length } = readLast(name('example.test'), join([4], 'shop', pointer(12)));
    expect(text).toBe('shop.example.test');
    expect(end).toBe(length);
  });

  test('continues over several pointers', () => {
    const names = [name('test'), join([7], 'example', pointer(12)), join([1], 'a', pointer(18)), pointer(28)];
    expect(readLast(...names).text).toBe('a.example.test');
  });

  test('may have 255 bytes', () => {
    const longest = labels(...Array<string>(127).fill('a'));
    expect(longest).toHaveLength(255);
    expect(readLast(longest).text).toHaveLength(253);
  });
});

describe('rejects', () => {
  const long = labels(...Array<string>(100).fill('a'));
  test.each<[string, readonly Buffer[]]>([
    ['a name of 256 bytes', [labels(...Array<string>(126).fill('a'), 'ab')]],
    [
      'a name of 256 bytes by its pointer',
      [long, join(...Array<number[]>(28).fill([1, 97]), [1, 97], pointer(12), [0])],
    ],
    ['a name without an end', [join([1], 'a')]],
    ['a label that extends past the end', [join([9], 'a')]],
    ['a truncated pointer', [Buffer.from([0xc0])]],
    ['a pointer to itself', [pointer(12)]],
    ['a pointer into its own labels', [join([1], 'a', pointer(12))]],
    ['a forward pointer', [join(pointer(14), name('a'))]],
    ['a pointer into the header', [pointer(11)]],
    ['a label of type 0x40', [join([0x41], 'a', [0])]],
    ['a label of type 0x80', [join([0x81], 'a', [0])]],
  ])('%s', (title, names) => {
    if (title.includes('by its pointer')) expect(readLast(long).text).toHaveLength(199);
    expect(() => readLast(...names)).toThrow(MalformedMessage);
  });

  test('a pointer to labels that overlap the pointing name', () => {
    // At 12: a label of two bytes. Its second byte is the first of the name at 14, whose NUL is the root.
    expect(() => readLast(Buffer.from([2, 97]), Buffer.from([1, 0, 0xc0, 12]))).toThrow(MalformedMessage);
  });

  test('a chain of more than 127 pointers', () => {
    const chain = (links: number): Buffer[] => [
      name('a'),
      ...Array.from({ length: links }, (_, index) => pointer(index === 0 ? 12 : 13 + 2 * index)),
    ];
    expect(readLast(...chain(127)).text).toBe('a');
    expect(() => readLast(...chain(128))).toThrow(MalformedMessage);
  });

  test('a name beyond the limit, although the message continues', () => {
    const message = join(HEADER, name('a.test'));
    expect(readName(message, 12, message.length).text).toBe('a.test');
    expect(() => readName(message, 12, message.length - 1)).toThrow(MalformedMessage);
  });

  test('a compressed name if compression is not allowed', () => {
    const message = join(HEADER, name('a'), pointer(12));
    expect(readName(message, 15, message.length).text).toBe('a');
    expect(() => readName(message, 15, message.length, 'refused')).toThrow(MalformedMessage);
  });
});

const every = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));
const label = (bytes: Buffer): string =>
  escapeLabel(Buffer.concat([every, bytes, every]), 256, 256 + bytes.length);

test('returns a label in lower case, with all but letters, digits and -_*/ escaped', () => {
  const kept = label(every).replace(/\\\d{3}/g, '');
  expect(kept).toBe('*-/0123456789abcdefghijklmnopqrstuvwxyz_abcdefghijklmnopqrstuvwxyz');
  expect(label(Buffer.from('a.B\\\x00\xc4\xff', 'latin1'))).toBe('a\\046b\\092\\000\\196\\255');
});

test('escapes labels that differ in lower case to different texts', () => {
  const escaped = Array.from(every, (byte) => label(Buffer.from([byte])));
  expect(new Set(escaped).size).toBe(256 - 26);
});

test('keeps printable ASCII in text, except the backslash', () => {
  const kept = escapeText(every).replace(/\\\d{3}/g, '');
  expect(kept).toBe(every.subarray(0x20, 0x7f).toString('latin1').replace('\\', ''));
  expect(escapeText(Buffer.from('\x1b[31m "\\" \u00fc'))).toBe('\\027[31m "\\092" \\195\\188');
});
