import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson, stringifyJson } from '../../src/schema/json.js';
import { runs } from '../support/random-runs.js';
import { anyCharacter } from '../support/any-character.js';

const TAG = '\uE000';

describe('parseJson', () => {
  test.each([
    ['9007199254740993', 9007199254740993n],
    [' 9007199254740993\n', 9007199254740993n],
    ['-9223372036854775808', -9223372036854775808n],
    ['9007199254740991', 9007199254740991],
    ['[9007199254740993,9007199254740995]', [9007199254740993n, 9007199254740995n]],
    ['[[9007199254740993],{"a":[ 9007199254740993 ]}]', [[9007199254740993n], { a: [9007199254740993n] }]],
    ['{"id" : 9007199254740993 , "name":"x"}', { id: 9007199254740993n, name: 'x' }],
    ['[1234567890123456.5]', [1234567890123456.5]],
    ['[12345678901234567e3]', [12345678901234567e3]],
    ['[12345678901234567E-3]', [12345678901234567e-3]],
    ['[0.12345678901234567890]', [0.12345678901234568]],
    ['["12345678901234567"]', ['12345678901234567']],
    ['["a:12345678901234567,b",9007199254740993]', ['a:12345678901234567,b', 9007199254740993n]],
    ['["\\",12345678901234567,",9007199254740993]', ['",12345678901234567,', 9007199254740993n]],
    ['{":9007199254740993,":9007199254740993}', { ':9007199254740993,': 9007199254740993n }],
    [`["${TAG}12345678901234567",9007199254740993]`, [`${TAG}12345678901234567`, 9007199254740993n]],
    ['["\\ue00012345678901234567",9007199254740993]', [`${TAG}12345678901234567`, 9007199254740993n]],
    ['["\\uE00012345678901234567",9007199254740993]', [`${TAG}12345678901234567`, 9007199254740993n]],
  ])('reads %s', (text, expected) => {
    expect(parseJson(text)).toStrictEqual(expected);
  });

  test.each([
    [''],
    ['['],
    ['{"id":9007199254740993'],
    ['[09007199254740993]'],
    ['[+9007199254740993]'],
    ['[9007199254740993n]'],
    ['["a:9007199254740993,b]'],
    ['9007199254740993 9007199254740993'],
    ['\u00a09007199254740993'],
    ['<html>12345678901234567890</html>'],
  ])('rejects %s', (text) => {
    expect(() => parseJson(text)).toThrow(SyntaxError);
  });

  test('reads __proto__ as a plain field', () => {
    const value = parseJson('{"__proto__":9007199254740993}') as object;
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.entries(value)).toEqual([['__proto__', 9007199254740993n]]);
  });

  test('reads a long integer in deeply nested arrays', () => {
    const depth = 5_000;
    let node = parseJson(`${'['.repeat(depth)}9007199254740993${']'.repeat(depth)}`);
    for (let level = 0; level < depth; level += 1) node = (node as unknown[])[0];
    expect(node).toBe(9007199254740993n);
  });

  test('reads a number of 400 digits as Infinity', () => {
    expect(parseJson(`[${'9'.repeat(400)}]`)).toEqual([Number.POSITIVE_INFINITY]);
  });

  test('reads a long integer next to a string of many megabytes', () => {
    const long = `${'x'.repeat(12_000_000)},9007199254740993,${'\\\\'.repeat(1_000_000)}`;
    expect((parseJson(`["${long}",9007199254740993]`) as unknown[])[1]).toBe(9007199254740993n);
  });

  test('keeps a string with thousands of private-use characters', () => {
    const characters = Array.from({ length: 6_000 }, (_, index) => String.fromCharCode(0xe000 + index)).join(
      '',
    );
    expect(parseJson(`["${characters}",9007199254740993]`)).toEqual([characters, 9007199254740993n]);
    expect(stringifyJson([characters, 5n])).toBe(`["${characters}",5]`);
  });
});

describe('stringifyJson', () => {
  test.each([
    [{ id: 9007199254740993n }, '{"id":9007199254740993}'],
    [[1n, -2n, 3], '[1,-2,3]'],
    [9223372036854775807n, '9223372036854775807'],
    [{ a: undefined, b: () => 1, c: 1n }, '{"c":1}'],
    [Object(1n), '1'],
    [[Object(`${TAG}5`), 5n], `["${TAG}5",5]`],
    [[Object(-9007199254740993n), Object(2), Object(true), Object('1')], '[-9007199254740993,2,true,"1"]'],
    [undefined, 'null'],
    [{ at: new Date(0), id: 1n }, '{"at":"1970-01-01T00:00:00.000Z","id":1}'],
    [{ [`${TAG}1`]: `${TAG}2`, id: 3n }, `{"${TAG}1":"${TAG}2","id":3}`],
    [{ text: `"${TAG}5"`, id: 3n }, `{"text":"\\"${TAG}5\\"","id":3}`],
    [[`${TAG}5`, `${TAG}${TAG}-5`, 5n], `["${TAG}5","${TAG}${TAG}-5",5]`],
    [{ [`${TAG}5`]: { [`${TAG}${TAG}5`]: 5n } }, `{"${TAG}5":{"${TAG}${TAG}5":5}}`],
  ])('writes %o', (value, expected) => {
    expect(stringifyJson(value)).toBe(expected);
  });

  test('indents', () => {
    expect(stringifyJson({ id: 1n }, 2)).toBe('{\n  "id": 1\n}');
  });

  test('writes an integer if BigInt.prototype has a toJSON that returns a string', () => {
    const prototype = BigInt.prototype as { toJSON?: () => string };
    prototype.toJSON = function (this: bigint) {
      return this.toString();
    };
    try {
      expect(stringifyJson([5n, Object(6n)])).toBe('[5,6]');
    } finally {
      delete prototype.toJSON;
    }
  });

  test('writes an integer if a toJSON returns a bigint', () => {
    expect(stringifyJson({ id: { toJSON: () => 5n } })).toBe('{"id":5}');
  });

  test('writes what parseJson reads back', () => {
    const big = fc.oneof(
      fc.bigInt({ min: 2n ** 53n, max: 2n ** 63n - 1n }),
      fc.bigInt({ min: -(2n ** 63n), max: -(2n ** 53n) }),
    );
    const { value } = fc.letrec((tie) => ({
      value: fc.oneof(
        { depthSize: 'small' },
        big,
        fc.string({ unit: anyCharacter }),
        fc.integer(),
        fc.boolean(),
        tie('list'),
        tie('record'),
      ),
      list: fc.array(tie('value'), { maxLength: 4 }),
      record: fc.dictionary(fc.string(), tie('value'), { maxKeys: 4, noNullPrototype: true }),
    }));
    fc.assert(
      fc.property(value, (data) => {
        expect(parseJson(stringifyJson(data))).toStrictEqual(data);
      }),
      { numRuns: runs(2_000) },
    );
  });
});

test.each([null, true, 5, ['1']])('parses the value %j like JSON.parse', (value) => {
  expect(parseJson(value as never)).toEqual(JSON.parse(value as never));
});

test.each([undefined, {}, Number.NaN])('rejects the value %o like JSON.parse', (value) => {
  expect(() => parseJson(value as never)).toThrow(SyntaxError);
});
