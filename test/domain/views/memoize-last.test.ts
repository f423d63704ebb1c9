import { expect, test } from 'vitest';
import { memoizeLast } from '../../../src/domain/views/own-records.js';

test('computes a value once for the same object in a row', () => {
  const made: object[] = [];
  const lookUp = memoizeLast((key: { value?: number }) => {
    made.push(key);
    return key.value;
  });
  const [one, other] = [{ value: 1 }, {}];
  expect([lookUp(one), lookUp(one), lookUp(other), lookUp(other)]).toEqual([1, 1, undefined, undefined]);
  expect(made).toEqual([one, other]);
});

test('computes it again after a failure', () => {
  let fails = true;
  const lookUp = memoizeLast(() => {
    if (fails) throw new Error('not yet');
    return 'made';
  });
  const key = {};
  expect(() => lookUp(key)).toThrow('not yet');
  fails = false;
  expect(lookUp(key)).toBe('made');
});
