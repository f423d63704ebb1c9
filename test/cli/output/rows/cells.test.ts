import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cellText, fieldValue, toCsvLine, toTsvLine } from '../../../../src/cli/output/rows/cells.js';
import { anyCharacter } from '../../../support/any-character.js';

test.each<[unknown, string]>([
  [9223372036854775807n, '9223372036854775807'],
  [-5, '-5'],
  ['Rex', 'Rex'],
  ['', ''],
  [undefined, ''],
  [null, ''],
  [true, 'true'],
  [false, 'false'],
  [[1n, 'a'], '[1,"a"]'],
  [{ owner: { id: 9007199254740993n } }, '{"owner":{"id":9007199254740993}}'],
])('formats %o', (value, text) => {
  expect(cellText(value)).toBe(text);
});

test('reads only own fields of a row', () => {
  expect(fieldValue({ id: 1n }, 'id')).toBe(1n);
  expect(fieldValue({ id: 1n }, 'constructor')).toBeUndefined();
  expect(fieldValue({ id: 1n }, '__proto__')).toBeUndefined();
});

describe('a TSV line', () => {
  test('separates values by tabs, without quotes or truncation', () => {
    expect(toTsvLine([1n, 'say "hi", 猫', undefined, 'x'.repeat(300)])).toBe(
      `1\tsay "hi", 猫\t\t${'x'.repeat(300)}\n`,
    );
  });

  test('shows tabs, line breaks and control characters in a value', () => {
    expect(toTsvLine(['a\tb', 'c\nd', '\x1b[2J'])).toBe('a^Ib\tc^Jd\t^[[2J\n');
  });

  test('has one line a row and one tab between cells, for any values', () => {
    const text = fc.string({ unit: anyCharacter });
    fc.assert(
      fc.property(fc.array(text, { minLength: 1 }), (values) => {
        const line = toTsvLine(values);
        expect(line.match(/\n/g)).toHaveLength(1);
        expect(line.split('\t')).toHaveLength(values.length);
      }),
    );
  });
});

// test/standards/csv-output.test.ts has the rest of a CSV line.
test('a CSV line shows control and bidi characters', () => {
  expect(toCsvLine(['\x1b[2J', '\u202eabc'], { raw: false })).toBe('^[[2J,<U+202E>abc\r\n');
});
