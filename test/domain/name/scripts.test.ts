import { expect, test } from 'vitest';
import { latinLookalike, scriptMixture } from '../../../src/domain/name/scripts.js';

test.each([
  'bücher.example',
  'straße-42.example',
  '日本のカフェ-tokyo.example',
  // The prolonged sound mark is used in Hiragana and Katakana.
  'コーヒー豆.example',
  '한국-korea.example',
  '日本한국.example',
  '漢ㄅ-abc.example',
  'пример.example',
  'παράδειγμα.example',
  'உதாரணம்.example',
  'مثال۱۲.example',
  '2026-11.example',
  // Each label has its own script.
  'пример.bücher.example',
  // Runes are of no use today, and of one script.
  'ᚠᚢᚦ.example',
])('accepts the scripts of %s', (name) => expect(scriptMixture(name)).toBeUndefined());

test.each([
  ['pаypal.example', 'pаypal', 'Latin letters with Cyrillic "а" (U+0430)'],
  ['shop.gοοgle.example', 'gοοgle', 'Latin letters with Greek "ο" (U+03BF)'],
  ['кафеラ.example', 'кафеラ', 'Cyrillic letters with Katakana "ラ" (U+30E9)'],
  ['кофеー.example', 'кофеー', 'Cyrillic letters with Hiragana "ー" (U+30FC)'],
  [
    'ไทยعرب.example',
    'ไทยعرب',
    'Thai letters with Arabic "ع" (U+0639), Arabic "ر" (U+0631), Arabic "ب" (U+0628)',
  ],
  [
    '日本한국カ.example',
    '日本한국カ',
    'Han letters with Hangul "한" (U+D55C), Hangul "국" (U+AD6D), Katakana "カ" (U+30AB)',
  ],
  ['abcᚠ.example', 'abcᚠ', 'Latin letters with other "ᚠ" (U+16A0)'],
])('%s', (name, label, text) => {
  expect(scriptMixture(name)).toEqual({ label, text });
});

test.each([
  ['сосо.example', 'сосо'],
  ['сосо-1.example', 'сосо-1'],
  ['пример.example', undefined],
  ['coco.example', undefined],
  ['2026-11.example', undefined],
])('%s looks Latin: %s', (name, label) => expect(latinLookalike(name)).toBe(label));
