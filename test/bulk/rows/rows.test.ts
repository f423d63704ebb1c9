import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkRow, FIELD_NAMES, fieldOf } from '../../../src/bulk/rows/check-row.js';
import { detectDelimiter } from '../../../src/bulk/rows/csv-header.js';
import { CsvParser } from '../../../src/bulk/rows/csv-parser.js';
import { JsonArrayParser } from '../../../src/bulk/rows/json-array-parser.js';
import { csvLine } from '../../../src/bulk/rows/row-writer.js';
import { type Parsed, RECORD_MAX, type RecordParser } from '../../../src/bulk/rows/row.js';
import { createPetStore } from '../../../src/client/internal.js';
import { InvalidInputError } from '../../../src/errors.js';
import { stringifyJson } from '../../../src/schema/json.js';
import { NEW_PET_FIELDS, type NewPet, OPTIONAL_ENTRIES } from '../../../src/schema/pet-reader.js';
import { IS_FULL } from '../../support/random-runs.js';
import { readRows } from './read-rows.js';

test.each(['category,name,categoryId\na,Rex,7', '{"category":"a","name":"Rex","categoryId":7}'])(
  'of %j only categoryId is read if unknown columns are ignored',
  async (text) => {
    const { outcomes, reader } = await readRows(text, { ignoreColumns: true });
    expect([outcomes[0]?.slice(2), reader.ignored?.names]).toEqual([' Rex 7', ['category']]);
  },
);

test.each([
  ['a name in quotes before it', 'name,categoryId,status\n"a,""\nb",7,Sold\n', '3:6'],
  ['an object on several lines', '[\n {"name":"a",\n  "categoryId":7,"status":"Sold"}]', '3:18'],
  ['a semicolon', 'status;name;category\nSold;a;7', '2:1'],
])('the position of a wrong value: %s', async (_, text, position) => {
  const [line, column] = position.split(':').map(Number);
  expect((await readRows(text)).errors).toMatchObject([{ line, column, field: 'status', given: 'Sold' }]);
});

test('a wrong value is truncated between characters', async () => {
  const status = `${'x'.repeat(59)}😀`;
  const [error] = (await readRows(`name,category,status\nRex,7,${status}`)).errors;
  expect(error?.message).toBe(`status "${'x'.repeat(59)}…" is not one of available, pending, sold`);
});

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
  const { reader, outcomes, bytes } = await readRows(text, { path }, 3);
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
  const { reader, outcomes } = await readRows('categoryId|name\n7|a;b\n', { delimiter: '|' });
  expect([outcomes, reader.delimiter, reader.columns]).toEqual([['2: a;b 7'], '|', ['categoryId', 'name']]);
});

test('unguards a name, unless csvRaw is set', async () => {
  const text = "name,categoryId\n'=1,7\n";
  expect((await readRows(text)).outcomes).toEqual(['2: =1 7']);
  expect((await readRows(text, { csvRaw: true })).outcomes).toEqual(["2: '=1 7"]);
});

test('ignores unknown columns and fields on demand', async () => {
  const table = await readRows('ID,name,breed,categoryId,,breed\n1,Rex,a,7,b,c\n', { ignoreColumns: true });
  expect([table.outcomes, table.reader.ignored?.names]).toEqual([['2: Rex 7'], ['ID', 'breed', 'column 5']]);
  const objects = await readRows('{"id":1,"name":"Rex","categoryId":7}', { ignoreColumns: true });
  expect([objects.outcomes, objects.reader.ignored?.names]).toEqual([['1: Rex 7'], ['id']]);
  expect((await readRows('breed\nx\n', { ignoreColumns: true })).errors).toHaveLength(1);
});

test('counts invalid rows, and reports the position of each error', async () => {
  const { reader, errors } = await readRows('name,categoryId\nRex\n\nMia,x\n"Zoe,9\n', {}, 3);
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
  expect((await readRows('name,category-number,error,\n')).errors).toEqual([
    {
      line: 1,
      field: 'category-number',
      isUnknownField: true,
      given: 'category-number',
      known: FIELD_NAMES,
      message,
    },
    { line: 1, field: 'categoryId', message: 'Column category is missing' },
  ]);
});

test('truncates long input in messages', () => {
  const long = 'x'.repeat(100_000);
  const checked = checkRow({ line: 1, fields: { name: 'Rex', categoryId: 7, status: long, [long]: 1 } }, 1);
  expect(JSON.stringify(checked).length).toBeLessThan(1_000);
});

