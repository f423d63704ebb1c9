import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { petStatusStyle } from '../../../../src/cli/output/text/color.js';
import { toRecordLines, toTable, type TableOptions } from '../../../../src/cli/output/table/table.js';
import type { Column, Row } from '../../../../src/cli/output/rows/view.js';

const columns: Column[] = [
  { field: 'id', header: 'id', fixed: true },
  { field: 'name', header: 'name' },
  { field: 'status', header: 'status', paint: petStatusStyle },
];
const plain: TableOptions = { header: true, width: 80, colorLevel: 0 };
const table = (rows: Row[], options: Partial<TableOptions> = {}, shown = columns) =>
  toTable(rows, shown, { ...plain, ...options });

describe('a table', () => {
  test('has titles, right-aligned numbers and no trailing blanks', async () => {
    const rows = [
      { id: 7n, name: 'Rex', status: 'sold' },
      { id: 120n, name: 'Fluffy' },
    ];
    expect(await table(rows)).toBe(
      [' ID  NAME    STATUS', '  7  Rex     sold', '120  Fluffy', ''].join('\n'),
    );
  });

  test('quotes a name of blanks, which is a name', async () => {
    const rows = [
      { id: 7n, name: '  ', status: '' },
      { id: 8n, name: ' Rex ' },
    ];
    expect(await table(rows, {}, columns.slice(0, 2))).toBe('ID  NAME\n 7  "  "\n 8   Rex\n');
    expect(await toRecordLines({ id: 7n, name: '\u00a0' }, columns, plain)).toContain('NAME:   "\u00a0"\n');
  });

  test('can have no titles, and no rows', async () => {
    expect(await table([{ id: 7n, name: 'Rex' }], { header: false })).toBe('7  Rex\n');
    expect(await table([])).toBe('');
  });

  test('truncates names to fit the terminal, but never ids', async () => {
    const rows = [{ id: 9223372036854775807n, name: 'Bartholomew the Third', status: 'available' }];
    expect(await table(rows, { width: 36 })).toBe(
      ['                 ID  NAME     STATUS', '9223372036854775807  Bartho…  avail…', ''].join('\n'),
    );
    expect(await table(rows, { width: 20 })).toBe('                 ID\n9223372036854775807\n');
  });

  test('aligns columns after any characters', async () => {
    const names = [
      'Rex',
      '猫',
      '👩‍👩‍👧‍👦',
      '🇳🇱',
      'e\u0301',
      '❤️',
      'R\u200bex',
      'a\tb',
      'a\nb',
      '\x1b[2J',
      '\u0301',
      '\ue000',
      '',
    ];
    const rows = names.map((name) => ({ id: 1n, name, status: 'sold' }));
    const lines = (await table(rows)).split('\n').slice(1, -1);
    expect(lines).toHaveLength(names.length);
    const columnsOfStatus = lines.map((line) => stringWidth(line.slice(0, line.indexOf('sold'))));
    expect(new Set(columnsOfStatus)).toEqual(new Set([columnsOfStatus[0]]));
    expect(lines[1]).toBe(' 1  猫           sold');
    expect(lines[7]).toBe(' 1  a^Ib         sold');
  });

  test('is aligned the same with colours', async () => {
    const rows = [
      { id: 1n, name: '猫', status: 'available' },
      { id: 2n, name: 'Rex', status: 'adopted' },
    ];
    const coloured = await table(rows, { colorLevel: 1 });
    expect(coloured.replace(/\x1b\[\d+m/g, '')).toBe(await table(rows));
    expect(coloured).toContain('\x1b[32mavailable\x1b[39m\n');
    expect(coloured).toContain('\x1b[1mNAME\x1b[22m');
    expect(coloured).toContain('  adopted\n');
  });

  test('colours a truncated status', async () => {
    const rows = [{ id: 1n, name: 'Rex the long-haired', status: 'available' }];
    expect(await table(rows, { colorLevel: 1, width: 20 })).toContain('\x1b[32mav');
  });

  test('keeps its widths over many rows', async () => {
    const rows = Array.from({ length: 151 }, (_, index) => ({
      id: BigInt(index),
      name: `猫${String(index)}`,
    }));
    rows.push({ id: 12345n, name: 'the longest name' });
    const lines = (await table(rows)).trimEnd().split('\n');
    expect(lines).toHaveLength(153);
    expect(lines[0]).toBe('   ID  NAME              STATUS');
    expect(lines[51]).toBe('   50  猫50');
    expect(lines[152]).toBe('12345  the longest name');
  });

  test('uses the alignment of a column', async () => {
    const aligned: Column[] = [
      { field: 'id', header: 'id', align: 'left' },
      { field: 'name', header: 'name', align: 'right' },
    ];
    expect(
      await table(
        [
          { id: 1n, name: 'Rex' },
          { id: 20n, name: 'Fluffy' },
        ],
        {},
        aligned,
      ),
    ).toBe(['ID    NAME', '1      Rex', '20  Fluffy', ''].join('\n'));
  });
});

describe('a record', () => {
  const row = { id: 7n, name: '猫\n', status: 'sold' };

  test('has one label and value a line, with aligned values', async () => {
    expect(await toRecordLines(row, columns, plain)).toBe('ID:     7\nNAME:   猫^J\nSTATUS: sold\n');
  });

  test('shows a missing value as nothing, without a trailing blank', async () => {
    expect(await toRecordLines({ id: 7n }, columns, plain)).toBe('ID:     7\nNAME:\nSTATUS:\n');
  });

  test('can have no labels', async () => {
    expect(await toRecordLines(row, columns, { ...plain, header: false })).toBe('7\n猫^J\nsold\n');
  });

  test('is coloured like a table', async () => {
    expect(await toRecordLines(row, columns, { ...plain, colorLevel: 1 })).toContain(
      '\x1b[1mSTATUS:\x1b[22m \x1b[2msold\x1b[22m\n',
    );
  });
});
