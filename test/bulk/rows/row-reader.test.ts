import { describe, expect, test } from 'vitest';
import type { Row, RowFault } from '../../../src/bulk/rows/row.js';
import { RowReader, type RowSource } from '../../../src/bulk/rows/row-reader.js';
import { pieces } from '../../support/pieces.js';

async function read(content: string | Uint8Array, source: Partial<RowSource> = {}, length = 3) {
  const reader = new RowReader({ path: 'pets.csv', name: 'pets.csv', ...source });
  const rows: Row[] = [];
  const faults: RowFault[] = [];
  let bytes = 0;
  for await (const batch of reader.read(pieces(content, length))) {
    rows.push(...batch.rows);
    faults.push(...batch.faults);
    bytes = batch.bytes;
  }
  return { reader, rows, faults, bytes };
}

const REX = { name: 'Rex', categoryId: 7n };

describe('a reader', () => {
  test.each([
    ['pets.csv', 'name,categoryId\nRex,7\n', 'csv', 2],
    ['pets.tsv', 'name\tcategoryId\nRex\t7\n', 'csv', 2],
    ['pets.ndjson', '{"name":"Rex","categoryId":7}\n', 'ndjson', 1],
    ['pets.json', '[{"name":"Rex","categoryId":7}]', 'json', 1],
    ['', '\n\n [{"name":"Rex","categoryId":7}]', 'json', 3],
    ['', '\n{"name":"Rex","categoryId":"7"}', 'ndjson', 2],
    ['', 'name;categoryId\nRex;7', 'csv', 2],
  ])('reads %j %j', async (path, text, format, line) => {
    const { reader, rows, faults, bytes } = await read(text, { path });
    expect({ format: reader.format, rows, faults }).toEqual({
      format,
      rows: [{ row: 1, line, pet: REX }],
      faults: [],
    });
    expect(bytes).toBe(text.length);
  });

  test('keeps to the format that it is told', async () => {
    const { rows } = await read('{"name":"Rex","categoryId":7}\n', { format: 'ndjson' });
    expect(rows).toHaveLength(1);
  });

  test('counts rows that are wrong, and gives each fault its place', async () => {
    const { reader, rows, faults } = await read('name,categoryId\nRex\n\nMia,x\n"Zoe,9\n');
    expect(reader.rowCount).toBe(3);
    expect(rows).toEqual([]);
    expect(faults).toEqual([
      { row: 1, line: 2, message: expect.stringContaining('1 cell') },
      { row: 2, line: 4, field: 'categoryId', message: expect.any(String) },
      { row: 3, line: 5, message: expect.stringContaining('never closed') },
    ]);
  });

  test.each(['\n', '\r\n', '\r'])(
    'names the line of a byte that is not UTF-8 (breaks are %j)',
    async (end) => {
      const text = Buffer.from(['name,categoryId', 'Rex,7', 'M\xf6hre,8', 'Zoe,9', ''].join(end), 'latin1');
      for (const length of [1, 100]) {
        const { rows, faults } = await read(text, {}, length);
        expect(rows.map(({ pet }) => pet.name)).toEqual(['Rex']);
        expect(faults).toEqual([{ line: 3, message: expect.stringContaining('not UTF-8') }]);
      }
    },
  );

  test('stops at a header that is wrong', async () => {
    const { reader, faults } = await read('name\nRex\nMia\n');
    expect(reader.rowCount).toBe(0);
    expect(faults).toEqual([{ line: 1, field: 'categoryId', message: 'there is no column categoryId' }]);
  });

  test('tells delimiter and columns of a table', async () => {
    const { reader } = await read('categoryId|name\n');
    expect([reader.delimiter, reader.columns]).toEqual(['|', ['categoryId', 'name']]);
  });

  test('says that there is no header where there is nothing', async () => {
    expect((await read('', { path: '' })).faults).toEqual([
      { line: 1, message: expect.stringContaining('empty') },
    ]);
    expect((await read('', { path: 'a.ndjson' })).faults).toEqual([]);
  });
});
