import { expect, test } from 'vitest';
import { renderRows } from '../../../src/cli/output/render-rows.js';
import type { OutputFormat } from '../../../src/cli/output/view.js';
import { PLAIN } from './plain-options.js';

const columns = [
  { field: 'id', header: 'id' },
  { field: 'categoryId', header: 'category' },
];
const row = { id: 1n, categoryId: 3n, chip: 'not declared' };

test.each<[OutputFormat, boolean, string]>([
  ['csv', true, 'id,categoryId\r\n1,3\r\n'],
  ['csv', false, 'id,categoryId\r\n1,3\r\n'],
  ['tsv', true, '1\t3\n'],
  ['tsv', false, '1\t3\n'],
  ['ids', true, '1\n'],
  ['ids', false, '1\n'],
  ['table', true, 'ID  CATEGORY\n 1         3\n'],
  ['table', false, 'ID:       1\nCATEGORY: 3\n'],
])('%s, list: %s', async (format, isList, text) => {
  expect(await renderRows([row], isList, columns, { ...PLAIN, format })).toBe(text);
});

test('prints no header with --no-header, and raw cells with --csv-raw', async () => {
  const rows = [{ id: '=1' }];
  const bare = { ...PLAIN, format: 'csv', header: false } as const;
  expect(await renderRows(rows, true, columns, bare)).toBe("'=1,\r\n");
  expect(await renderRows(rows, true, columns, { ...bare, csvRaw: true })).toBe('=1,\r\n');
});
