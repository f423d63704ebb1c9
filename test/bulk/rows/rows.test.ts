import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkRow, FIELD_NAMES } from '../../../src/bulk/rows/check-row.js';
import { detectDelimiter } from '../../../src/bulk/rows/csv-header.js';
import { CsvParser } from '../../../src/bulk/rows/csv-parser.js';
import { JsonArrayParser } from '../../../src/bulk/rows/json-parsers.js';
import { RowReader, type RowSource } from '../../../src/bulk/rows/row-reader.js';
import { csvLine } from '../../../src/bulk/rows/row-writer.js';
import { type Parsed, RECORD_MAX, type RecordParser, type RowError } from '../../../src/bulk/rows/row.js';
import { createPetStore } from '../../../src/client/index.js';
import { InvalidInputError } from '../../../src/errors.js';
import { stringifyJson } from '../../../src/schema/json.js';
import { NEW_PET_FIELDS, type NewPet, OPTIONAL_ENTRIES } from '../../../src/schema/pet-reader.js';
import { pieces } from '../../support/pieces.js';

/** Reads a text. The outcomes are `2: Rex 7 sold` for a row, and `3:5! MESSAGE` for an error in line 3, column 5. */
async function read(text: string | Uint8Array, source: Partial<RowSource> = {}, length = Infinity) {
  const reader = new RowReader({ path: '', name: '', ...source });
  const outcomes: string[] = [];
  const errors: RowError[] = [];
  let bytes = 0;
  for await (const batch of reader.read(pieces(text, Math.min(length, text.length + 1)))) {
    const found = [
      ...batch.rows.map(({ line, pet: { name, categoryId, status = '' } }) => ({
        line,
        text: `${String(line)}: ${JSON.stringify(name).slice(1, -1)} ${String(categoryId)} ${status}`.trimEnd(),
      })),
      ...batch.errors.map(({ line, column, message }) => ({
        line,
        text: `${String(line)}${column === undefined ? '' : `:${String(column)}`}! ${message}`,
      })),
    ];
    outcomes.push(...found.sort((one, other) => one.line - other.line).map((each) => each.text));
    errors.push(...batch.errors);
    bytes = batch.bytes;
  }
  return { reader, outcomes, errors, bytes };
}

type Case = readonly [what: string, text: string, ...outcomes: string[]];

/** Reads each text in pieces of several lengths. An error is compared up to the end of the expected text. */
function rowCases(what: string, source: Partial<RowSource>, start: string, cases: readonly Case[]): void {
  describe.each([Infinity, 1, 2, 3, 5])(`${what} in pieces of %d`, (length) => {
    test.each(cases)('%s', async (_, text, ...expected) => {
      const { outcomes } = await read(start + text, source, length);
      const shown = outcomes.map((each, index) =>
        each.includes('! ') ? each.slice(0, expected[index]?.length) : each,
      );
      expect(shown).toEqual(expected);
    });
  });
}

rowCases('CSV', { csvRaw: true }, 'name,categoryId\n', [
  ['line feeds', 'a,1\nb,2\n', '2: a 1', '3: b 2'],
  ['carriage returns', 'a,1\rb,2\r', '2: a 1', '3: b 2'],
  ['CRLF', 'a,1\r\nb,2\r\n', '2: a 1', '3: b 2'],
  ['a last line without an end', 'a,1\nb,2', '2: a 1', '3: b 2'],
  ['blank lines of every kind', '\n\r\n\na,1\n\r\n\rb,2\n\n', '5: a 1', '8: b 2'],
  [
    'empty cells',
    ',1\n"",2\nx,""',
    '2:1! name is missing',
    '3:1! name is missing',
    '4:3! category is missing',
  ],
  ['doubled quotes', '"a ""b""",1\n"""",2', String.raw`2: a \"b\" 1`, String.raw`3: \" 2`],
  ['a delimiter in quotes', '"a,b",1\n', '2: a,b 1'],
  ['line breaks in quotes', '"a\nb\r\nc\rd",1\r\n\r\nf,2\n', String.raw`2: a\nb\r\nc\rd 1`, '7: f 2'],
  ['blanks', ' a , 1 \n', '2:  a  1'],
  ['no row', ''],
  ['too few cells', 'Rex\nZoe,9\n', '2! Row has 1 cell, but the header has 2: "Rex"', '3: Zoe 9'],
  [
    'too many cells',
    'Mia,8,sold\nZoe,9',
    '2! Row has 3 cells, but the header has 2: "Mia,8,sold"',
    '3: Zoe 9',
  ],
  ['a quote inside a cell', 'x,1\na"b,2\nd,3\n', '2: x 1', '3:2! Quote inside an unquoted cell', '4: d 3'],
  ['text after a quoted cell', 'x,1\n"a"b,2\nd,3', '2: x 1', '3:4! Text after a closing quote', '4: d 3'],
  ['a blank after a quoted cell', 'x,1\n"a" ,2\nd,3', '2: x 1', '3:4! Text after a closing quote', '4: d 3'],
  ['a wrong quote in a later line', '"a\r\nb",1"\nd,2\n', '3:5! Quote inside an unquoted cell', '4: d 2'],
  ['an unclosed quote', 'x,1\na,"b\nc\nd\n', '2: x 1', '3:3! Quote is opened here and not closed'],
  ['an unclosed quote at the end', 'x,1\na,"', '2: x 1', '3:3! Quote is opened here and not closed'],
  ['an unclosed doubled quote', 'x,1\na,"b""', '2: x 1', '3:3! Quote is opened here and not closed'],
  ['an unclosed quote in a last line', 'x,1\n"', '2: x 1', '3:1! Quote is opened here and not closed'],
]);

