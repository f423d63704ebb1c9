import { expect, test } from 'vitest';
import { counted } from '../../../src/cli/text/counted.js';

test.each([
  [0, '0 pets'],
  [1, '1 pet'],
  [2, '2 pets'],
])('%i', (count, text) => {
  expect(counted(count, 'pet')).toBe(text);
});
