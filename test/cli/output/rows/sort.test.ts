import { describe, expect, test } from 'vitest';
import { sortRows } from '../../../../src/cli/output/rows/sort.js';

const ordered = (values: unknown[], sort: string) =>
  sortRows(
    values.map((value, index) => (value === undefined ? { index } : { index, value })),
    sort,
    [],
  ).map((row) => row.value);

describe('sorting', () => {
  test.each<[string, unknown[], unknown[]]>([
    [
      'numbers by value',
      [10, 9n, 9007199254740993n, 9007199254740992n, -1.5],
      [-1.5, 9n, 10, 9007199254740992n, 9007199254740993n],
    ],
    ['strings by code point', ['b', 'B', 'é', 'a', 'z'], ['B', 'a', 'b', 'z', 'é']],
    ['astral characters after all others', ['😀', '\uffee', '\ud7ff'], ['\ud7ff', '\uffee', '😀']],
    ['a beginning before the whole', ['ab', 'a', 'abc'], ['a', 'ab', 'abc']],
    ['numbers, strings, the rest', [true, 'a', 1], [1, 'a', true]],
  ])('%s', (_name, values, expected) => {
    expect(ordered(values, 'value')).toEqual(expected);
    expect(ordered(values, '-value')).toEqual(expected.toReversed());
  });

  test('puts missing values last in both directions', () => {
    expect(ordered([undefined, 2, null, 1], 'value')).toEqual([1, 2, undefined, null]);
    expect(ordered([undefined, 2, null, 1], '-value')).toEqual([2, 1, undefined, null]);
  });

  test('keeps the order of equal rows, and the given list', () => {
    const rows = [
      { id: 1n, status: 'sold' },
      { id: 2n, status: 'sold' },
      { id: 3n, status: 'pending' },
    ];
    const ids = (sort: string) => sortRows(rows, sort, []).map((row) => row.id);
    expect(ids('status')).toEqual([3n, 1n, 2n]);
    expect(ids('-status')).toEqual([1n, 2n, 3n]);
    expect(rows.map(({ id }) => id)).toEqual([1n, 2n, 3n]);
  });
});
