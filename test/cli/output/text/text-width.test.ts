import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { IS_FULL } from '../../../support/random-runs.js';
import { truncateToWidth, loadMeasure } from '../../../../src/cli/output/text/text-width.js';

describe('the width', () => {
  test.each([
    ['Rex', 3],
    ['', 0],
    ['猫', 2],
    ['👩‍👩‍👧‍👦', 2],
    ['🇳🇱', 2],
    ['e\u0301', 1],
    ['❤️', 2],
    ['…', 1],
    // As wcwidth() and terminals count, unlike string-width: the vowels AM, and the consonants of a conjunct.
    ['กำ', 2],
    ['น้ำ', 2],
    ['ນຳ', 2],
    ['ไม้', 2],
    ['हिन्दी', 5],
    ['ខ្មែរ', 4],
  ])('of %s is %i', async (text, width) => {
    expect((await loadMeasure([text]))(text)).toBe(width);
  });

  test('is exact for all texts if only one is not simple', async () => {
    const measure = await loadMeasure(['Rex', '猫', '🇳🇱']);
    expect(['Rex', '猫', '🇳🇱'].map(measure)).toEqual([3, 2, 2]);
  });
});

describe('without string-width, the width', () => {
  // The characters beyond are in long rows of one width.
  test('of each character is the same (all beyond U+0600 with PETSTORE_TEST_FULL=1)', async () => {
    const differing: string[] = [];
    // Loaded once, because an import takes much longer in a test.
    const measure = await loadMeasure(['👩‍👩‍👧‍👦']);
    for (let code = 0x20; code < 0xd800; code += IS_FULL || code < 0x600 ? 1 : 16) {
      const character = String.fromCharCode(code);
      if (measure(character) !== stringWidth(character)) differing.push(code.toString(16));
    }
    expect(differing).toEqual([]);
  });

  test('of neighbours is the same', async () => {
    const character = fc.oneof(
      ...[
        [0x20, 0x7e],
        [0xa1, 0x52f],
        [0x2010, 0x2027],
        [0x3041, 0x30fa],
        [0x3400, 0xd7a3],
      ].map(([min = 0, max = 0]) => fc.integer({ min, max })),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(character, { maxLength: 6 }), async (codes) => {
        const text = String.fromCharCode(...codes);
        const measure = await loadMeasure([text]);
        expect(measure(text)).toBe(stringWidth(text));
      }),
    );
  });
});

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
])('truncation of %s to %i columns gives %s', async (text, width, cut) => {
  expect(truncateToWidth(text, width, await loadMeasure([text]))).toBe(cut);
});
