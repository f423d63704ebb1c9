import { expect, test } from 'vitest';
import { decodeText, NoTextError } from '../../../src/bulk/rows/decode-text.js';
import { RowReader } from '../../../src/bulk/rows/row-reader.js';
import { collect, pieces } from '../../support/pieces.js';

test.each(['\n', '\r\n', '\r'])('reports the line of invalid UTF-8 (line breaks are %j)', async (end) => {
  const text = Buffer.from(['name,categoryId', 'Rex,7', 'M\xf6hre,8', 'Zoe,9', ''].join(end), 'latin1');
  for (const length of [1, 100]) {
    const batches = await collect(new RowReader({ path: '', name: '' }).read(pieces(text, length)));
    expect(batches.flatMap(({ rows }) => rows.map(({ pet }) => pet.name))).toEqual(['Rex']);
    expect(batches.flatMap(({ errors }) => errors)).toEqual([
      { line: 3, message: 'Invalid UTF-8', hint: 'Save the rows as UTF-8 text, such as CSV.' },
    ]);
  }
});

/** Returns the text before the end or the error, and the error's message. */
async function decode(content: string | Uint8Array, length?: number): Promise<[string, string?]> {
  let text = '';
  try {
    for await (const piece of decodeText(pieces(content, length))) text += piece;
  } catch (error) {
    expect(error).toBeInstanceOf(NoTextError);
    return [text, (error as Error).message];
  }
  return [text];
}

test.each([1, 2, 3, 4, 5, 7, 100])('joins characters that are split, %d bytes at a time', async (length) => {
  const text = 'Žofie 猫 👩‍👩‍👧 e\u0301 \u{10FFFF}\n';
  expect(await decode(text, length)).toEqual([text]);
  expect(await decode(`\uFEFF${text}`, length)).toEqual([text]);
});

test('removes only the first byte order mark', async () => {
  expect(await decode('\uFEFFa\uFEFFb', 2)).toEqual(['a\uFEFFb']);
  expect(await decode('')).toEqual(['']);
});

test.each([
  ['a byte that begins no character', [0x61, 0x0a, 0xff, 0x62], 'a\n'],
  ['Latin-1', [0x4d, 0xf6, 0x68, 0x72, 0x65], 'M'],
  ['a character that is incomplete at the end', [0x61, 0xe7, 0x8c], 'a'],
  ['a surrogate', [0x61, 0xed, 0xa0, 0x80], 'a'],
  ['an overlong form', [0x61, 0xc0, 0x80], 'a'],
  ['a character beyond Unicode', [0x61, 0xf4, 0x90, 0x80, 0x80], 'a'],
])('rejects %s, and yields the text before it', async (_, bytes, before) => {
  for (const length of [1, 2, 3, 100]) {
    const [text, message] = await decode(Uint8Array.from(bytes), length);
    expect(text).toBe(before);
    expect(message).toContain('Invalid UTF-8');
  }
});
