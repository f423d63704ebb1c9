import { expect, test } from 'vitest';
import { fitColumns, type ColumnNeed } from '../../../../src/cli/output/table/column-widths.js';

const flexible = (natural: number): ColumnNeed => ({
  natural,
  minimum: Math.min(natural, 3),
  fixed: false,
  spare: false,
  numeric: false,
});
const fixed = (natural: number): ColumnNeed => ({ ...flexible(natural), minimum: natural, fixed: true });
/** A column of numbers with a title that is wider than its values. */
const titled = (natural: number, minimum: number): ColumnNeed => ({
  ...fixed(natural),
  minimum,
  numeric: true,
});

test.each<[string, ColumnNeed[], number, number[]]>([
  [
    'a spare column is dropped first',
    [fixed(19), flexible(9), { ...fixed(19), spare: true }],
    40,
    [19, 9, 0],
  ],
  [
    'a spare column is dropped before text becomes short',
    [fixed(19), flexible(20), { ...fixed(19), spare: true }, flexible(9)],
    60,
    [19, 20, 0, 9],
  ],
  ['the title of a number is truncated before text', [fixed(2), flexible(20), titled(8, 3)], 30, [2, 20, 4]],
  ['but not if the text stays readable', [fixed(2), flexible(40), titled(8, 3)], 40, [2, 26, 8]],
  ['all columns fit', [fixed(5), flexible(10)], 40, [5, 10]],
  ['the widest column shrinks first', [fixed(5), flexible(30), flexible(4)], 24, [5, 11, 4]],
  ['equal needs share evenly', [flexible(30), flexible(30)], 22, [10, 10]],
  [
    'rest columns go to the first ones, one each',
    [flexible(30), flexible(30), flexible(30)],
    33,
    [10, 10, 9],
  ],
  ['one rest column goes to the first', [flexible(30), flexible(30)], 23, [11, 10]],
  [
    'the last flexible column is dropped first',
    [fixed(10), flexible(9), flexible(9), fixed(4)],
    21,
    [10, 3, 0, 4],
  ],
  ['then fixed columns are dropped from the right', [fixed(10), flexible(9), fixed(8)], 15, [10, 0, 0]],
  ['one column always stays', [fixed(30)], 20, [30]],
])('%s', (_name, needs, width, widths) => {
  expect(fitColumns(needs, width, 2)).toEqual(widths);
});
