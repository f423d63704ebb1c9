import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine } from '../../../src/bulk/rows/csv-cell.js';
import { type CsvRecord, CsvSplitter } from '../../../src/bulk/rows/csv-splitter.js';

function split(text: string, { delimiter = ',', length = Infinity } = {}): CsvRecord[] {
  const splitter = new CsvSplitter(delimiter);
  const records: CsvRecord[] = [];
  for (let at = 0; at < text.length; at += length)
    records.push(...splitter.push(text.slice(at, at + length)));
  return [...records, ...splitter.end()];
}

const cellsOf = (text: string, options?: Parameters<typeof split>[1]) =>
  split(text, options).map(({ line, cells }) => [line, ...cells]);

describe.each([Infinity, 1, 2, 3])('in pieces of %d', (length) => {
  test.each<[string, string, (string | number)[][]]>([
    [
      'line feeds',
      'a,b\nc,d\n',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      'carriage returns',
      'a,b\rc,d\r',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      'both',
      'a,b\r\nc,d\r\n',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      'no end of the last line',
      'a,b\nc,d',
      [
        [1, 'a', 'b'],
        [2, 'c', 'd'],
      ],
    ],
    [
      'blank lines',
      '\n\na\n\r\n\rb\n',
      [
        [3, 'a'],
        [6, 'b'],
      ],
    ],
    [
      'empty cells',
      ',\n"",\n',
      [
        [1, '', ''],
        [2, '', ''],
      ],
    ],
    ['a quoted empty cell alone', '""\n', [[1, '']]],
    ['quotes', '"a","b ""c"""\n', [[1, 'a', 'b "c"']]],
    ['a delimiter in quotes', '"a,b",c\n', [[1, 'a,b', 'c']]],
    [
      'line breaks in quotes',
      '"a\nb\r\nc\rd",e\nf\n',
      [
        [1, 'a\nb\r\nc\rd', 'e'],
        [5, 'f'],
      ],
    ],
    ['blanks around cells', ' a , b \n', [[1, ' a ', ' b ']]],
    [
      'a last cell that is empty',
      'a,\nb,',
      [
        [1, 'a', ''],
        [2, 'b', ''],
      ],
    ],
    ['nothing', '', []],
  ])('reads %s', (_, text, expected) => {
    expect(cellsOf(text, { length })).toEqual(expected);
    expect(split(text, { length }).every(({ fault }) => fault === undefined)).toBe(true);
  });

  test.each([
    [
      'a quote within a cell',
      'x\na"b,c\nd\n',
      { line: 2, message: expect.stringContaining('within a cell') },
    ],
    [
      'text behind a quote',
      'x\n"a"b,c\nd\n',
      { line: 2, message: expect.stringContaining('behind a closing quote') },
    ],
    [
      'a blank behind a quote',
      'x\n"a" ,c\nd\n',
      { line: 2, message: expect.stringContaining('behind a closing') },
    ],
  ])('blames %s, and goes on with the next record', (_, text, fault) => {
    const records = split(text, { length });
    expect(records.map((record) => record.fault)).toEqual([undefined, fault, undefined]);
    expect(records[2]).toEqual({ line: 3, cells: ['d'] });
  });

  test('blames a quote that is never closed where it opens', () => {
    const records = split('x\na,"b\nc\nd\n', { length });
    expect(records[1]?.fault).toEqual({ line: 2, message: 'a quote is opened here and never closed' });
  });
});

test.each([';', '\t', '|'])('takes another delimiter', (delimiter) => {
  expect(cellsOf(`a${delimiter}"b${delimiter}"${delimiter},\n`, { delimiter })).toEqual([
    [1, 'a', `b${delimiter}`, ','],
  ]);
});

test('gives up on a record without an end, and names its quote', () => {
  const splitter = new CsvSplitter(',');
  splitter.push('a\nb,"');
  for (let piece = 0; piece < 20 && !splitter.isLost; piece += 1) splitter.push('x'.repeat(65_536));
  const bare = new CsvSplitter(',');
  const records = Array.from({ length: 20 }, () => bare.push('x'.repeat(65_536))).flat();
  expect(splitter.isLost).toBe(true);
  expect(bare.isLost).toBe(true);
  expect(records[0]?.fault?.message).toContain('longer than 1 MiB');
});

test('reads back whatever is written', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', '猫') });
  fc.assert(
    fc.property(
      fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 }),
      fc.constantFrom(',', ';'),
      fc.integer({ min: 1, max: 9 }),
      (rows, delimiter, length) => {
        const text = rows.map((cells) => csvLine(cells, delimiter)).join('');
        expect(split(text, { delimiter, length }).map(({ cells }) => cells)).toEqual(rows);
      },
    ),
  );
});