rowCases('a header', { path: 'pets.csv' }, '', [
  [
    'columns in any order, after blank lines',
    '\nstatus;name;categoryId\n sold ; Rex ; 7 \n',
    '3:  Rex  7 sold',
  ],
  ['columns of a rejected-rows file', ' status,categoryId ,name,error\nsold,7,Rex,no', '2: Rex 7 sold'],
  ['other case, blanks and underscores', 'NAME,Category ID,sta_tus\nRex,7,sold', '2: Rex 7 sold'],
  ['other blanks', '\uFEFF n a m e ,Category\u00A0Id,_status_\nRex,7,sold', '2: Rex 7 sold'],
  ['a column missing', 'name\nRex\n', '1! Column category is missing'],
  ['no name of a column', '\nname,categoryId,', '2! Column 3 has no name'],
  ['a column twice', 'name,categoryId,name', '1! Duplicate column "name"'],
  [
    'a field twice',
    'name,Category ID,category_id',
    '1! Columns "Category ID" and "category_id" are both the category',
  ],
  ['an unknown column', 'name,categoryId,breed\nRex,7,a', '1! Unknown column "breed"'],
  [
    'the ids of an export',
    ' i_d,name,categoryId\n1,Rex,7',
    '1! Column "i_d" would not be sent: the rows would',
  ],
  ['a row as the first line', 'Rex,7\nMia,8\n', '1! The first line must name the columns'],
  ['nothing', '', '1! The table is empty: no header'],
  ['blank lines', '\n\n', '1! The table is empty: no header'],
]);

rowCases('NDJSON', { format: 'ndjson' }, '', [
  ['nothing', ''],
  [
    'an object per line, with every digit',
    '{"name":"Rex","categoryId":9223372036854775807}\r\n\n  \n{"name":"Mia","categoryId":"-1","status":"sold"}',
    ...['1: Rex 9223372036854775807', '4: Mia -1 sold'],
  ],
  [
    'a status of null, and the reason of a rejection',
    '{"name":"R","categoryId":7,"status":null,"error":1}',
    '1: R 7',
  ],
  ['nested objects', '{"error":{"name":1},"name":"Rex","categoryId":7}', '1: Rex 7'],
  [
    'a comma at the end',
    '{"name":"Rex",}\n{"name":"Mia","categoryId":8}',
    '1:15! Not valid JSON: found "}"',
    '2: Mia 8',
  ],
  ['half an object', '{"name":', '1:9! Not valid JSON: found the end of the text'],
  [
    'other values',
    '7\n"x"\nnull\n[]',
    ...['7', '"x"', 'null', '[]'].map(
      (row, at) => `${String(at + 1)}:1! ${row} is not an object, such as {"name":"Rex","category":7}`,
    ),
  ],
  ['a duplicate field', '{"name":"Rex","name":"Mia"}', '1:15! Duplicate field "name"'],
  ['an escaped duplicate', String.raw`{"name":"Rex","n\u0061me":"Mia"}`, '1:15! Duplicate field "name"'],
  ['no name', '{"categoryId":1}\n{"name":null,"categoryId":1}', '1! name is missing', '2:2! name is missing'],
  ['a name that is no text', '{"name":7,"categoryId":1}', '1:2! name 7 is not a string, such as "Rex"'],
  ['no category', '{"name":"Rex"}', '1! category is missing'],
  ...['1.5', '1e20', '"007"', '1.0000000000000001', '1e2', '-0', '"9223372036854775808"', '"1e2"'].map(
    (categoryId): Case => [
      `the category ${categoryId}`,
      `{"name":"R","categoryId":${categoryId}}`,
      `1:13! category ${categoryId} is not a 64-bit integer in plain digits, such as 7`,
    ],
  ),
  ...['1.0', '-20.000', '12345678901234567.0'].flatMap((written) =>
    [written, `"${written}"`].map((categoryId): Case => {
      const whole = String(written.split('.')[0]);
      return [
        `the category ${categoryId}`,
        `{"name":"R","categoryId": ${categoryId} }`,
        `1:13! category ${categoryId} is not a 64-bit integer in plain digits, such as ${whole}`,
      ];
    }),
  ),
  [
    'an unknown status',
    '{"name":"R","categoryId":1,"status":"Sold"}',
    '1:28! status "Sold" is not one of available, pending, sold',
  ],
  ['an unknown field', '{"name":"R","categoryId":1,"Name":3}', '1:28! Unknown field "Name"'],
  ...['id', 'ID', '_id'].map((field): Case => [
    `the field ${field} of an export`,
    `{"name":"R","categoryId":1,"${field}":3}`,
    `1:28! Field "${field}" would not be sent: the rows would become NEW pets with new ids`,
  ]),
]);

