import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { csvLine } from '../../../src/bulk/rows/csv-cell.js';
import { guardFormula, unguardFormula } from '../../../src/security/csv-formula.js';
import { toCsvLine } from '../../../src/cli/output/csv.js';

test.each([
  ['=1+1', "'=1+1"],
  ['@here', "'@here"],
  ['-x', "'-x"],
  ["'=1", "''=1"],
  ['-5', '-5'],
  ["'twas", "'twas"],
  ["'-5", "''-5"],
  ['@', '@'],
  ["'@", "''@"],
  ['\n=1', "'\n'=1"],
  ['\0=1', "'\0=1"],
  ['＝1', "'＝1"],
  [' =1', "' =1"],
  ["' =1", "'' =1"],
  ['a;=1', "a;'=1"],
  ["a;'=1", "a;''=1"],
  ['a\n- b', "a\n'- b"],
  ['a,=1', 'a,=1'],
  ['Rex', 'Rex'],
  ['', ''],
])('guards %j as %j, and unguards it', (bare, safe) => {
  expect(guardFormula(bare)).toBe(safe);
  expect(unguardFormula(safe)).toBe(bare);
});

test('removes every guard that it adds', () => {
  const text = fc.string({
    unit: fc.constantFrom("'", '=', '-', '+', '5', 'x', '\t', '.', 'e', ';', '\n', ' ', '@'),
  });
  fc.assert(fc.property(text, (name) => unguardFormula(guardFormula(name)) === name));
});

test('removes the guards of CSV output', () => {
  for (const name of ['=1+1', '@a', '-b', '+c', '-5', 'Rex', "O'Neil", '@', '＋1', ' =1', 'a;=1', "';'=1"]) {
    const cell = toCsvLine([name], { raw: false }).replace('\r\n', '');
    expect(unguardFormula(cell)).toBe(name);
  }
});

test('quotes cells that need it', () => {
  expect(csvLine(['a', 'b;c', 'd"e', 'f\ng', 'h,i'], ';')).toBe('a;"b;c";"d""e";"f\ng";h,i\r\n');
});
