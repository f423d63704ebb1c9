import * as jmespath from '@jmespath-community/jmespath';
import { expect, test } from 'vitest';
import { runQuery } from '../../../../src/cli/output/query/query.js';

test('numbers sort by value', async () => {
  expect(await runQuery('sort(@)', [10, 9, 100])).toEqual([9, 10, 100]);
});

test('strings sort by code point, and equal keys keep their order', async () => {
  expect(await runQuery('sort(@)', ['b', 'é', 'B', 'a'])).toEqual(['B', 'a', 'b', 'é']);
  const rows = [
    { key: 1, at: 'a' },
    { key: 0, at: 'b' },
    { key: 1, at: 'c' },
  ];
  expect(await runQuery('sort_by(@, &key)[].at', rows)).toEqual(['b', 'a', 'c']);
  expect(await runQuery('max_by(@, &key).at', rows)).toBe('a');
});

test('the functions of the library do not change for other code in the process', async () => {
  await runQuery('sort(@)', [2, 1]);
  expect(jmespath.getCustomFunctions()).toEqual([]);
});
