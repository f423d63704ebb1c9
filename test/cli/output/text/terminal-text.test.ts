import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  showControls,
  toTerminalLine,
  toTerminalText,
} from '../../../../src/cli/output/text/terminal-text.js';
import { anyCharacter } from '../../../support/any-character.js';

const anyText = fc.string({
  unit: fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.constantFrom('\x1b', '\u202e', '\n', '\r', '\ud800', '\u200d'),
  ),
});
const CONTROLS_AND_BIDI = /[\x00-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]/;

describe('one line', () => {
  test.each([
    ['plain', 'Rex the 3rd ~ "!"', 'Rex the 3rd ~ "!"'],
    ['clear screen', 'a\x1b[2Jb', 'a^[[2Jb'],
    ['window title', '\x1b]0;owned\x07', '^[]0;owned^G'],
    ['C1 introducer', 'a\x9b2J', 'a<U+009B>2J'],
    ['NUL and DEL', '\0\x7f', '^@^?'],
    ['DEL alone', '\x7f', '^?'],
    ['tab and line breaks', 'a\tb\nc\r\nd', 'a^Ib^Jc^M^Jd'],
    ['separators', 'a\u2028b\u2029', 'a<U+2028>b<U+2029>'],
    ['right-to-left override', 'a\u202ecba', 'a<U+202E>cba'],
    ['isolates and marks', '\u2066\u2069\u200e\u200f\u061c', '<U+2066><U+2069><U+200E><U+200F><U+061C>'],
    ['zero-width space', 'R\u200bex', 'R<U+200B>ex'],
    ['byte order mark, soft hyphen', '\ufeffa\u00adb', '<U+FEFF>a<U+00AD>b'],
    ['joiner between ASCII letters', 'R\u200dex', 'R<U+200D>ex'],
    ['joiner at the end', '👩\u200d', '👩<U+200D>'],
    ['lone surrogates', '\ud800a\udc00', '<U+D800>a<U+DC00>'],
    ['tags without a flag', 'a\u{e0041}', 'a<U+E0041>'],
    ['tags of no region', '🏴\u{e0078}\u{e007f}', '🏴<U+E0078><U+E007F>'],
    ['all tags', '\u{e0000}\u{e0001}\u{e0020}\u{e007f}', '<U+E0000><U+E0001><U+E0020><U+E007F>'],
    ['joiner between Latin letters', 'é\u200dé\u200cé', 'é<U+200D>é<U+200C>é'],
    ['second variation selector', '❤\ufe0f\ufe0f', '❤\ufe0f<U+FE0F>'],
    ['variation selectors of letters', 'a\ufe00\u{e0100}', 'a<U+FE00><U+E0100>'],
    ['variation selectors as data', '😀\u{e0148}\u{e0155}', '😀<U+E0148><U+E0155>'],
    [
      'grapheme joiner, fillers',
      '\u034f\u115f\u3164\uffa0\u17b4',
      '<U+034F><U+115F><U+3164><U+FFA0><U+17B4>',
    ],
    ['invisible operators', '\u2060\u2061\u2064\u206f', '<U+2060><U+2061><U+2064><U+206F>'],
    ['annotations', '\ufff9\ufffa\ufffb', '<U+FFF9><U+FFFA><U+FFFB>'],
    ['musical and hieroglyphic controls', '\u{1d173}\u{13430}', '<U+1D173><U+13430>'],
  ])('shows %s', (_name, text, shown) => {
    expect(toTerminalLine(text)).toBe(shown);
  });

  test.each([
    '猫',
    '👩‍👩‍👧‍👦',
    '🇳🇱',
    'e\u0301',
    '❤️',
    '❤️‍🔥',
    '👩🏽‍🚀',
    '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
    'می‌خواهم',
    'क्‍ष',
    'Zoë',
    'שלום',
    'ශ්‍රී',
    '1️⃣',
    '葛󠄀',
    'กำ',
    '❤︎',
  ])('keeps %s', (text) => {
    expect(toTerminalLine(text)).toBe(text);
  });

  test('makes any text harmless, and keeps harmless text', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const shown = toTerminalLine(text);
        expect(shown).not.toMatch(CONTROLS_AND_BIDI);
        expect(shown).not.toMatch(/\p{Cs}/u);
        expect(toTerminalLine(shown)).toBe(shown);
      }),
    );
  });
});

describe('several lines', () => {
  test('keep only line breaks', () => {
    expect(toTerminalText('one\r\ntwo\x1b[1m\n\nthree\rfour\t')).toBe('one\ntwo^[[1m\n\nthree^Mfour^I');
  });

  test('have no control character except line breaks', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(toTerminalText(text).replaceAll('\n', '')).not.toMatch(CONTROLS_AND_BIDI);
      }),
    );
  });
});

test('showControls keeps tabs, line breaks and zero-width characters', () => {
  expect(showControls('a\tb\nc\r\nd\u200b\xa0')).toBe('a\tb\nc\r\nd\u200b\xa0');
  expect(showControls('a\rb\x1b[2J\u202e\x85')).toBe('a^Mb^[[2J<U+202E><U+0085>');
});
