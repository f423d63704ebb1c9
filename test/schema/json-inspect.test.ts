import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findJsonDuplicate, findJsonError, readJsonMembers } from '../../src/schema/json-inspect.js';

describe('findJsonError', () => {
  test.each([
    ['', 1, 1, 'the end of the text'],
    ['{', 1, 2, 'the end of the text'],
    ['{"a":}', 1, 6, '"}"'],
    ['{\n  "a": 1,\n}', 3, 1, '"}"'],
    ['[1 2]', 1, 4, '"2"'],
    ['{"a" 1}', 1, 6, '"1"'],
    ["{'a':1}", 1, 2, '"\'"'],
    ['[01]', 1, 3, '"1"'],
    ['[1]x', 1, 4, '"x"'],
    ['"a\nb"', 1, 3, 'a line break in a string'],
    ['["a\r\nb"]', 1, 4, 'a line break in a string'],
    ['{"a\tb":1}', 1, 4, 'a tab in a string'],
    ['{"a":\n"b\x01"}', 2, 3, 'U+0001'],
    ['\x1b', 1, 1, 'U+001B'],
    ['{"a":"b', 1, 8, 'the end of the text'],
    [String.raw`{"a":"C:\Users"}`, 1, 9, String.raw`the escape \U`],
    ['"\\\n"', 1, 2, String.raw`the escape \^J`],
    ['"a\\', 1, 3, 'the escape \\'],
    ['[1 "a"]', 1, 4, '"\\""'],
    ['nope', 1, 1, '"n"'],
    ['[1,\n 😀]', 2, 2, '"😀"'],
  ])('reports %j as invalid at line %d, column %d', (text, line, column, found) => {
    expect(findJsonError(text)).toEqual({ line, column, found });
  });

  test('handles 200,000 levels of nesting', () => {
    const depth = 200_000;
    expect(findJsonError('['.repeat(depth))).toEqual({
      line: 1,
      column: depth + 1,
      found: 'the end of the text',
    });
    expect(findJsonError('{"a":'.repeat(depth) + '1' + '}'.repeat(depth))).toBeUndefined();
  });

  test('accepts exactly what JSON.parse accepts', () => {
    fc.assert(
      fc.property(fc.json(), fc.nat(), fc.string({ maxLength: 2 }), (json, at, inserted) => {
        const position = at % (json.length + 1);
        for (const text of [json, json.slice(0, position) + inserted + json.slice(position)]) {
          let isJson = true;
          try {
            JSON.parse(text);
          } catch {
            isJson = false;
          }
          expect(findJsonError(text) === undefined).toBe(isJson);
        }
      }),
    );
  });
});

test.each([
  ['{}', ''],
  [' { } ', ''],
  ['{"a":1}', 'a=1'],
  ['{ "a" : 1.0 , "b":\n-0 }', 'a=1.0 b=-0'],
  ['{"a":{"b":1,"c":[{"d":2},3]},"e":[1,2]}', 'a={"b":1,"c":[{"d":2},3]} e=[1,2]'],
  [String.raw`{"a\"b":"x,y:}\\","\u0061":"\\\""}`, String.raw`a"b="x,y:}\\" a="\\\""`],
  ['{"a":1,"a":2}', 'a=1 a=2'],
])('returns the members of %s', (text, members) => {
  expect(
    readJsonMembers(text)
      .map(({ name, raw }) => `${name}=${raw}`)
      .join(' '),
  ).toBe(members);
});

test('handles a megabyte of escapes', () => {
  const raw = JSON.stringify('"'.repeat(500_000));
  expect(readJsonMembers(`{"name":${raw}}`)).toEqual([{ name: 'name', at: 1, raw }]);
  expect(findJsonDuplicate(`{"name":${raw},"name":1}`)?.name).toBe('name');
});

test.each([
  ['{"a":1,"a":2}', 'a', 1, 8],
  ['{\n  "a": 1,\n  "b": { "a": 1, "b": 2 },\n  "b": 3\n}', 'b', 4, 3],
  ['[{"x":[{"a":"{","a":0}]}]', 'a', 1, 17],
  ['{"a":1,"\\u0061":2}', 'a', 1, 8],
  ['{"\\"":":","\\"":2}', '"', 1, 11],
])('finds the duplicate name in %s', (text, name, line, column) => {
  expect(findJsonDuplicate(text)).toEqual({ name, line, column });
});

test('ignores the names of other objects, and values', () => {
  expect(
    findJsonDuplicate('{"a":"a","b":["a","a"],"c":{"a":{"a":"}"}},"d":[{"a":1},{"a":1}]}'),
  ).toBeUndefined();
});

test('finds no duplicate in output of JSON.stringify, and finds each one that is added', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 }), (value) => {
      const text = JSON.stringify(value);
      const names = Object.keys(JSON.parse(text));
      expect(findJsonDuplicate(text)).toBeUndefined();
      expect(findJsonDuplicate(`${text.slice(0, -1)},${text.slice(1)}`)?.name).toBe(names[0]);
    }),
  );
});
