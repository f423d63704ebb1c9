import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findJsonFault } from '../../src/schema/json-fault.js';

describe('findJsonFault', () => {
  test.each([
    ['', 1, 1, 'the end of the file'],
    ['{', 1, 2, 'the end of the file'],
    ['{"a":}', 1, 6, '"}"'],
    ['{\n  "a": 1,\n}', 3, 1, '"}"'],
    ['[1 2]', 1, 4, '"2"'],
    ['{"a" 1}', 1, 6, '"1"'],
    ["{'a':1}", 1, 2, '"\'"'],
    ['[01]', 1, 3, '"1"'],
    ['[1]x', 1, 4, '"x"'],
    ['"a\nb"', 1, 1, '"\\""'],
    ['nope', 1, 1, '"n"'],
    ['[1,\n 😀]', 2, 2, '"😀"'],
  ])('%j: line %d, column %d', (text, line, column, found) => {
    expect(findJsonFault(text)).toEqual({ line, column, found });
  });

  test('however deep it is nested', () => {
    const depth = 200_000;
    expect(findJsonFault('['.repeat(depth))).toEqual({
      line: 1,
      column: depth + 1,
      found: 'the end of the file',
    });
    expect(findJsonFault('{"a":'.repeat(depth) + '1' + '}'.repeat(depth))).toBeUndefined();
  });

  test('agrees with JSON.parse on what is JSON', () => {
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
          expect(findJsonFault(text) === undefined).toBe(isJson);
        }
      }),
    );
  });
});