test('reads a header of 100,000 columns in linear time (10,000 without PETSTORE_TEST_FULL=1)', async () => {
  const count = IS_FULL ? 100_000 : 10_000;
  const columns = Array.from({ length: count }, (_, index) => `c${String(index)}`);
  expect((await readRows(['name', 'categoryId', ...columns].join(','))).errors).toHaveLength(count);
});

// Each position was searched from the start of the row: 17 s.
test('60,000 unknown fields in one row take no longer than one after the other (6,000 without PETSTORE_TEST_FULL=1)', async () => {
  const count = IS_FULL ? 60_000 : 6_000;
  const fields = Array.from({ length: count }, (_, index) => `"f${String(index)}":1`);
  const { errors } = await readRows(`[\n{"name":"Rex","category":7,${fields.join()}}]`, { format: 'json' });
  const last = fields.join().length - fields.at(-1)!.length + '{"name":"Rex","category":7,'.length + 1;
  expect([errors.length, errors.at(-1)]).toMatchObject([
    count,
    { line: 2, column: last, field: `f${String(count - 1)}` },
  ]);
});

test.each([
  ['csv', 'name,categoryId\na\n"', 'x', '3:1! Quote is opened here and not closed within 1 MiB'],
  ['csv', 'name,categoryId\n', 'x', '2! Record is longer than 1 MiB'],
  ['csv', 'name,categoryId\n', ',', '2! Record is longer than 1 MiB'],
  ['csv', 'name,categoryId\n', '\n', '2! More than 1 MiB of blank lines'],
  ['ndjson', '{}\n', 'x', '2! Line is longer than 1 MiB'],
  ['json', '[\n {"name":"', 'x', '2:2! Row is longer than 1 MiB'],
] as const)('%s: stops at %j and a long text of %j', async (format, start, filling, outcome) => {
  const { outcomes } = await readRows(start + filling.repeat(RECORD_MAX + 100_000), { format }, 65_536);
  expect(outcomes.at(-1)).toBe(outcome);
});

test.each([
  ['ndjson', '{"x":', '}\n{"name":"Rex","categoryId":7}', '1:1!'],
  ['json', '[\n {"x":', '},\n{"name":"Rex","categoryId":7}]', '2:2!'],
] as const)('%s: rejects a row that is nested deeply', async (format, start, end, position) => {
  const { outcomes } = await readRows(`${start}${'['.repeat(100_000)}${']'.repeat(100_000)}${end}`, {
    format,
  });
  expect(outcomes).toEqual([
    `${position} Row is nested more than 1,000 levels deep`,
    expect.stringContaining('Rex 7') as string,
  ]);
});

test('accepts and rejects the same rows as pets.create, except for a status of null or without text', async () => {
  const store = createPetStore({
    apiKey: 'k',
    baseUrl: 'http://127.0.0.1/v1',
    fetch: async (_, init) => new Response(String(init?.body).replace('{', '{"id":1,'), { status: 201 }),
  });
  const values = ['', 'Rex', 'sold', 'Sold', '7', '07', 7, 7.5, 2 ** 53, 2n ** 63n, -3n, null, true];
  const absent: unknown[] = [null, ''];
  const names = fc.constantFrom(...NEW_PET_FIELDS, 'other');
  const fields = fc
    .dictionary(names, fc.constantFrom<unknown>(...values), { noNullPrototype: true })
    .filter((row) => OPTIONAL_ENTRIES.every(([field]) => !absent.includes(row[field])));
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
          const breaks = `${name},${categoryId}`.match(/\r\n|\r|\n/g)?.length ?? 0;
          if (`${name}${categoryId}`.trim() === '') {
            line += 1 + breaks;
            return { kind: 'empty' };
          }
          const fields = {
            ...(name === '' ? {} : { name }),
            ...(categoryId.trim() === '' ? {} : { categoryId: categoryId.trim() }),
          };
          const record = { kind: 'record', line, fields, positionOf: expect.any(Function) as unknown };
          line += 1 + breaks;
          return record;
        });
        expect(await parseWith(new CsvParser({ delimiter, csvRaw: true }), text, length)).toEqual(expected);
      },
    ),
  );
});

