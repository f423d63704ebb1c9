import { expect, test } from 'vitest';
import { createMemo } from '../../../src/domain/concurrency/memo.js';

test('makes a value once, also while it is under way', async () => {
  const memo = createMemo<number>(10);
  let made = 0;
  const make = async (): Promise<number> => {
    made += 1;
    return made;
  };
  expect(await Promise.all([memo.get('a', make), memo.get('a', make), memo.get('b', make)])).toEqual([
    1, 1, 2,
  ]);
});

test('lets go of the oldest beyond its size', async () => {
  const memo = createMemo<string>(2);
  for (const key of ['a', 'b', 'c']) await memo.get(key, async () => key);
  expect(await memo.get('c', async () => 'again')).toBe('c');
  expect(await memo.get('a', async () => 'again')).toBe('again');
});
