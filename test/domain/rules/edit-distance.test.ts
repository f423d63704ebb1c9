import { expect, test } from 'vitest';
import { editDistance } from '../../../src/domain/rules/edit-distance.js';

test.each([
  ['cname', 'cname', 0],
  ['cnmae', 'cname', 1],
  ['cnme', 'cname', 1],
  ['cnamee', 'cname', 1],
  ['xname', 'cname', 1],
  ['anmce', 'cname', 3],
  ['', 'cname', 3],
])('%s to %s', (from, to, expected) => expect(editDistance(from, to, 3)).toBe(expected));

test('returns the limit at once for a very long name', () =>
  expect(editDistance('x'.repeat(1e7), 'cname', 3)).toBe(3));
