import { expect, test } from 'vitest';
import { createPainter, petStatusStyle } from '../../../../src/cli/output/text/style.js';

test('without colours a text stays as it is', async () => {
  const paint = await createPainter(0);
  expect(paint('green', 'available')).toBe('available');
});

test('with colours a style starts and ends', async () => {
  const paint = await createPainter(1);
  expect(paint('green', 'available')).toBe('\x1b[32mavailable\x1b[39m');
  expect(paint('dim', 'sold')).toBe('\x1b[2msold\x1b[22m');
});

test('each status has its style, and an unknown one has none', () => {
  expect(['available', 'pending', 'sold', 'adopted'].map(petStatusStyle)).toEqual([
    'green',
    'yellow',
    'dim',
    undefined,
  ]);
});