const BOTH = '"category" and "categoryId" are both the category';

rowCases('the name category', {}, '', [
  ['in a table', 'Category,name\n7,Rex', '2: Rex 7'],
  [
    'twice in a table',
    'category,Category,name\n7,8,Rex',
    '1! Columns "category" and "Category" are both the category',
  ],
  ['next to categoryId', 'category,name,categoryId\na,Rex,7', `1! Columns ${BOTH}`],
  ['in an object, with every digit', '{"name":"Rex","category":9007199254740993}', '1: Rex 9007199254740993'],
  ['in an object, with a wrong value', '{"name":"Rex","category":1e2}', '1:15! category 1e2 is not a 64-bit'],
  ['next to categoryId in an object', '{"categoryId":7,"name":"Rex","category":8}', `1:30! Fields ${BOTH}`],
]);

test.each(['category,name,categoryId\na,Rex,7', '{"category":"a","name":"Rex","categoryId":7}'])(
  'of %j only categoryId is read if unknown columns are ignored',
  async (text) => {
    const { outcomes, reader } = await read(text, { ignoreColumns: true });
    expect([outcomes[0]?.slice(2), reader.ignored?.names]).toEqual([' Rex 7', ['category']]);
  },
);

test.each([
  ['a name in quotes before it', 'name,categoryId,status\n"a,""\nb",7,Sold\n', '3:6'],
  ['an object on several lines', '[\n {"name":"a",\n  "categoryId":7,"status":"Sold"}]', '3:18'],
  ['a semicolon', 'status;name;category\nSold;a;7', '2:1'],
])('the position of a wrong value: %s', async (_, text, position) => {
  const [line, column] = position.split(':').map(Number);
  expect((await read(text)).errors).toMatchObject([{ line, column, field: 'status', given: 'Sold' }]);
});

test('a wrong value is truncated between characters', async () => {
  const status = `${'x'.repeat(59)}😀`;
  const [error] = (await read(`name,category,status\nRex,7,${status}`)).errors;
  expect(error?.message).toBe(`status "${'x'.repeat(59)}…" is not one of available, pending, sold`);
});

rowCases('a JSON array', { format: 'json' }, '', [
  [
    'elements with every digit',
    ' [\n {"name":"a\\"]}","categoryId":1,"error":[{}]},\n\n{"name":"b","categoryId":9007199254740993}\n]\n ',
    ...[String.raw`2: a\"]} 1`, '4: b 9007199254740993'],
  ],
  ['no element', '[]'],
  ['no array', '{"name":"Rex"}', '1:1! Input must begin with ['],
  ['nothing', '', '1:1! Input must begin with ['],
  ['no comma', '[\n7 {}]', '2:1! 7 is not an object', '2:3! Comma is missing'],
  ['a comma at the end', '[7,\n]', '1:2! 7 is not an object', '2:1! Unexpected "]"'],
  ['a comma at the start', '[,{}]', '1:2! Unexpected ","'],
  ['text after the array', '[7]\nx', '1:2! 7 is not an object', '2:1! Unexpected text after the array'],
  ['no end', '[7', '1:2! 7 is not an object', '1:3! Array is not closed'],
  [
    'invalid JSON in elements',
    '[{"a":1,\n"b" 2},\n{"name":"c","categoryId":3}, "x", nul]',
    ...['2:5! Not valid JSON', '3: c 3', '3:30! "x" is not an object', '3:35! Not valid JSON'],
  ],
]);