test('reads what stringifyJson writes', async () => {
  // Another spelling of a field is read as that field.
  const name = fc.string().filter((text) => fieldOf(text) === undefined);
  const element = fc.dictionary(name, fc.jsonValue({ maxDepth: 2 }), { noNullPrototype: true });
  const inputs = [fc.array(element), fc.integer({ min: 1, max: 20 }), fc.constantFrom(0, 2)] as const;
  await fc.assert(
    fc.asyncProperty(...inputs, async (rows, length, space) => {
      const parsed = await parseWith(new JsonArrayParser(), stringifyJson(rows, space), length);
      const records = parsed.map((each) => each.kind === 'record' && each.fields);
      expect(stringifyJson(records)).toBe(stringifyJson(rows));
    }),
  );
});

test.each([
  ['text in UTF-16', '\xff\xfen\0a\0'],
  ['text in UTF-16', '\xfe\xff\0n\0a'],
  ['text in UTF-16', 'n\0a\0m\0e\0'],
  ['text in UTF-32', '\xff\xfe\0\0n\0\0\0'],
  ['a workbook (.xlsx', 'PK\x03\x04\0[Content_Types].xml'],
  ['a workbook (.xls)', '\xd0\xcf\x11\xe0\xa1\xb1'],
  ['a gzip archive', '\x1f\x8b\x08'],
  ['a zstd archive', '\x28\xb5\x2f\xfd'],
  ['a Parquet file', 'PAR1\x15'],
  ['an SQLite database', 'SQLite format 3\0'],
])('recognizes %s by its first bytes', async (what, bytes) => {
  for (const [path, length] of [['pets.csv'], ['pets.json', 100], ['', 3]] as const) {
    const { errors } = await readRows(Buffer.from(bytes, 'latin1'), { path }, length);
    expect(errors).toEqual([
      { line: 1, message: expect.stringContaining(`This is ${what}`), hint: expect.any(String) },
    ]);
  }
});

/** The notes for names and categories. */
async function notesOf(rows: readonly (readonly [name: string, category: string])[]): Promise<string[]> {
  const text = rows.map(([name, category]) => `${JSON.stringify({ name, category })}\n`).join('');
  return (await readRows(text)).reader.notes.list().map(({ message }) => message);
}

const ROUNDED = / look rounded by a spreadsheet/;

test.each([
  ['SheetJS', ['1234567890123456800', '9007199254740990']],
  ['R', ['123456789012345680', String(Number('223456789012345678'))]],
  ['data.table', ['123456789012346000', '9007199254740990', '7']],
  ['LibreOffice', ['9007199254740990', '1234567890123460', '-1234567890123470']],
  ['negative ids', ['-1234567890123456800']],
])('notes category ids that look rounded: %s', async (_, ids) => {
  const notes = await notesOf(ids.map((id) => ['Rex', id]));
  expect(notes).toEqual([expect.stringMatching(ROUNDED)]);
});

test.each([
  ['exact ids', ['1234567890123456789', '1234567890123456800', '123456789012346000']],
  ['one id of 16 digits', ['1234567890123460']],
  ['ids that doubles and spreadsheets keep', ['9007199254740991', '123456789012345']],
  ['an even id beyond 2^53', ['9007199254740994', '9007199254740996']],
  ['ids that somebody chose', ['1000000000000000000', '2000000000000000000', '3000000000000000000']],
])('does not note %s', async (_, ids) => {
  expect(await notesOf(ids.map((id) => ['Rex', id]))).toEqual([]);
});

test('notes names that look escaped, once', async () => {
  const names = ['\\N', 'x\\\ny', 'c\\\\d', 'x\\ny', 'a\\tb', 'C:\\x', '\\N.', 'plain'];
  expect(await notesOf(names.map((name) => [name, '7']))).toEqual([
    '5 names have a backslash, as a database dump writes them, the first in line 1. They are sent as they are.',
  ]);
});

test('notes one name that looks escaped', async () => {
  expect(
    await notesOf([
      ['Rex', '7'],
      ['\\N', '7'],
    ]),
  ).toEqual(['The name in line 2 has a backslash, as a database dump writes it. It is sent as it is.']);
});

test('notes how many empty rows and columns were skipped', async () => {
  const table = await readRows('name,category,,status,\nRex,7,,sold,,\n,,\n\n   \nMia,7\n');
  expect(table.outcomes).toEqual(['2: Rex 7 sold', '6: Mia 7']);
  expect(table.reader.notes.list()).toEqual([
    { type: 'empty', message: 'Skipped 2 empty rows and 3 empty columns.' },
  ]);
  const objects = await readRows('[{"name":"","category":null},{"name":"Rex","category":7}]');
  expect(objects.reader.notes.list()).toEqual([{ type: 'empty', message: 'Skipped 1 empty row.' }]);
});
