import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formatPets } from '../../../src/bulk/export-pets.js';
import { anyCharacter } from '../../support/any-character.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { readRows } from './read-rows.js';

/** Files as programs wrote them, with the versions in docs/interoperability.md. */
const FOLDER = join(import.meta.dirname, '../../corpus/files');

const SHEET_ROUNDED = /look rounded by a spreadsheet/;
const BACKSLASH = /has a backslash, as a database dump writes it/;
const EMPTY_ROW = /^Skipped 1 empty row\.$/;
const NO_HEADER = '1! The first line must name the columns';
const BARE_QUOTE = '2:8! Quote inside an unquoted cell';
const QUOTED = String.raw`2: Möhre, \"A\" 9007199254740993 sold`;
/** The rows that most programs got: a quote and a comma, a line break, a tab, a backslash, and names like values. */
const SAME = [QUOTED, String.raw`3: x\ny 7`, String.raw`5: tab\there 7`, String.raw`6: c\\d 2`];
const POSTGRESQL = [...SAME.slice(0, 3), String.raw`6: c\\d 7`, String.raw`7: \\. 2`, String.raw`8: \\N 2`];
const inOneLineEach = (rows: readonly string[]): string[] =>
  rows.map((row, index) => row.replace(/^\d+/, String(index + 1)));