test.each([
  ['pets.csv', 'name,categoryId\nRex,7\n', 'csv', 2],
  ['a.b/PETS.TSV', 'name\tcategoryId\nRex\t7\n', 'csv', 2],
  ['pets.ndjson', '{"name":"Rex","categoryId":7}\n', 'ndjson', 1],
  ['pets.jsonl', '{"name":"Rex","categoryId":7}\n', 'ndjson', 1],
  ['pets.json', '[{"name":"Rex","categoryId":7}]', 'json', 1],
  ['', '\n\n [{"name":"Rex","categoryId":7}]', 'json', 3],
  ['pets.txt', '\n{"name":"Rex","categoryId":"7"}', 'ndjson', 2],
  ['csv', 'name;categoryId\nRex;7', 'csv', 2],
  ['', '"name","categoryId"\nRex,7', 'csv', 2],
])('detects the format of %j with %j', async (path, text, format, line) => {
  const { reader, outcomes, bytes } = await read(text, { path }, 3);
  expect([reader.format, outcomes, bytes]).toEqual([format, [`${String(line)}: Rex 7`], text.length]);
});

test.each([
  ['name,categoryId,status', ','],
  ['name;categoryId', ';'],
  ['name\tcategoryId', '\t'],
  ['name|categoryId', '|'],
  ['"name";"categoryId";"a,b,c"', ';'],
  ['nmae;category', ';'],
  ['', ','],
])('detects the delimiter of %j', (line, delimiter) => {
  expect(detectDelimiter(line)).toBe(delimiter);
});

test('uses the given delimiter, and reports the delimiter and the columns', async () => {
  const { reader, outcomes } = await read('categoryId|name\n7|a;b\n', { delimiter: '|' });
  expect([outcomes, reader.delimiter, reader.columns]).toEqual([['2: a;b 7'], '|', ['categoryId', 'name']]);
});

test('unguards a name, unless csvRaw is set', async () => {
  const text = "name,categoryId\n'=1,7\n";
  expect((await read(text)).outcomes).toEqual(['2: =1 7']);
  expect((await read(text, { csvRaw: true })).outcomes).toEqual(["2: '=1 7"]);
});

test('ignores unknown columns and fields on demand', async () => {
  const table = await read('ID,name,breed,categoryId,,breed\n1,Rex,a,7,b,c\n', { ignoreColumns: true });
  expect([table.outcomes, table.reader.ignored?.names]).toEqual([['2: Rex 7'], ['ID', 'breed', 'column 5']]);
  const objects = await read('{"id":1,"name":"Rex","categoryId":7}', { ignoreColumns: true });
  expect([objects.outcomes, objects.reader.ignored?.names]).toEqual([['1: Rex 7'], ['id']]);
  expect((await read('breed\nx\n', { ignoreColumns: true })).errors).toHaveLength(1);
});

test('counts invalid rows, and reports the position of each error', async () => {
  const { reader, errors } = await read('name,categoryId\nRex\n\nMia,x\n"Zoe,9\n', {}, 3);
  expect(reader.rowCount).toBe(3);
  expect(errors).toEqual([
    { row: 1, line: 2, message: expect.stringContaining('1 cell') },
    { row: 2, line: 4, column: 5, field: 'categoryId', message: expect.any(String) },
    { row: 3, line: 5, column: 1, message: expect.stringContaining('not closed') },
  ]);
});

test('reports all errors of a row, and of a header, at once', async () => {
  const message = expect.any(String) as string;
  const fields = { name: '', categoryId: '9223372036854775808', status: 'Sold', nmae: 'Rex' };
  const at = { line: 3, row: 2 };
  expect(checkRow({ line: 3, fields }, 2)).toEqual({
    errors: [
      { ...at, field: 'nmae', isUnknownField: true, given: 'nmae', known: FIELD_NAMES, message },
      { ...at, field: 'name', message: 'name is missing' },
      { ...at, field: 'categoryId', message },
      { ...at, field: 'status', given: 'Sold', known: ['available', 'pending', 'sold'], message },
    ],
  });
  expect((await read('name,category-number,error,\n')).errors).toEqual([
    {
      line: 1,
      field: 'category-number',
      isUnknownField: true,
      given: 'category-number',
      known: FIELD_NAMES,
      message,
    },
    { line: 1, isUnknownField: true, message: 'Column 4 has no name' },
    { line: 1, field: 'categoryId', message: 'Column category is missing' },
  ]);
});

