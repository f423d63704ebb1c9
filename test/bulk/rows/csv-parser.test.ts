import { describe, expect, test } from 'vitest';
import { CsvParser } from '../../../src/bulk/rows/csv-parser.js';
import type { Parsed } from '../../../src/bulk/rows/record-parser.js';

function parse(text: string, length = Infinity, parser = new CsvParser()): Parsed[] {
  const parsed: Parsed[] = [];
  for (let at = 0; at < text.length && !parser.isLost; at += length)
    parsed.push(...parser.push(text.slice(at, at + length)));
  return parser.isLost ? parsed : [...parsed, ...parser.end()];
}

describe.each([Infinity, 1, 5])('in pieces of %d', (length) => {
  test('maps cells by the names of their columns; empty ones are left out', () => {
    expect(parse('\nstatus;name;categoryId\n sold ; Rex ; 7 \n;"";\n', length)).toEqual([
      { kind: 'record', line: 3, fields: { status: 'sold', name: ' Rex ', categoryId: '7' } },
      { kind: 'record', line: 4, fields: {} },
    ]);
  });

  test('blames a row with too few or too many cells, and reads on', () => {
    const parsed = parse('name,categoryId\nRex\nMia,8,sold\nZoe,9\n', length);
    expect(parsed).toEqual([
      { kind: 'fault', isRow: true, fault: { line: 2, message: 'this row has 1 cell, and the header 2' } },
      { kind: 'fault', isRow: true, fault: { line: 3, message: 'this row has 3 cells, and the header 2' } },
      { kind: 'record', line: 4, fields: { name: 'Zoe', categoryId: '9' } },
    ]);
  });

  test('reads no row where the header is wrong', () => {
    const parser = new CsvParser();
    const parsed = parse('name,category\nRex,7\n', length, parser);
    expect(parser.isLost).toBe(true);
    expect(parsed.map((each) => each.kind === 'fault' && !each.isRow)).toEqual([true, true]);
  });
});

test('takes the guard off a name, unless told that there is none', () => {
  const text = "name,categoryId\n'=1,7\n";
  const nameOf = ([first]: Parsed[]) => first?.kind === 'record' && first.fields.name;
  expect(nameOf(parse(text))).toBe('=1');
  expect(nameOf(parse(text, Infinity, new CsvParser({ csvRaw: true })))).toBe("'=1");
});

test('keeps to a delimiter that it is given, and tells the one that it found', () => {
  const given = new CsvParser({ delimiter: '|' });
  parse('name|categoryId\nRex|7\n', Infinity, given);
  const found = new CsvParser();
  parse('name\tcategoryId\tstatus\n', Infinity, found);
  expect([given.columns, found.delimiter, found.columns]).toEqual([
    ['name', 'categoryId'],
    '\t',
    ['name', 'categoryId', 'status'],
  ]);
});

test.each(['', '\n\n'])('misses the header of %j', (text) => {
  expect(parse(text)).toEqual([
    { kind: 'fault', isRow: false, fault: { line: 1, message: 'the table is empty: there is no header' } },
  ]);
});