/** Each file with its rows or errors, and its notes. An error is compared up to the end of the expected text. */
const FILES: Readonly<Record<string, readonly [outcomes: readonly string[], notes?: readonly RegExp[]]>> = {
  'csv-stringify.csv': [[QUOTED, String.raw`3: x\ny 7`, '5: =1+1 7']],
  'csvtojson.json': [['1: Rex 7'], [EMPTY_ROW]],
  'duckdb.csv': [SAME],
  'duckdb.tsv': [SAME],
  'duckdb.json': [inOneLineEach(SAME)],
  'duckdb-division.csv': [['2:16! category "9007199254740992.0" may be rounded', ...SAME.slice(1)]],
  'exceljs.csv': [['2: Rex 7', '4: Mia 1234567890123456800 sold'], [SHEET_ROUNDED]],
  'gnumeric.csv': [
    [
      String.raw`2: Möhre, \"A\" 9007199254740990 sold`,
      String.raw`3: x\ny 7`,
      "5: 'quoted' 123456789012346000",
      '6: 2 7',
      '8: Kočka 100000',
      '9: 7 12 pending',
    ],
    [EMPTY_ROW, SHEET_ROUNDED],
  ],
  'jq-pretty.ndjson': [['1:1! The JSON object that begins here continues on the next line']],
  'jq.csv': [[QUOTED.replace('993', '992'), String.raw`3: x\ny 7`, '5: 0x1F 7', String.raw`6: c\\d 2`]],
  'jq.tsv': [[BARE_QUOTE, String.raw`3: x\\ny 7`, '4: 0x1F 7', String.raw`5: c\\\\d 2`]],
  'libreoffice.csv': [
    [
      String.raw`2: Möhre, \"A\" 9007199254740990 sold`,
      String.raw`3: x\ny 7`,
      '5:12! category "1.23456789012346E+017" has an exponent, so digits may be lost',
      '6: 2 7',
      '8:9! category "1.00E+05" has an exponent, so digits may be lost',
      '9: 7 12 pending',
    ],
  ],
  'mariadb-batch.tsv': [
    [
      BARE_QUOTE,
      '3:8! status "NULL" is not one of',
      String.raw`4: tab\\there 7`,
      '5:8! status "NULL" is not one of',
      '6:8! status "NULL" is not one of',
    ],
  ],
  'mariadb-outfile.csv': [
    [
      '2:11! Text after a closing quote',
      String.raw`4:8! status "\\N" is not one of`,
      String.raw`5: tab\there 7`,
      String.raw`6:12! status "\\N" is not one of`,
      String.raw`7:8! status "\\N" is not one of`,
    ],
  ],
  'mariadb-outfile.tsv': [[NO_HEADER]],
  'mariadb-table.txt': [['1! This is the frame of a table for people']],
  'miller.csv': [[QUOTED, '4:6! status "null" is not one of', '5: 0x1F 7', String.raw`6: c\\d 2`]],
  'miller.json': [[QUOTED, String.raw`7: x\ny 7`, '12: 0x1F 7', String.raw`16: c\\d 2`]],
  'miller.tsv': [[BARE_QUOTE, '3:8! status "null" is not one of', '4: 0x1F 7', String.raw`5: c\\\\d 2`]],
  'miller-xtab.txt': [[NO_HEADER]],
  'pandas-columns.json': [['1:1! The JSON has an object for each column']],
  'pandas-gap.csv': [['2: Rex 7 sold']],
  'pandas-index.csv': [['2! The header has no name for column 1, which has "0"']],
  'pandas-lines.json': [['1: Rex 7 sold', '1! The file is one JSON object, not a list of rows']],
  'papaparse.csv': [[QUOTED, String.raw`3: x\ny 7`, '5: =1+1 7']],
  'postgresql-copy.csv': [POSTGRESQL, [BACKSLASH]],
  'postgresql-copy.tsv': [
    [
      BARE_QUOTE,
      String.raw`3:8! status "\\N" is not one of`,
      String.raw`4: tab\\there 7`,
      ...['5:8', '6:7', '7:7'].map((place) => String.raw`${place}! status "\\N" is not one of`),
    ],
  ],
  'postgresql.json': [inOneLineEach(POSTGRESQL), [BACKSLASH]],
  'psql.csv': [POSTGRESQL, [BACKSLASH]],
  'psql-aligned.txt': [
    [
      '2! Row has 1 cell, but the header has 3',
      String.raw`3:  \\.    2`,
      String.raw`4:  \\N    2`,
      '5! Row has 1 cell, but the header has 3: "(2 rows)"',
    ],
  ],
  'r-write-csv.csv': [
    [
      '2! The header has no name for column 1, which has "1"',
      '4:4! category "1e+05" has an exponent, so digits may be lost',
      '4:10! status "NA" is not one of',
      String.raw`5: tab\there 123456789012345680 pending`,
      '6:28! status "NA" is not one of',
      '7:11! category "NA" is not a 64-bit integer',
    ],
  ],
  'r-write-table.txt': [['1! This is a table that R separated by blanks']],
  'readr.csv': [
    [
      QUOTED.replace('9007199254740993', '7'),
      String.raw`3: x\ny 100000`,
      String.raw`5: tab\there 123456789012345678 pending`,
      String.raw`6: c\\d 9007199254740993`,
      '7: Rex 2 available',
    ],
  ],
  'sheetjs.csv': [['2: Rex 7 sold', '4:5! category "1.23457E+18" has an exponent, so digits may be lost']],
  'sheetjs.json': [
    ['1: Rex 7 sold', '1: Mia 1234567890123456800'],
    [EMPTY_ROW, SHEET_ROUNDED],
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

const WRITER = fileURLToPath(new URL('../../corpus/write-files.mjs', import.meta.url));
/** The packages that write some of these files, with their versions. */
const PACKAGES = [
  '@duckdb/node-api@1.5.6-r.1',
  'csv-stringify@6.9.0',
  'csvtojson@2.0.14',
  'exceljs@4.4.0',
  'papaparse@5.7.1',
  'xlsx@0.18.5',
];

test.skipIf(!process.env.PETSTORE_TEST_PACKAGES)(
  'npm packages write their files again with the same bytes (PETSTORE_TEST_PACKAGES is set)',
  { timeout: 300_000 },
  () => {
    const cwd = temporaryFolder({ 'package.json': '{"private":true}' });
    const files = temporaryFolder();
    execFileSync('npm', ['install', '--no-audit', '--no-fund', '--loglevel=error', ...PACKAGES], { cwd });
    execFileSync(process.execPath, [WRITER, files], { cwd });
    const written = readdirSync(files);
    expect(written.length).toBeGreaterThan(10);
    for (const name of written)
      expect(readFileSync(join(files, name), 'latin1'), name).toBe(
        readFileSync(join(FOLDER, name), 'latin1'),
      );
  },
);

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
  '\ufeff',
  '\u2028',
  '\0',
  'NULL',
  'sep=;',
  '#TYPE',
  '---',
  '{',
  '[',
  'name',
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
          id: BigInt(index),
          name,
          categoryId: 9_223_372_036_854_775_807n - BigInt(index),
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
