import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findJsonDuplicate } from '../../src/cli/json-duplicate.js';

test.each([
  ['{"a":1,"a":2}', 'a', 1, 8],
  ['{\n  "a": 1,\n  "b": { "a": 1, "b": 2 },\n  "b": 3\n}', 'b', 4, 3],
  ['[{"x":[{"a":"{","a":0}]}]', 'a', 1, 17],
  ['{"a":1,"\\u0061":2}', 'a', 1, 8],
  ['{"\\"":":","\\"":2}', '"', 1, 11],
])('%s', (text, name, line, column) => {
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
