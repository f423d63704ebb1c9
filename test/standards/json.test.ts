import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../../src/schema/json.js';
import { runs } from '../support/random-runs.js';

/** Beyond 2^53, so that `parseJson` uses its own reader instead of JSON.parse. */
const LONG = '9007199254740993';

/** The result of a reader: its value, or that it rejects the text. */
function outcome(read: (text: string) => unknown, text: string): unknown {
  try {
    return { value: read(text) };
  } catch (error) {
    expect(error).toBeInstanceOf(SyntaxError);
    return 'rejected';
  }
}

describe('white space (RFC 8259, section 2)', () => {
  const withSpace = (tokens: readonly string[], space: string): string[] =>
    [...tokens, ''].map((_, at) => [...tokens.slice(0, at), space, ...tokens.slice(at)].join(''));
  const placesOf = (space: string): string[] =>
    [['[', '1', ',', '{', '"a"', ':', LONG, '}', ']'], [LONG]].flatMap((tokens) => withSpace(tokens, space));

  test.each([' ', '\t', '\n', '\r', ' \t\r\n '])('%j is white space', (space) => {
    for (const text of placesOf(space)) expect(outcome(parseJson, text)).not.toBe('rejected');
  });

  // VT, FF, NEL, NBSP, Ogham, spaces of section 10646, separators, BOM, NUL, comments.
  test.each([
    ...['\v', '\f', '\u0085', '\u00a0', '\u1680', '\u2000', '\u200b', '\u2028', '\u2029', '\u202f', '\u205f'],
    ...['\u3000', '\ufeff', '\0', '/**/', '//\n', '\u001f'],
  ])('%j is not', (space) => {
    for (const text of placesOf(space)) expect(outcome(parseJson, text)).toBe('rejected');
  });
});

describe('numbers (RFC 8259, section 6), and integers beyond ±(2^53 − 1) as bigint', () => {
  test.each<[string, unknown]>([
    [LONG, 9007199254740993n],
    [`-${LONG}`, -9007199254740993n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['-9223372036854775808', -(2n ** 63n)],
    ['9223372036854775808', 2n ** 63n],
    ['9007199254740991', 9007199254740991],
    ['9007199254740992', 9007199254740992n],
    ['-9007199254740991', -9007199254740991],
    ['0', 0],
    ['-0', -0],
    ['-0.0', -0],
    ['0e0', 0],
    ['1E400', Number.POSITIVE_INFINITY],
    ['-1e400', Number.NEGATIVE_INFINITY],
    ['1e-400', 0],
    ['1e5', 100_000],
    ['1E+5', 100_000],
    [`${LONG}.0`, 9007199254740992],
    [`${LONG}e0`, 9007199254740992],
    ['9'.repeat(308), BigInt('9'.repeat(308))],
    ['9'.repeat(309), Number.POSITIVE_INFINITY],
  ])('%s', (text, value) => {
    expect(parseJson(text)).toStrictEqual(value);
    expect(parseJson(`[${text},${LONG}]`)).toStrictEqual([value, 9007199254740993n]);
  });

  test.each([
    ...['01', '-01', `0${LONG}`, '+1', `+${LONG}`, '.5', '1.', `${LONG}.`, '1.e5', '1e', '1e+', '0x1F', '-'],
    ...['--1', 'Infinity', '-Infinity', 'NaN', '1_000', `${LONG}n`, '１', '1 2', '1,'],
  ])('%s is not one', (text) => {
    expect(outcome(parseJson, text)).toBe('rejected');
    expect(outcome(parseJson, `[${text},${LONG}]`)).toBe('rejected');
  });
});

describe('literals, objects, arrays and strings (RFC 8259, sections 3 to 5 and 7)', () => {
  test.each<[string, unknown]>([
    ['"\\u0041\\n\\/\\\\\\""', 'A\n/\\"'],
    // "The behavior of software that receives JSON texts containing such values is unpredictable" (section 8.2).
    ['"\\ud83d"', '\ud83d'],
    ['"\\udc00\\ud83d"', '\udc00\ud83d'],
    ['"\ud83d\ude00"', '😀'],
    ['"\u2028\u2029\u007f"', '\u2028\u2029\u007f'],
    ['{"a":1,"a":2}', { a: 2 }],
    ['{"\\u0061":1,"a":2}', { a: 2 }],
    ['{"":1}', { '': 1 }],
    ['[[[[]]]]', [[[[]]]]],
    ['{"a":{"b":[]}}', { a: { b: [] } }],
    ['null', null],
    ['[true,false,null]', [true, false, null]],
  ])('%s', (text, value) => {
    expect(parseJson(text)).toStrictEqual(value);
    expect(parseJson(`[${text},${LONG}]`)).toStrictEqual([value, 9007199254740993n]);
  });

  test.each([
    ...['', '[', ']', '{', '}', '[1', '{"a"', '{"a":', '{"a":1', '[1,]', '[,1]', '[1,,2]', '{"a":1,}', '{,}'],
    ...['{a:1}', "{'a':1}", "['a']", '{"a" 1}', '{"a"::1}', '[1:2]', '{"a":1 "b":2}', '{1:2}', '{null:1}'],
    ...['True', 'nul', 'nullx', 'undefined', '[1]]', '{}{}', '[1][2]', '1 2', '"', '"a', '"\\"', '"\\x41"'],
    ...['"\\u00"', '"\\u00g0"', '"\\U0041"', '"a\nb"', '"\t"', '"\0"', '"\u001f"', '"\\\n"', '"\\ud83"'],
    ...['`a`', '“a”', '#', '/**/1', '[1]//', '\ufeff1'],
  ])('%j is not JSON', (text) => {
    expect(outcome(parseJson, text)).toBe('rejected');
    expect(outcome(parseJson, `{"a":${LONG},"b":${text}`)).toBe('rejected');
    expect(outcome(parseJson, `[${text}\u00a0,${LONG}]`)).toBe('rejected');
  });
});

test('accepts exactly what JSON.parse accepts, with and without a long integer', () => {
  const token = fc.constantFrom(
    ...['{', '}', '[', ']', ',', ':', '"a"', '"', '\\', '1', '-', '0', '.', 'e', 'E', '+', LONG, 'true'],
    ...['null', ' ', '\t', '\n', '\r', '\v', '\f', '\u00a0', '\ufeff', '\u2028', '\0', 'u0041', '\ud83d'],
    ...['{}', '[]'],
  );
  const text = fc.array(token, { maxLength: 12 }).map((parts) => parts.join(''));
  const json = fc.json().map((value) => `[${value},${LONG}]`);
  fc.assert(
    fc.property(fc.oneof(text, json), (sample) => {
      const isRejected = outcome(JSON.parse, sample) === 'rejected';
      expect(outcome(parseJson, sample) === 'rejected').toBe(isRejected);
    }),
    { numRuns: runs(5_000) },
  );
});
