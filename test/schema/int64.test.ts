import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { INT64_MAX, INT64_MIN, toInt64 } from '../../src/schema/int64.js';

describe('toInt64', () => {
  test.each([
    [0, 0n],
    [-0, 0n],
    [42, 42n],
    [-7, -7n],
    [Number.MAX_SAFE_INTEGER, 9007199254740991n],
    ['0', 0n],
    ['42', 42n],
    ['-7', -7n],
    ['9223372036854775807', INT64_MAX],
    ['-9223372036854775808', INT64_MIN],
    [INT64_MAX, INT64_MAX],
    [INT64_MIN, INT64_MIN],
  ])('accepts %o', (value, expected) => {
    expect(toInt64(value)).toBe(expected);
  });

  test.each([
    ...['', ' 1', '1 ', '+1', '01', '-01', '-0', '0x10', '1e3', '1.0', '1_000', '٣'],
    ...['9223372036854775808', '-9223372036854775809', INT64_MAX + 1n, INT64_MIN - 1n],
    ...[2 ** 53, 1.5, Number.NaN, Number.POSITIVE_INFINITY, true, null, undefined, {}],
    [[1]],
  ])('rejects %o', (value) => {
    expect(toInt64(value)).toBeUndefined();
  });

  test('accepts every int64 as a bigint and as a decimal string', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: INT64_MIN, max: INT64_MAX }), (value) => {
        expect(toInt64(value)).toBe(value);
        expect(toInt64(String(value))).toBe(value);
      }),
    );
  });
});