test('truncates long input in messages', () => {
  const long = 'x'.repeat(100_000);
  const checked = checkRow({ line: 1, fields: { name: 'Rex', categoryId: 7, status: long, [long]: 1 } }, 1);
  expect(JSON.stringify(checked).length).toBeLessThan(1_000);
});

test('reads a header of a million columns in linear time', async () => {
  const columns = Array.from({ length: 100_000 }, (_, index) => `c${String(index)}`);
  expect((await read(['name', 'categoryId', ...columns].join(','))).errors).toHaveLength(100_000);
});

test.each([
  ['csv', 'name,categoryId\na\n"', 'x', '3:1! Quote is opened here and not closed within 1 MiB'],
  ['csv', 'name,categoryId\n', 'x', '2! Record is longer than 1 MiB'],
  ['csv', 'name,categoryId\n', ',', '2! Record is longer than 1 MiB'],
  ['csv', 'name,categoryId\n', '\n', '2! More than 1 MiB of blank lines'],
  ['ndjson', '{}\n', 'x', '2! Line is longer than 1 MiB'],
  ['json', '[\n {"name":"', 'x', '2:2! Row is longer than 1 MiB'],
] as const)('%s: stops at %j and a long text of %j', async (format, start, filling, outcome) => {
  const { outcomes } = await read(start + filling.repeat(RECORD_MAX + 100_000), { format }, 65_536);
  expect(outcomes.at(-1)).toBe(outcome);
});

test('accepts and rejects the same rows as pets.create, except for a status of null', async () => {
  const store = createPetStore({
    apiKey: 'k',
    baseUrl: 'http://127.0.0.1/v1',
    fetch: async (_, init) => new Response(String(init?.body).replace('{', '{"id":1,'), { status: 201 }),
  });
  const values = ['', 'Rex', 'sold', 'Sold', '7', '07', 7, 7.5, 2 ** 53, 2n ** 63n, -3n, null, true];
  const names = fc.constantFrom(...NEW_PET_FIELDS, 'other');
  const fields = fc
    .dictionary(names, fc.constantFrom<unknown>(...values), { noNullPrototype: true })
    .filter((row) => OPTIONAL_ENTRIES.every(([field]) => row[field] !== null));
  await fc.assert(
    fc.asyncProperty(fields, async (row) => {
      const error: unknown = await store.pets.create(row as unknown as NewPet).then(
        () => undefined,
        (reason: unknown) => reason,
      );
      if (error !== undefined) expect(error).toBeInstanceOf(InvalidInputError);
      expect('pet' in checkRow({ line: 3, fields: row }, 2)).toBe(error === undefined);
    }),
  );
});

async function parseWith(parser: RecordParser, text: string, length: number): Promise<Parsed[]> {
  const parsed: Parsed[] = [];
  for (let at = 0; at < text.length; at += length)
    parsed.push(...(await parser.push(text.slice(at, at + length))));
  return [...parsed, ...(await parser.end())];
}

test('reads back what csvLine writes', async () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '"', ',', ';', '\n', '\r', ' ', '猫') });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(cell, cell), { maxLength: 5 }),
      fc.constantFrom(',', ';'),
      fc.integer({ min: 1, max: 9 }),
      async (rows, delimiter, length) => {
        const text = [['name', 'categoryId'], ...rows].map((cells) => csvLine(cells, delimiter)).join('');
        let line = 2;
        const expected = rows.map(([name, categoryId]) => {
          const fields = {
            ...(name === '' ? {} : { name }),
            ...(categoryId.trim() === '' ? {} : { categoryId: categoryId.trim() }),
          };
          const record = { kind: 'record', line, fields, positionOf: expect.any(Function) as unknown };
          line += 1 + (`${name},${categoryId}`.match(/\r\n|\r|\n/g)?.length ?? 0);
          return record;
        });
        expect(await parseWith(new CsvParser({ delimiter, csvRaw: true }), text, length)).toEqual(expected);
      },
    ),
  );
});

test('reads what stringifyJson writes', async () => {
  const element = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
  const inputs = [fc.array(element), fc.integer({ min: 1, max: 20 }), fc.constantFrom(0, 2)] as const;
  await fc.assert(
    fc.asyncProperty(...inputs, async (rows, length, space) => {
      const parsed = await parseWith(new JsonArrayParser(), stringifyJson(rows, space), length);
      const records = parsed.map((each) => each.kind === 'record' && each.fields);
      expect(stringifyJson(records)).toBe(stringifyJson(rows));
    }),
  );
});
