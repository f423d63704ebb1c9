import { expect, test } from 'vitest';
import { type RowLayout, writeRows } from '../../../src/bulk/rows/row-writer.js';
import { collect } from '../../support/pieces.js';

const ROWS = [
  { id: 9_223_372_036_854_775_807n, name: '=Rex', status: undefined, more: [1] },
  { id: 2n, name: 'a;b', status: 'sold' },
];
const COLUMNS = ['name', 'id', 'status'];
const write = async (layout: Partial<RowLayout>, rows: readonly Record<string, unknown>[] = ROWS) =>
  (await collect(writeRows(rows, { format: 'csv', columns: COLUMNS, ...layout }))).join('');

test('writes CSV with the given columns only', async () => {
  expect(await write({})).toBe("name,id,status\r\n'=Rex,9223372036854775807,\r\na;b,2,sold\r\n");
  expect(await write({ delimiter: ';', csvRaw: true })).toBe(
    'name;id;status\r\n=Rex;9223372036854775807;\r\n"a;b";2;sold\r\n',
  );
  expect(await write({}, [])).toBe('name,id,status\r\n');
});

test('writes JSON with every field', async () => {
  const [first, second] = [
    '{"id":9223372036854775807,"name":"=Rex","more":[1]}',
    '{"id":2,"name":"a;b","status":"sold"}',
  ];
  expect(await write({ format: 'ndjson' })).toBe(`${first}\n${second}\n`);
  expect(await write({ format: 'ndjson' }, [])).toBe('');
  expect(await write({ format: 'json' })).toBe(`[\n${first},\n${second}\n]\n`);
  expect(await write({ format: 'json' }, [])).toBe('[\n]\n');
});
