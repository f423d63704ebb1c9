import * as jmespath from '@jmespath-community/jmespath';
import { describe, expect, test } from 'vitest';
import { runQuery } from '../../../../src/cli/output/query/query.js';
import { UsageError } from '../../../../src/cli/errors/usage-error.js';

const LARGE = 9007199254740993n;
const pets = [
  { id: 9n, name: 'Rex', status: 'sold', categoryId: 3n },
  { id: LARGE, name: '猫', status: 'available', categoryId: 3n },
  { id: LARGE - 1n, name: 'Fluffy', categoryId: LARGE },
  { id: -LARGE, name: 'Tom', status: 'sold', categoryId: 10n },
];

const EQUAL_KEYS = [
  { key: 1, at: 'a' },
  { key: 0, at: 'b' },
  { key: 1, at: 'c' },
];

test.each([
  ['[?category == `10`].name', ['Tom']],
  ['sort_by([:3], &category)[].name', ['Rex', '猫', 'Fluffy']],
  ['[].{category: category, to: categoryId}[0]', { category: 3, to: 3 }],
  ['{category: `1`}.category', 1],
  ["'category'", 'category'],
])('category means categoryId where the data has no field of this name: %s', async (expression, expected) => {
  expect(await runQuery(expression, pets)).toEqual(expected);
});

describe('an expression', () => {
  // JSON.parse would round these literals beyond 2^53.
  test.each<[string, unknown]>([
    ["[?status == 'sold'].id", [9, -LARGE]],
    ['[?id > `100`].name', ['猫', 'Fluffy']],
    ['[?id > `9007199254740992`].name', ['猫']],
    ['[?id < `-9007199254740992`].name', ['Tom']],
    ['[?id <= `9`].name', ['Rex', 'Tom']],
    ['[?id < `9`].name', ['Tom']],
    ['[?`100` < id].name', ['猫', 'Fluffy']],
    ['[?id == `9007199254740993`].name', ['猫']],
    ['[?id != `9007199254740993`].name', ['Rex', 'Fluffy', 'Tom']],
    ['[?contains(`[9007199254740993, 9]`, id)].name', ['Rex', '猫']],
    ['[?id > categoryId].name', ['Rex', '猫']],
    ['[?id > name]', []],
    ['sort([].id)', [-LARGE, 9, LARGE - 1n, LARGE]],
    ['sort([].name)', ['Fluffy', 'Rex', 'Tom', '猫']],
    ['sort_by(@, &id)[].name', ['Tom', 'Rex', 'Fluffy', '猫']],
    ['max([].id)', LARGE],
    ['min([].id)', -LARGE],
    ['max_by(@, &id).name', '猫'],
    ['min_by(@, &name).name', 'Fluffy'],
    ['max(`[]`)', null],
    ['[1].to_string(id)', '9007199254740993'],
    ["to_number('9007199254740993')", LARGE],
    ["to_number('1.5e1')", 15],
    ["to_number('x')", null],
    ['[].type(id)', ['number', 'number', 'number', 'number']],
    ['to_string([0])', '{"id":9,"name":"Rex","status":"sold","categoryId":3}'],
    [
      '`{"type":"Function","name":"nothing","id":9007199254740993}`',
      { type: 'Function', name: 'nothing', id: LARGE },
    ],
    ["'`9007199254740993`'", '`9007199254740993`'],
    ['let $least = `9007199254740992` in [?id > $least].name', ['猫']],
    ['[0].constructor', null],
    ['[0].{i: id, n: name}', { i: 9, n: 'Rex' }],
    ['$[0].id', 9],
  ])('%s', async (expression, result) => {
    expect(await runQuery(expression, pets)).toEqual(result);
  });

  test('does not change the functions of the library for other code in the process', async () => {
    await runQuery('sort(@)', [2, 1]);
    expect(jmespath.getCustomFunctions()).toEqual([]);
  });

  test.each<[string, unknown, unknown]>([
    ['sort(@)', ['b', 'é', 'B', 'a'], ['B', 'a', 'b', 'é']],
    ['sort_by(@, &key)[].at', EQUAL_KEYS, ['b', 'a', 'c']],
    ['max_by(@, &key).at', EQUAL_KEYS, 'a'],
  ])('%s sorts by code point and keeps the order of equal keys', async (expression, data, result) => {
    expect(await runQuery(expression, data)).toEqual(result);
  });

  test('does not change the data', async () => {
    const data = [{ id: 2n }, { id: 1n }];
    await runQuery('sort_by(@, &id)', data);
    expect(data).toEqual([{ id: 2n }, { id: 1n }]);
  });
});

test.each([
  ['sum([].id)', "can\'t calculate with integers beyond ±9007199254740991"],
  ['abs([1].id)', "can\'t calculate with integers beyond ±9007199254740991"],
  ['sort_by(@, &status)', 'sort_by() needs only numbers or only strings, but found string and null'],
  ['sort(@)', 'sort() needs only numbers or only strings, but found object'],
])('rejects what it cannot calculate exactly: %s', async (expression, reason) => {
  const failure = await runQuery(expression, pets).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(UsageError);
  expect((failure as UsageError).message).toBe(`--query failed: ${reason}`);
});
