import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonDuplicate, readJsonMembers } from '../../src/schema/json-members.js';

test.each([
  ['{}', []],
  [' { } ', []],
  ['{"a":1}', [['a', '1']]],
  [
    '{ "a" : 1.0 , "b":\n-0 }',
    [
      ['a', '1.0'],
      ['b', '-0'],
    ],
  ],
  [
    '{"a":{"b":1,"c":[{"d":2},3]},"e":[1,2]}',
    [
      ['a', '{"b":1,"c":[{"d":2},3]}'],
      ['e', '[1,2]'],
    ],
  ],
  [
    String.raw`{"a\"b":"x,y:}\\","\u0061":"\\\""}`,
    [
      ['a"b', String.raw`"x,y:}\\"`],
      ['a', String.raw`"\\\""`],
    ],
  ],
  [
    '{"a":1,"a":2}',
    [
      ['a', '1'],
      ['a', '2'],
    ],
  ],
])('the members of %s', (text, members) => {
  expect(readJsonMembers(text).map(({ name, raw }) => [name, raw])).toEqual(members);
});

test('a megabyte of escapes is no matter', () => {
  const raw = JSON.stringify('"'.repeat(500_000));
  expect(readJsonMembers(`{"name":${raw}}`)).toEqual([{ name: 'name', raw }]);
  expect(findJsonDuplicate(`{"name":${raw},"name":1}`)?.name).toBe('name');
});

test.each([
  ['{"a":1,"a":2}', 'a', 1, 8],
  ['{\n  "a": 1,\n  "b": { "a": 1, "b": 2 },\n  "b": 3\n}', 'b', 4, 3],
  ['[{"x":[{"a":"{","a":0}]}]', 'a', 1, 17],
  ['{"a":1,"\\u0061":2}', 'a', 1, 8],
  ['{"\\"":":","\\"":2}', '"', 1, 11],
])('a name twice in %s', (text, name, line, column) => {
  expect(findJsonDuplicate(text)).toEqual({ name, line, column });
});

test('names of other objects, and values, are none', () => {
  expect(
    findJsonDuplicate('{"a":"a","b":["a","a"],"c":{"a":{"a":"}"}},"d":[{"a":1},{"a":1}]}'),
  ).toBeUndefined();
});

test('what JSON.stringify writes has none, and the same object twice over has one', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
      const text = JSON.stringify(value);
      const names = Object.keys(JSON.parse(text));
      expect(findJsonDuplicate(text)).toBeUndefined();
      expect(findJsonDuplicate(`${text.slice(0, -1)},${text.slice(1)}`)?.name).toBe(names[0]);
    }),
  );
});
