import { describe, expect, test } from 'vitest';
import { choice, durationMs, int64, quoted, wholeNumber } from '../../../src/cli/command-line/flag-values.js';
import { UsageError } from '../../../src/cli/errors/usage-error.js';

describe('choice', () => {
  test('accepts a known word', () => {
    expect(choice('--status', ['available', 'sold'], 'sold')).toBe('sold');
  });

  test.each([
    ['Available', 'Did you mean "available"?'],
    ['sodl', 'Did you mean "sold"?'],
    ['sold,pending', 'Pass one of available, sold.'],
    ['', 'Pass one of available, sold.'],
  ])('rejects %j', (word, hint) => {
    expect(() => choice('--status', ['available', 'sold'], word)).toThrow(expect.objectContaining({ hint }));
  });
});

describe('wholeNumber', () => {
  test.each([
    ['1', 1],
    ['100', 100],
  ])('accepts %s', (word, value) => {
    expect(wholeNumber('--limit', 1, 100, word)).toBe(value);
  });

  test.each(['0', '101', '1.5', 'abc', '', ' 5', '1e2', '0x10', '-1', '+5', 'Infinity'])(
    'rejects %j',
    (word) => {
      expect(() => wholeNumber('--limit', 1, 100, word)).toThrow(
        /--limit: .* is not a whole number from 1 to 100/,
      );
    },
  );
});

describe('int64', () => {
  test.each([
    ['9223372036854775807', 9223372036854775807n],
    ['-9223372036854775808', -9223372036854775808n],
    ['0', 0n],
  ])('accepts %s', (word, value) => {
    expect(int64('ID', word)).toBe(value);
  });

  test.each(['9223372036854775808', '0x10', '', '1.0', '+1', '01', '1e3'])('rejects %j', (word) => {
    expect(() => int64('ID', word)).toThrow(UsageError);
  });
});

test('durationMs accepts and rejects', () => {
  expect(durationMs('--timeout', '2m')).toBe(120_000);
  expect(() => durationMs('--timeout', 'soon')).toThrow(/--timeout: "soon" is not a duration/);
});

test('quoted shows spaces and truncates long text', () => {
  expect(quoted(' ')).toBe('" "');
  expect(quoted('a\u001b\u202e')).toBe('"a^[<U+202E>"');
  expect(quoted('x'.repeat(100))).toHaveLength(63);
});
