import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cutToWidth, loadMeasure } from '../../../src/cli/output/text-width.js';

describe('the measure', () => {
  test.each([
    ['Rex', 3],
    ['', 0],
    ['猫', 2],
    ['👩‍👩‍👧‍👦', 2],
    ['🇳🇱', 2],
    ['e\u0301', 1],
    ['❤️', 2],
    ['…', 1],
  ])('of %s is %i', async (text, width) => {
    expect((await loadMeasure([text]))(text)).toBe(width);
  });

  test('is exact for all texts where only one of them is not ASCII', async () => {
    const measure = await loadMeasure(['Rex', '猫']);
    expect(['Rex', '猫'].map(measure)).toEqual([3, 2]);
  });
});

describe('cutting', () => {
  test.each([
    ['Rex', 3, 'Rex'],
    ['Rexy', 3, 'Re…'],
    ['Rexy', 1, '…'],
    ['Re xy', 4, 'Re…'],
    ['猫猫猫', 6, '猫猫猫'],
    ['猫猫猫', 5, '猫猫…'],
    ['猫猫猫', 4, '猫…'],
    ['👩‍👩‍👧‍👦👩‍👩‍👧‍👦', 3, '👩‍👩‍👧‍👦…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ])('%s to %i columns gives %s', async (text, width, cut) => {
    expect(cutToWidth(text, width, await loadMeasure([text]))).toBe(cut);
  });

  test('never gives more columns than asked for', async () => {
    const measure = await loadMeasure(['猫']);
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.integer({ min: 1, max: 12 }), (text, width) => {
        expect(measure(cutToWidth(text, width, measure))).toBeLessThanOrEqual(width);
      }),
    );
  });
});
