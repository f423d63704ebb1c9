import { expect, test } from 'vitest';
import { createRandom } from '../../../src/mock/service/random.js';

test('gives the same numbers for the same seed on every machine', () => {
  const random = createRandom(1);
  expect([random(), random(), random()].map((drawn) => drawn.toFixed(9))).toEqual([
    '0.627073941',
    '0.002735721',
    '0.527447040',
  ]);
  expect(createRandom(2)()).not.toBe(createRandom(1)());
});

test('gives evenly distributed numbers in [0, 1)', () => {
  const random = createRandom(7);
  const tenths = new Array<number>(10).fill(0);
  for (let drawn = 0; drawn < 10_000; drawn += 1) {
    const tenth = Math.floor(random() * 10);
    tenths[tenth] = (tenths[tenth] ?? 0) + 1;
  }
  expect(tenths.reduce((sum, count) => sum + count)).toBe(10_000);
  for (const count of tenths) expect(Math.abs(count - 1_000)).toBeLessThan(150);
});
