import { describe, expect, test } from 'vitest';
import { loadTableTools, pageTable } from '../../../../src/cli/output/table/table.js';
import type { Column } from '../../../../src/cli/output/rows/view.js';

const COLUMNS: readonly Column[] = [
  { field: 'type', header: 'type', fixed: true },
  { field: 'value', header: 'value', fixed: true },
  { field: 'note', header: 'note' },
  { field: 'ttl', header: 'ttl' },
];
const ROWS = [
  { type: 'CNAME', value: 'cname.platform.test', note: 'lasts for 1 h', ttl: 3600 },
  { type: 'A', value: '192.0.2.1', note: '', ttl: 60 },
];

const tools = await loadTableTools([], 0);
const lay = (width: number, rows: readonly object[] = ROWS, columns = COLUMNS): string[] =>
  pageTable(rows, columns, width, tools);

describe('a table of a page', () => {
  test('is as wide as its values if they fit', () => {
    expect(lay(80)).toEqual([
      'TYPE   VALUE                NOTE            TTL',
      'CNAME  cname.platform.test  lasts for 1 h  3600',
      'A      192.0.2.1                             60',
    ]);
  });

  test('wraps cells between words, except in fixed columns', () => {
    expect(lay(40)).toEqual([
      'TYPE   VALUE                NOTE    TTL',
      'CNAME  cname.platform.test  lasts  3600',
      '                            for',
      '                            1 h',
      'A      192.0.2.1                     60',
    ]);
  });

  test('becomes labels and values if its columns do not fit', () => {
    expect(lay(30)).toEqual([
      'TYPE:  CNAME',
      'VALUE: cname.platform.test',
      'NOTE:  lasts for 1 h',
      'TTL:   3600',
      '',
      'TYPE:  A',
      'VALUE: 192.0.2.1',
      'TTL:   60',
    ]);
    expect(lay(10)).toContain('VALUE: cname.platform.test');
  });

  test('breaks a word that is longer than its column', () => {
    const columns = [COLUMNS[0]!, COLUMNS[2]!];
    const rows = [{ type: 'A', note: 'at https://pets.test/a/long/path/v1 now' }];
    expect(lay(26, rows, columns)).toEqual([
      'TYPE  NOTE',
      'A     at',
      '      https://pets.test/a/',
      '      long/path/v1 now',
    ]);
    expect(lay(16, rows, columns)).toEqual([
      'TYPE: A',
      'NOTE: at',
      '      https://pe',
      '      ts.test/a/',
      '      long/path/',
      '      v1 now',
    ]);
    expect(lay(6, rows, columns)).toContain('      https://pets.test/a/long/path/v1');
  });

  test('shows one item of a list a line, and indents the lines that continue an item', () => {
    const columns = [
      { field: 'name', header: 'name' },
      { field: 'records', header: 'records' },
    ];
    const rows = [{ name: 'ns1', records: ['A 192.0.2.1', 'TXT "v=spf1 -all"'] }];
    expect(lay(80, rows, columns)).toEqual(['NAME  RECORDS', 'ns1   A 192.0.2.1', '      TXT "v=spf1 -all"']);
    expect(lay(22, rows, columns)).toEqual([
      'NAME  RECORDS',
      'ns1   A 192.0.2.1',
      '      TXT "v=spf1',
      '        -all"',
    ]);
  });

  test('leaves out columns without values', () => {
    expect(lay(80, [{ type: 'A' }])).toEqual(['TYPE', 'A']);
    expect(lay(80, [{}])).toEqual([]);
    expect(lay(80, [])).toEqual([]);
  });

  test('counts no columns for colours, and colours every line of a cell', async () => {
    const columns: Column[] = [
      { field: 'state', header: 'state', paint: (text) => (text === 'action required' ? 'red' : undefined) },
      { field: 'id', header: 'id', fixed: true },
    ];
    const rows = [{ state: 'action required', id: 'x'.repeat(10) }];
    expect(pageTable(rows, columns, 20, await loadTableTools([], 1))).toEqual([
      '\u001b[1mSTATE\u001b[22m     \u001b[1mID\u001b[22m',
      `\u001b[31maction\u001b[39m    ${'x'.repeat(10)}`,
      '\u001b[31mrequired\u001b[39m',
    ]);
  });
});
