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
