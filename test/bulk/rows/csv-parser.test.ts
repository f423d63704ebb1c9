import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { csvLine } from '../../../src/bulk/rows/row-writer.js';
import { CsvParser } from '../../../src/bulk/rows/csv-parser.js';
import type { Parsed } from '../../../src/bulk/rows/row.js';

async function parse(text: string, length = Infinity, parser = new CsvParser()): Promise<Parsed[]> {
  const parsed: Parsed[] = [];
  for (let at = 0; at < text.length && !parser.hasFailed; at += length)
    parsed.push(...(await parser.push(text.slice(at, at + length))));
  return parser.hasFailed ? parsed : [...parsed, ...(await parser.end())];
}

/** The line, name and category of each row, or the line and message of its error. */
async function parseRows(rows: string, length?: number) {
  const parsed = await parse(`name,categoryId\n${rows}`, length, new CsvParser({ csvRaw: true }));
  return parsed.map((each) =>
    each.kind === 'record'
      ? [each.line, each.fields.name ?? '', each.fields.categoryId ?? '']
      : [each.error.line, each.error.message],
  );
}

describe.each([Infinity, 1, 2, 3, 5])('in pieces of %d', (length) => {
  test('maps cells by column name and omits empty cells', async () => {
    expect(await parse('\nstatus;name;categoryId\n sold ; Rex ; 7 \n;"";\n', length)).toEqual([
      { kind: 'record', line: 3, fields: { status: 'sold', name: ' Rex ', categoryId: '7' } },
      { kind: 'record', line: 4, fields: {} },
    ]);
  });

  test('reports a row with too few or too many cells, and continues', async () => {
    expect(await parse('name,categoryId\nRex\nMia,8,sold\nZoe,9\n', length)).toEqual([
      { kind: 'error', isRow: true, error: { line: 2, message: 'Row has 1 cell, but the header has 2' } },
      { kind: 'error', isRow: true, error: { line: 3, message: 'Row has 3 cells, but the header has 2' } },
      { kind: 'record', line: 4, fields: { name: 'Zoe', categoryId: '9' } },
    ]);
  });

  test('reads no row after an invalid header', async () => {
    const parser = new CsvParser();
    const parsed = await parse('name,category\nRex,7\n', length, parser);
    expect(parser.hasFailed).toBe(true);
    expect(parsed.map((each) => each.kind === 'error' && !each.isRow)).toEqual([true, true]);
  });

  test.each<[string, string, (string | number)[][]]>([
    [
      'line feeds',
      'a,1\nb,2\n',
      [
        [2, 'a', '1'],
        [3, 'b', '2'],
      ],
    ],
    [
      'carriage returns',
      'a,1\rb,2\r',
      [
        [2, 'a', '1'],
        [3, 'b', '2'],
      ],
    ],
    [
      'CRLF',
      'a,1\r\nb,2\r\n',
      [
        [2, 'a', '1'],
        [3, 'b', '2'],
      ],
    ],
    [
      'a last line without an end',
      'a,1\nb,2',
      [
        [2, 'a', '1'],
        [3, 'b', '2'],
      ],
    ],
    [
      'blank lines of every kind',
      '\n\r\n\na,\n\r\n\rb,\n\n',
      [
        [5, 'a', ''],
        [8, 'b', ''],
      ],
    ],
    [
      'empty cells',
      ',\n"",\n,""',
      [
        [2, '', ''],
        [3, '', ''],
        [4, '', ''],
      ],
    ],
    ['doubled quotes', '"a","b ""c"""\n', [[2, 'a', 'b "c"']]],
    ['a quoted cell of doubled quotes only', '"""",""""""', [[2, '"', '""']]],
    ['a delimiter in quotes', '"a,b",c\n', [[2, 'a,b', 'c']]],
    [
      'line breaks in quotes',
      '"a\nb\r\nc\rd",e\r\n\r\nf,\n',
      [
        [2, 'a\nb\r\nc\rd', 'e'],
        [7, 'f', ''],
      ],
    ],
    ['blanks in a name', ' a , b \n', [[2, ' a ', 'b']]],
    ['no row', '', []],
  ])('reads %s', async (_, rows, expected) => {
    expect(await parseRows(rows, length)).toEqual(expected);
  });

  test.each([
    ['a quote inside a cell', 'x,\na"b,c\nd,\n', [3, expect.stringContaining('inside an unquoted cell')]],
    ['text after a quoted cell', 'x,\n"a"b,c\nd,\n', [3, expect.stringContaining('after a closing quote')]],
    [
      'a blank after a quoted cell',
      'x,\n"a" ,c\nd,\n',
      [3, expect.stringContaining('after a closing quote')],
    ],
  ])('reports %s, and continues with the next record', async (_, rows, error) => {
    expect(await parseRows(rows, length)).toEqual([[2, 'x', ''], error, [4, 'd', '']]);
  });

  test('reports the line of a wrong quote in a record of several lines', async () => {
    expect(await parseRows('"a\r\nb",c"\nd,\n', length)).toEqual([
      [3, expect.stringContaining('inside an unquoted cell')],
      [4, 'd', ''],
    ]);
  });

  test.each(['"b\nc\nd\n', '"', '"b""', 'b\n"'])(
    'reports the line of an unclosed quote in %j',
    async (end) => {
      const line = end.startsWith('"') ? 3 : 4;
      const rows = await parseRows(`x,\na,${end}`, length);
      expect(rows.at(-1)).toEqual([line, 'Quote is opened here and not closed']);
      expect(rows).toHaveLength(line - 1);
    },
  );
});

