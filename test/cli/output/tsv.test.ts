import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toTsvLine } from '../../../src/cli/output/tsv.js';
import { anyCharacter } from '../../support/any-character.js';

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
