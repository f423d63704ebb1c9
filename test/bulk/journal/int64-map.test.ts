import { expect, test } from 'vitest';
import { Int64Map } from '../../../src/bulk/journal/int64-map.js';

test('has its keys, at most so many, and those of the map before', () => {
  const earlier = new Int64Map(1);
  earlier.set(7n, 1);
  const map = new Int64Map(2, earlier);
  const rows: [bigint, number][] = [
    [1n << 40n, 1],
    [-1n, 2],
    [5n, 3],
    [-1n, 4],
  ];
  for (const [id, row] of rows) map.set(id, row);
  expect(new Map(map.entries())).toEqual(new Map([rows[0]!, rows[3]!]));
  expect([5n, 7n, -1n].map((id) => map.has(id))).toEqual([false, true, true]);
  expect(map.get(7n)).toBe(0);
});
