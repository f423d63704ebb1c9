import { expect, test } from 'vitest';
import { slips } from '../../../src/domain/rules/slips.js';

test.each([
  ['cname', 'cname', 0],
  ['cnmae', 'cname', 1],
  ['cnme', 'cname', 1],
  ['cnamee', 'cname', 1],
  ['xname', 'cname', 1],
  ['anmce', 'cname', 3],
  ['', 'cname', 3],
])('%s to %s', (from, to, expected) => expect(slips(from, to, 3)).toBe(expected));

test('a hostile length costs nothing', () => expect(slips('x'.repeat(1e7), 'cname', 3)).toBe(3));
