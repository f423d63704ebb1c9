import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine, guarded, unguarded } from '../../../src/bulk/rows/csv-cell.js';
import { toCsvLine } from '../../../src/cli/output/csv.js';

test.each([
  ['=1+1', "'=1+1"],
  ['@here', "'@here"],
  ['-x', "'-x"],
  ["'=1", "''=1"],
  ['-5', '-5'],
  ["'twas", "'twas"],
  ["'-5", "''-5"],
  ['Rex', 'Rex'],
  ['', ''],
])('guards %j as %j, and back', (bare, safe) => {
  expect(guarded(bare)).toBe(safe);
  expect(unguarded(safe)).toBe(bare);
});

test('takes off every guard that it puts on', () => {
  const text = fc.string({ unit: fc.constantFrom("'", '=', '-', '+', '5', 'x', '\t', '.', 'e') });
  fc.assert(fc.property(text, (name) => unguarded(guarded(name)) === name));
});

test('takes off what the command line puts on its own tables', () => {
  for (const name of ['=1+1', '@a', '-b', '+c', '-5', 'Rex', "O'Neil"]) {
    const cell = toCsvLine([name], { raw: false }).replace('\r\n', '');
    expect(unguarded(cell)).toBe(name);
  }
});

test('puts in quotes what needs them', () => {
  expect(csvLine(['a', 'b;c', 'd"e', 'f\ng', 'h,i'], ';')).toBe('a;"b;c";"d""e";"f\ng";h,i\r\n');
});
