import { expect, test } from 'vitest';
import {
  CONTROL_AND_BIDI,
  PRINTABLE_ASCII,
  toUnicodeEscape,
} from '../../../../src/cli/output/text/control-characters.js';

test('the class has DEL, C1, separators and bidi characters, and no visible text', () => {
  const obeyed = new RegExp(`^[${CONTROL_AND_BIDI}]$`);
  const drive = ['\x7f', '\x80', '\x9b', '\x9f', '\u061c', '\u200e', '\u200f', '\u2028', '\u2029'];
  const turn = ['\u202a', '\u202e', '\u2066', '\u2069'];
  expect([...drive, ...turn].filter((character) => !obeyed.test(character))).toEqual([]);
  expect(
    ['~', '\xa0', 'é', '\u200b', '\u200d', '\u2027', '\u2030', '猫'].filter((c) => obeyed.test(c)),
  ).toEqual([]);
});

test('printable ASCII', () => {
  expect(['', ' ~', '\x7f', '\n', 'é'].map((text) => PRINTABLE_ASCII.test(text))).toEqual([
    true,
    true,
    false,
    false,
    false,
  ]);
});

test('JSON and YAML read an escape as the character', () => {
  for (const character of ['\x7f', '\u202e']) {
    expect(toUnicodeEscape(character)).toMatch(/^\\u[0-9a-f]{4}$/);
    expect(JSON.parse(`"${toUnicodeEscape(character)}"`)).toBe(character);
  }
});
