import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toCsvLine } from '../../../src/cli/output/csv.js';

const guarded = (...values: unknown[]) => toCsvLine(values, { raw: false });

describe('a CSV line', () => {
  test.each<[unknown[], string]>([
    [['id', 'name'], 'id,name'],
    [[9007199254740993n, undefined, true], '9007199254740993,,true'],
    [['a,b', 'say "hi"', 'two\nlines'], '"a,b","say ""hi""","two\nlines"'],
    [['a\rb', 'c\r\nd'], 'a^Mb,"c\r\nd"'],
    [[''], '""'],
    [['', ''], ','],
    [[{ a: [1n] }], '"{""a"":[1]}"'],
  ])('of %o', (values, line) => {
    expect(guarded(...values)).toBe(`${line}\r\n`);
  });

  test('shows control and bidi characters', () => {
    expect(guarded('\x1b[2J', '\u202eabc')).toBe('^[[2J,<U+202E>abc\r\n');
  });
});

describe('formulas', () => {
  test.each([
    ['=1+1', "'=1+1"],
    ['+cmd', "'+cmd"],
    ['-cmd', "'-cmd"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['\t=1', "'\t'=1"],
    ['=a,"b"', `"'=a,""b"""`],
    ['a=1', 'a=1'],
    ['-5', '-5'],
    ['+31612345678', '+31612345678'],
    ['-1.5e3', '-1.5e3'],
    ['-5+3', "'-5+3"],
    ['-', "'-"],
    // Otherwise it would look like an escaped =1.
    ["'=1", "''=1"],
    ["'a", "'a"],
    ["'-5", "''-5"],
  ])('%j is written as %j', (value, cell) => {
    expect(guarded(value)).toBe(`${cell}\r\n`);
  });

  test('are recognised after a carriage return', () => {
    expect(guarded('\r\n=1')).toBe(`"'\r\n'=1"\r\n`);
    expect(guarded('\r=1')).toBe(`'^M'=1\r\n`);
  });

  test('are not numbers, and stay unescaped if raw', () => {
    expect(guarded(-5, -5n)).toBe('-5,-5\r\n');
    expect(toCsvLine(['=1+1'], { raw: true })).toBe('=1+1\r\n');
  });
});

test('an RFC 4180 reader reads back every printable cell, line break and quote', () => {
  const cell = fc.string({ unit: fc.constantFrom('a', '猫', '"', ',', '\n', '\r\n', ' ', "'", '\t') });
  fc.assert(
    fc.property(fc.array(fc.array(cell, { minLength: 1, maxLength: 4 }), { minLength: 1 }), (rows) => {
      expect(parseCsv(rows.map((row) => toCsvLine(row, { raw: true })).join(''))).toEqual(rows);
    }),
  );
});

/** An RFC 4180 reader: records end with CRLF, and quotes in quoted cells are doubled. */
function parseCsv(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  const cells = /("(?:[^"]|"")*"|[^",\r\n]*)(,|\r\n)/gy;
  for (let found = cells.exec(text); found !== null; found = cells.exec(text)) {
    const [, cell = '', end] = found;
    row.push(cell.startsWith('"') ? cell.slice(1, -1).replaceAll('""', '"') : cell);
    if (end === '\r\n') {
      rows.push(row);
      row = [];
    }
    if (cells.lastIndex === text.length) break;
  }
  return rows;
}