test('unguards a name, unless csvRaw is set', async () => {
  const text = "name,categoryId\n'=1,7\n";
  const nameOf = ([first]: Parsed[]) => first?.kind === 'record' && first.fields.name;
  expect(nameOf(await parse(text))).toBe('=1');
  expect(nameOf(await parse(text, Infinity, new CsvParser({ csvRaw: true })))).toBe("'=1");
});

test('uses the given delimiter, or detects it', async () => {
  const given = new CsvParser({ delimiter: '|' });
  await parse('name|categoryId\nRex|7\n', Infinity, given);
  const detected = new CsvParser();
  await parse('name\tcategoryId\tstatus\n', Infinity, detected);
  expect([given.columns, detected.delimiter, detected.columns]).toEqual([
    ['name', 'categoryId'],
    '\t',
    ['name', 'categoryId', 'status'],
  ]);
});

test.each(['', '\n\n'])('reports the missing header of %j', async (text) => {
  expect(await parse(text)).toEqual([
    { kind: 'error', isRow: false, error: { line: 1, message: 'The table is empty: no header' } },
  ]);
});

test.each([
  [
    'a quote without an end',
    'a\n"',
    'x',
    { line: 3, message: 'Quote is opened here and not closed within 1 MiB' },
  ],
  ['a cell without an end', '', 'x', { line: 2, message: 'Record is longer than 1 MiB' }],
  ['cells without an end', '', ',', { line: 2, message: 'Record is longer than 1 MiB' }],
  ['blank lines without an end', '', '\n', { line: 2, message: 'More than 1 MiB of blank lines' }],
])('stops at %s', async (_, start, filling, error) => {
  const parser = new CsvParser();
  const parsed = [...(await parser.push(`name,categoryId\n${start}`))];
  for (let piece = 0; piece < 20 && !parser.hasFailed; piece += 1)
    parsed.push(...(await parser.push(filling.repeat(65_536))));
  expect(parser.hasFailed).toBe(true);
  expect(parsed.at(-1)).toMatchObject({ kind: 'error', error });
});

test('reads back what csvLine writes', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', '猫') });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { maxLength: 5 }),
      fc.constantFrom(',', ';'),
      fc.integer({ min: 1, max: 9 }),
      async (rows, delimiter, length) => {
        const text = [['name', 'categoryId'], ...rows].map((cells) => csvLine(cells, delimiter)).join('');
        const parsed = await parse(text, length, new CsvParser({ delimiter, csvRaw: true }));
        let line = 2;
        const expected = rows.map(([name, categoryId]) => {
          const fields = {
            ...(name === '' ? {} : { name }),
            ...(categoryId.trim() === '' ? {} : { categoryId: categoryId.trim() }),
          };
          const record = { kind: 'record', line, fields };
          line += 1 + (`${name},${categoryId}`.match(/\r\n|\r|\n/g)?.length ?? 0);
          return record;
        });
        expect(parsed).toEqual(expected);
      },
    ),
  );
});
