import { describe, expect, test } from 'vitest';
import { MalformedMessage, readName } from '../../../../src/domain/resolver/wire/wire-name.js';
import { join, labels, name, pointer } from '../wire.js';

const HEADER = Buffer.alloc(12);

/** Reads the last of some names that lie one after another behind the header. */
function readLast(...names: readonly Buffer[]) {
  const before = join(HEADER, ...names.slice(0, -1));
  const message = join(before, names.at(-1)!);
  return { ...readName(message, before.length, message.length), length: message.length };
}

describe('a name', () => {
  test('comes in lower case, and ends behind its root', () => {
    const { text, end, length } = readLast(name('Shop.EXAMPLE.test'));
    expect(text).toBe('shop.example.test');
    expect(end).toBe(length);
  });

  test('of no labels is a dot', () => {
    expect(readLast(name('.'))).toMatchObject({ text: '.', end: 13 });
  });

  test('goes on where its pointer leads, and ends behind the pointer', () => {
    const { text, end, length } = readLast(name('example.test'), join([4], 'shop', pointer(12)));
    expect(text).toBe('shop.example.test');
    expect(end).toBe(length);
  });

  test('goes on over several pointers', () => {
    const names = [name('test'), join([7], 'example', pointer(12)), join([1], 'a', pointer(18)), pointer(28)];
    expect(readLast(...names).text).toBe('a.example.test');
  });

  test('may have 255 bytes', () => {
    const longest = labels(...Array<string>(127).fill('a'));
    expect(longest).toHaveLength(255);
    expect(readLast(longest).text).toHaveLength(253);
  });
});

describe('no name is', () => {
  const long = labels(...Array<string>(100).fill('a'));
  test.each<[string, readonly Buffer[]]>([
    ['one of 256 bytes', [labels(...Array<string>(126).fill('a'), 'ab')]],
    [
      'one of 256 bytes by its pointer',
      [long, join(...Array<number[]>(28).fill([1, 97]), [1, 97], pointer(12), [0])],
    ],
    ['one without an end', [join([1], 'a')]],
    ['a label that runs past the end', [join([9], 'a')]],
    ['half a pointer', [Buffer.from([0xc0])]],
    ['a pointer to itself', [pointer(12)]],
    ['a pointer into its own labels', [join([1], 'a', pointer(12))]],
    ['a pointer ahead', [join(pointer(14), name('a'))]],
    ['a pointer into the header', [pointer(11)]],
    ['a label of kind 0x40', [join([0x41], 'a', [0])]],
    ['a label of kind 0x80', [join([0x81], 'a', [0])]],
  ])('%s', (title, names) => {
    if (title.includes('by its pointer')) expect(readLast(long).text).toHaveLength(199);
    expect(() => readLast(...names)).toThrow(MalformedMessage);
  });

  test('a pointer to labels that run into the name that points', () => {
    // From 12: a label of two bytes, the second of them the first of the name at 14, and that one's NUL as the root.
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

  test('one beyond its limit, though the message goes on', () => {
    const message = join(HEADER, name('a.test'));
    expect(readName(message, 12, message.length).text).toBe('a.test');
    expect(() => readName(message, 12, message.length - 1)).toThrow(MalformedMessage);
  });

  test('a compressed one where that is not allowed', () => {
    const message = join(HEADER, name('a'), pointer(12));
    expect(readName(message, 15, message.length).text).toBe('a');
    expect(() => readName(message, 15, message.length, 'refused')).toThrow(MalformedMessage);
  });
});
