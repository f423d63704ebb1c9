import { describe, expect, test } from 'vitest';
import { decodeText, EncodingError, RowReader, type RowSource } from '../../../src/bulk/rows/row-reader.js';
import { formatOfName, formatOfText, type Row, type RowError } from '../../../src/bulk/rows/row.js';
import { pieces } from '../../support/pieces.js';

async function read(content: string | Uint8Array, source: Partial<RowSource> = {}, length = 3) {
  const reader = new RowReader({ path: 'pets.csv', name: 'pets.csv', ...source });
  const rows: Row[] = [];
  const errors: RowError[] = [];
  let bytes = 0;
  for await (const batch of reader.read(pieces(content, length))) {
    rows.push(...batch.rows);
    errors.push(...batch.errors);
    bytes = batch.bytes;
  }
  return { reader, rows, errors, bytes };
}

const REX = { name: 'Rex', categoryId: 7n };

describe('RowReader', () => {
  test.each([
    ['pets.csv', 'name,categoryId\nRex,7\n', 'csv', 2],
    ['pets.tsv', 'name\tcategoryId\nRex\t7\n', 'csv', 2],
    ['pets.ndjson', '{"name":"Rex","categoryId":7}\n', 'ndjson', 1],
    ['pets.json', '[{"name":"Rex","categoryId":7}]', 'json', 1],
    ['', '\n\n [{"name":"Rex","categoryId":7}]', 'json', 3],
    ['', '\n{"name":"Rex","categoryId":"7"}', 'ndjson', 2],
    ['', 'name;categoryId\nRex;7', 'csv', 2],
  ])('reads %j %j', async (path, text, format, line) => {
    const { reader, rows, errors, bytes } = await read(text, { path });
    expect({ format: reader.format, rows, errors }).toEqual({
      format,
      rows: [{ row: 1, line, pet: REX }],
      errors: [],
    });
    expect(bytes).toBe(text.length);
  });

  test('uses the given format', async () => {
    const { rows } = await read('{"name":"Rex","categoryId":7}\n', { format: 'ndjson' });
    expect(rows).toHaveLength(1);
  });

  test('counts invalid rows, and reports the position of each error', async () => {
    const { reader, rows, errors } = await read('name,categoryId\nRex\n\nMia,x\n"Zoe,9\n');
    expect(reader.rowCount).toBe(3);
    expect(rows).toEqual([]);
    expect(errors).toEqual([
      { row: 1, line: 2, message: expect.stringContaining('1 cell') },
      { row: 2, line: 4, field: 'categoryId', message: expect.any(String) },
      { row: 3, line: 5, message: expect.stringContaining('not closed') },
    ]);
  });

  test.each(['\n', '\r\n', '\r'])('reports the line of invalid UTF-8 (line breaks are %j)', async (end) => {
    const text = Buffer.from(['name,categoryId', 'Rex,7', 'M\xf6hre,8', 'Zoe,9', ''].join(end), 'latin1');
    for (const length of [1, 100]) {
      const { rows, errors } = await read(text, {}, length);
      expect(rows.map(({ pet }) => pet.name)).toEqual(['Rex']);
      expect(errors).toEqual([{ line: 3, message: expect.stringContaining('Invalid UTF-8') }]);
    }
  });

  test('stops at an invalid header', async () => {
    const { reader, errors } = await read('name\nRex\nMia\n');
    expect(reader.rowCount).toBe(0);
    expect(errors).toEqual([{ line: 1, field: 'categoryId', message: 'Column categoryId is missing' }]);
  });

  test('returns delimiter and columns of a table', async () => {
    const { reader } = await read('categoryId|name\n');
    expect([reader.delimiter, reader.columns]).toEqual(['|', ['categoryId', 'name']]);
  });

  test('reports a missing header for empty input', async () => {
    expect((await read('', { path: '' })).errors).toEqual([
      { line: 1, message: expect.stringContaining('empty') },
    ]);
    expect((await read('', { path: 'a.ndjson' })).errors).toEqual([]);
  });
});

test.each([
  ['pets.csv', { format: 'csv' }],
  ['a.b/PETS.CSV', { format: 'csv' }],
  ['pets.tsv', { format: 'csv', delimiter: '\t' }],
  ['pets.json', { format: 'json' }],
  ['pets.ndjson', { format: 'ndjson' }],
  ['pets.jsonl', { format: 'ndjson' }],
  ['pets.txt', undefined],
  ['csv', undefined],
])('detects the format of %s', (name, format) => {
  expect(formatOfName(name)).toEqual(format);
});

test.each([
  ['\n [', 'json'],
  [' {', 'ndjson'],
  ['name,', 'csv'],
  ['"name"', 'csv'],
  [' \n', undefined],
])('detects the format of text that begins with %j', (text, format) => {
  expect(formatOfText(text)).toBe(format);
});

/** Returns the text before the end or the error, and the error's message. */
async function decode(content: string | Uint8Array, length?: number): Promise<[string, string?]> {
  let text = '';
  try {
    for await (const piece of decodeText(pieces(content, length))) text += piece;
  } catch (error) {
    expect(error).toBeInstanceOf(EncodingError);
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
