import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPets } from '../../../src/bulk/export-pets.js';
import { anyCharacter } from '../../support/any-character.js';
import { readRows } from './read-rows.js';

/** Files as programs wrote them: sqlite3 3.40.1, jq 1.6, pandas 3.0.6, and the packages in docs/interoperability.md. */
const FOLDER = join(import.meta.dirname, '../../corpus/files');

const SHEET_ROUNDED = /look rounded by a spreadsheet/;
const BACKSLASH = /has a backslash, as a database dump writes it/;

/** Each file with its rows or errors, and its notes. An error is compared up to the end of the expected text. */
const FILES: Readonly<Record<string, readonly [outcomes: readonly string[], notes?: readonly RegExp[]]>> = {
  'csv-stringify.csv': [
    [String.raw`2: Möhre, \"A\" 9007199254740993 sold`, String.raw`3: x\ny 7`, '5: =1+1 7'],
  ],
  'papaparse.csv': [[String.raw`2: Möhre, \"A\" 9007199254740993 sold`, String.raw`3: x\ny 7`, '5: =1+1 7']],
  'csvtojson.json': [['1: Rex 7'], [/^Skipped 1 empty row\.$/]],
  'exceljs.csv': [['2: Rex 7', '4: Mia 1234567890123456800 sold'], [SHEET_ROUNDED]],
  'jq-pretty.ndjson': [['1:1! The JSON object that begins here continues on the next line']],
  'pandas-columns.json': [['1:1! The JSON has an object for each column']],
  'pandas-gap.csv': [['2: Rex 7 sold']],
  'pandas-index.csv': [['2! The header has no name for column 1, which has "0"']],
  'pandas-lines.json': [['1: Rex 7 sold', '1! The file is one JSON object, not a list of rows']],
  'sheetjs.csv': [['2: Rex 7 sold', '4:5! category "1.23457E+18" has an exponent, so digits may be lost']],
  'sheetjs.json': [
    ['1: Rex 7 sold', '1: Mia 1234567890123456800'],
    [/^Skipped 1 empty row\.$/, SHEET_ROUNDED],
  ],
  'sheetjs.utf16.txt': [['1! This is text in UTF-16']],
  'sqlite.csv': [
    ['2: Rex 9223372036854775807 sold', String.raw`3: a \"b\", c 7`, String.raw`4: \\N 7`],
    [BACKSLASH],
  ],
  'sqlite.json': [
    ['1: Rex 9223372036854775807 sold', String.raw`2: a \"b\", c 7`, String.raw`3: \\N 7`],
    [BACKSLASH],
  ],
  'sqlite-list.tsv': [
    ['2: Rex 9223372036854775807 sold', '3:3! Quote inside an unquoted cell', String.raw`4: \\N 7`],
  ],
  'sqlite-box.txt': [['1! This is the frame of a table for people']],
};

test('every file has its expected rows', () => {
  expect(readdirSync(FOLDER).sort()).toEqual(Object.keys(FILES).sort());
});

test.each(Object.entries(FILES))('reads %s', async (name, [expected, notes = []]) => {
  for (const length of [Infinity, 7]) {
    const { outcomes, errors, reader } = await readRows(
      readFileSync(join(FOLDER, name)),
      { path: name },
      length,
    );
    expect(
      outcomes.map((each, index) => (each.includes('! ') ? each.slice(0, expected[index]?.length) : each)),
    ).toEqual(expected);
    if (errors.length > 0) continue;
    expect(reader.notes.list().map(({ message }) => message)).toEqual(
      notes.map((note) => expect.stringMatching(note)),
    );
  }
});

/** Parts of names that some program changes. */
const PARTS = [
  ...[
    '"',
    "'",
    "'=",
    '=',
    '+',
    '-',
    '@',
    '\t',
    ',',
    ';',
    '|',
    '\n',
    '\r\n',
    '\r',
    '\\',
    '\\N',
    '\\n',
    ' ',
    'Rex',
  ],
  ...['\ufeff', '\u2028', '\0', 'NULL', 'sep=;', '#TYPE', '---', '{', '[', 'name'],
];
const anyName = fc
  .array(fc.oneof(fc.constantFrom(...PARTS), anyCharacter), { minLength: 1, maxLength: 4 })
  .map((parts) => parts.join(''));

test.each([
  ['csv', ','],
  ['csv', '\t'],
  ['csv', ';'],
  ['json', undefined],
  ['ndjson', undefined],
] as const)(
  'an export as %s with the delimiter %j is imported unchanged, with and without formula guards',
  async (format, delimiter) => {
    const anyExport = fc.tuple(
      fc.array(anyName, { minLength: 1 }),
      fc.boolean(),
      fc.integer({ min: 1, max: 20 }),
    );
    await fc.assert(
      fc.asyncProperty(anyExport, async ([names, csvRaw, length]) => {
        const pets = names.map((name, index) => ({
          ...{ id: BigInt(index), name, categoryId: 9_223_372_036_854_775_807n - BigInt(index) },
          ...(index % 2 === 0 ? { status: 'sold' as const } : {}),
        }));
        const text = await formatPets(pets, { format, delimiter, csvRaw });
        const { outcomes } = await readRows(text, { format, delimiter, csvRaw, ignoreColumns: true }, length);
        expect(outcomes.map((outcome) => outcome.replace(/^\d+: /, ''))).toEqual(
          pets.map(({ name, categoryId, status = '' }) =>
            `${JSON.stringify(name).slice(1, -1)} ${String(categoryId)} ${status}`.trimEnd(),
          ),
        );
      }),
    );
  },
);
