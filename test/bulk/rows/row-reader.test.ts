import { describe, expect, test } from 'vitest';
import type { Row, RowError } from '../../../src/bulk/rows/row.js';
import { RowReader, type RowSource } from '../../../src/bulk/rows/row-reader.js';
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
