// RFC 4180, and the formula characters of OWASP's page on CSV injection. Foreign readers (papaparse, d3-dsv) read what we
// write.
import { csvParseRows } from 'd3-dsv';
import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { unguardFormula } from '../../src/security/csv-formula.js';
import { toCsvLine } from '../../src/cli/output/rows/cells.js';
import { toTsvLine } from '../../src/cli/output/rows/cells.js';

/** Otherwise papaparse guesses both from the content. */
const SYNTAX = { delimiter: ',', newline: '\r\n' } as const;
const READERS: readonly (readonly [string, (csv: string) => string[][]])[] = [
  ['papaparse', (csv) => Papa.parse<string[]>(csv.replace(/\r\n$/, ''), SYNTAX).data],
  ['d3-dsv', (csv) => csvParseRows(csv)],
];

function cellOf(value: unknown, raw = false): string {
  const [[cell] = []] = csvParseRows(toCsvLine([value, 'end'], { raw }));
  return cell ?? '';
}

test.each([
  ['=1+1', "'=1+1"],
  ['+1+1', "'+1+1"],
  ['-1+1', "'-1+1"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['=', "'="],
  ['-', "'-"],
  ['＝1+1', "'＝1+1"],
  ['＋1', "'＋1"],
  ['－1', "'－1"],
  ['＠SUM(A1)', "'＠SUM(A1)"],
  ['\t=1', "'\t'=1"],
  ['\ta', "'\ta"],
  ['\n=1', "'\n'=1"],
  ['\na', "'\na"],
  ['\r\n=1', "'\r\n'=1"],
  ['\r=1', "'^M'=1"],
  ['\0=1', "'^@=1"],
  ['\0a', "'^@a"],
  [' =1', "' =1"],
  ['   +1+1', "'   +1+1"],
  ['\u00a0=1', "'\u00a0=1"],
  ['\u3000＝1', "'\u3000＝1"],
  ['\ufeff=1', "'\ufeff=1"],
  ['\u200b=1', "'\u200b=1"],
  ['\x0b=1', "'^K=1"],
  // A spreadsheet of another locale splits at semicolons, also within quotes.
  [';=1+1', ";'=1+1"],
  ['a;=1+1', "a;'=1+1"],
  ['a; =1', "a;' =1"],
  ['a;=1;+1', "a;'=1;'+1"],
  ['a\n=1', "a\n'=1"],
  ['a\t=1', "a\t'=1"],
  ['a","b";=1', `a","b";'=1`],
  // Text that looks guarded gets one more guard.
  ["'=1", "''=1"],
  ["' =1", "'' =1"],
  ["a;'=1", "a;''=1"],
  ["'-5", "''-5"],
  ["'@", "''@"],
  ['-5kg', "'-5kg"],
  ['-0x1', "'-0x1"],
  ['+-1', "'+-1"],
  ['1e5=', '1e5='],
])('text that a spreadsheet runs as a formula is guarded: %j becomes %j', (value, cell) => {
  expect(cellOf(value)).toBe(cell);
});

describe('other text and numbers stay as they are', () => {
  test.each([
    ...['-5', '+5', '-1.5', '-1.5e3', '+.5', '-5.', '+31612345678', '@', 'a@b.example', 'a=b', 'a-b', '1-2'],
    ...["'a", "it's"],
    // A comma never splits a quoted cell, and is not a separator where a semicolon is.
    ...['a,=1', 'Rex, -5 kg', 'a;b', 'a; b', 'x', '', ' ', '猫', '−1'],
  ])('%j', (value) => {
    expect(cellOf(value)).toBe(value);
  });

  test.each([-5, -5n, -0.5, -(2n ** 63n), 1e-7])('the number %s', (number) => {
    expect(cellOf(number)).toBe(String(number));
  });
});

test.each(['=1', '\n=1', '＝1', 'a;=1', ' =1', "'=1"])('--csv-raw keeps %j', (value) => {
  expect(cellOf(value, true)).toBe(value);
});

test('the names of fields are guarded too', () => {
  expect(toCsvLine(['id', '=name'], { raw: false })).toBe("id,'=name\r\n");
});

test('tsv has no guard', () => {
  expect(toTsvLine(['=1', '@a', 'a;=1'])).toBe('=1\t@a\ta;=1\n');
});

const cell = fc.string({
  unit: fc.constantFrom(...Array.from('ab"\',;=+-@ \n\t5.e＝＠猫'), '\r\n', '🐈', 'é'),
});
const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 });

describe.each(READERS)('%s', (_name, read) => {
  test('reads back every cell', () => {
    fc.assert(
      fc.property(rows, (values) => {
        expect(read(values.map((row) => toCsvLine(row, { raw: true })).join(''))).toEqual(values);
      }),
    );
  });

  test('reads back every cell after the guards are removed', () => {
    fc.assert(
      fc.property(rows, (values) => {
        const guarded = read(values.map((row) => toCsvLine(row, { raw: false })).join(''));
        expect(guarded.map((row) => row.map(unguardFormula))).toEqual(values);
      }),
    );
  });

  test('reads a single empty cell', () => {
    expect(read(toCsvLine([''], { raw: false }))).toEqual([['']]);
  });
});
