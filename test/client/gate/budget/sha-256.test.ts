import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sha256 } from '../../../../src/client/gate/budget/sha-256.js';

const expected = (text: string): string => createHash('sha256').update(text).digest('hex');

test.each([0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 1_000])(
  'of %d characters is that of node:crypto',
  (length) => {
    expect(sha256('x'.repeat(length))).toBe(expected('x'.repeat(length)));
  },
);

test('of any text is that of node:crypto', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      expect(sha256(text)).toBe(expected(text));
    }),
  );
});
