import { expect, test } from 'vitest';
import { memoize } from '../../../src/domain/views/memoize.js';

test('computes a value once for each object', () => {
  const made: object[] = [];
  const lookUp = memoize((key: { value?: number }) => {
    made.push(key);
    return key.value;
  });
  const [one, other] = [{ value: 1 }, {}];
  expect([lookUp(one), lookUp(other), lookUp(one), lookUp(other)]).toEqual([1, undefined, 1, undefined]);
  expect(made).toEqual([one, other]);
});

test('computes it again after a failure', () => {
  let fails = true;
  const lookUp = memoize(() => {
    if (fails) throw new Error('not yet');
    return 'made';
  });
  const key = {};
  expect(() => lookUp(key)).toThrow('not yet');
  fails = false;
  expect(lookUp(key)).toBe('made');
});
