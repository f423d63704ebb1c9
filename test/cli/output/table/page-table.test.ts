import { describe, expect, test } from 'vitest';
import { type PageColumn, setTable } from '../../../../src/cli/output/table/page-table.js';

const COLUMNS: readonly PageColumn[] = [
  { field: 'type', header: 'type', fixed: true },
  { field: 'value', header: 'value', fixed: true },
  { field: 'note', header: 'note' },
  { field: 'ttl', header: 'ttl', align: 'right' },
];
const ROWS = [
  { type: 'CNAME', value: 'cname.platform.test', note: 'lasts for 1 h', ttl: 3600 },
  { type: 'A', value: '192.0.2.1', note: '', ttl: 60 },
];

function set(
  width: number,
  rows: readonly object[] = ROWS,
  columns = COLUMNS,
  paint = (_style: string, text: string) => text,
) {
  return setTable(rows, columns, { width, measure: (text) => text.length, paint });
}

describe('a table', () => {
  test('as wide as what it holds, where that has room', () => {
    expect(set(80)).toEqual([
      'TYPE   VALUE                NOTE            TTL',
      'CNAME  cname.platform.test  lasts for 1 h  3600',
      'A      192.0.2.1                             60',
    ]);
  });

  test('goes on below where there is none, but not in fixed columns', () => {
    expect(set(40)).toEqual([
      'TYPE   VALUE                NOTE    TTL',
      'CNAME  cname.platform.test  lasts  3600',
      '                            for',
      '                            1 h',
      'A      192.0.2.1                     60',
    ]);
  });

  test('is given up for one value under the other before anything is cut', () => {
    expect(set(30)).toEqual([
      ...['TYPE   CNAME', 'VALUE  cname.platform.test', 'NOTE   lasts for 1 h', 'TTL    3600', ''],
      ...['TYPE   A', 'VALUE  192.0.2.1', 'TTL    60'],
    ]);
    // Whole, whatever the width.
    expect(set(10)).toContain('VALUE  cname.platform.test');
  });

  test('is given up as well where a cell would get high', () => {
    const columns = COLUMNS.slice(1, 3);
    expect(set(26, [{ value: 'cname.platform.test', note: 'a b c d e f g h i j k l m n' }], columns)).toEqual(
      ['VALUE  cname.platform.test', 'NOTE   a b c d e f g h i j', '       k l m n'],
    );
  });
});

test('a word that may be broken goes on below, in a table and in a stack', () => {
  const columns = [COLUMNS[0]!, { ...COLUMNS[2]!, breaks: true }];
  const rows = [{ type: 'A', note: 'at https://pets.test/a/long/path/v1 now' }];
  expect(set(26, rows, columns)).toEqual([
    'TYPE  NOTE',
    ...['A     at', '      https://pets.test/a/', '      long/path/v1 now'],
  ]);
  expect(set(16, rows, columns)).toEqual([
    ...['TYPE  A', 'NOTE  at', '      https://pe', '      ts.test/a/', '      long/path/'],
    '      v1 now',
  ]);
  // Where there is no room at all, whole.
  expect(set(6, rows, columns)).toContain('      https://pets.test/a/long/path/v1');
});

test('the items of a list stand under each other, and can be told apart where they go on', () => {
  const columns = [
    { field: 'name', header: 'name' },
    { field: 'records', header: 'records' },
  ];
  const rows = [{ name: 'ns1', records: ['A 192.0.2.1', 'TXT "v=spf1 -all"'] }];
  expect(set(80, rows, columns)).toEqual(['NAME  RECORDS', 'ns1   A 192.0.2.1', '      TXT "v=spf1 -all"']);
  expect(set(22, rows, columns)).toEqual([
    ...['NAME  RECORDS', 'ns1   A 192.0.2.1', '      TXT "v=spf1', '        -all"'],
  ]);
});

test('what is the same as above is left blank where that is wanted', () => {
  const rows = [
    { type: 'A', ttl: 1 },
    { type: 'A', ttl: 1 },
    { type: 'B', ttl: 1 },
  ];
  const columns = [
    { field: 'type', header: 'type', once: true },
    { field: 'ttl', header: 'ttl' },
  ];
  expect(set(80, rows, columns)).toEqual(['TYPE  TTL', 'A     1', '      1', 'B     1']);
});

test('what is shown once stands beside all of its rows', () => {
  const columns = [
    { field: 'entry', header: 'entry', once: true },
    { field: 'url', header: 'asked', fixed: true },
  ];
  const rows = ['http://a', 'https://a'].map((url) => ({ entry: 'one two', url }));
  expect(set(16, [...rows, { entry: 'x', url: 'http://b' }], columns)).toEqual([
    ...['ENTRY  ASKED', 'one    http://a', 'two    https://a', 'x      http://b'],
  ]);
});

test('columns and rows of nothing are no table', () => {
  expect(set(80, [{ type: 'A' }])).toEqual(['TYPE', 'A']);
  expect(set(80, [{}])).toEqual([]);
  expect(set(80, [])).toEqual([]);
});

test('styles take no columns; a cell has the style of its whole text', () => {
  const columns: PageColumn[] = [
    { field: 'state', header: 'state', paint: (text) => (text === 'action required' ? 'red' : undefined) },
    { field: 'id', header: 'id', fixed: true },
  ];
  const rows = [{ state: 'action required', id: 'x'.repeat(10) }];
  expect(set(20, rows, columns, (style, text) => `<${style} ${text}>`)).toEqual([
    '<bold STATE>     <bold ID>',
    `<red action>    ${'x'.repeat(10)}`,
    '<red required>',
  ]);
});
