import { CONTROL_AND_BIDI, PRINTABLE_ASCII } from './control-characters.js';

/**
 * Text from outside, made harmless to a terminal. A name may hold escape sequences that clear the screen, set the
 * window's title or turn the writing direction; it may also hold characters that nobody sees. Both are shown instead
 * of obeyed: `^[` (caret notation) for C0 and DEL, `<U+202E>` for all others.
 */

const PRINTABLE_ASCII_LINES = /^[\x20-\x7e\n]*$/;

// What an invisible character may belong to. Flags of regions (U+1F3F4 and tags), joiners inside emoji and inside
// words of scripts that need them, and variation selectors are writing; elsewhere they only hide something.
const FLAG = '\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{1,6}\\u{E007F}';
const SEEN = '[^\\x00-\\x7f\\p{Cc}\\p{Cf}\\p{Cs}\\p{Z}\\p{Default_Ignorable_Code_Point}]';
const JOINER = `(?<=${SEEN}|\\p{Variation_Selector})[\\u200c\\u200d](?=${SEEN})`;
const HIDDEN = '[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]';
const HIDDEN_OR_WRITING = `(${FLAG}|${JOINER}|\\p{Variation_Selector})|${HIDDEN}`;
/** Built when the first text needs it: its character classes cost more start-up than the rest of the output. */
let hiddenOrWriting: RegExp | undefined;

const OBEYED = new RegExp(`\\r(?!\\n)|[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f${CONTROL_AND_BIDI}]`, 'g');

/** Makes a text harmless and one line: a line break is shown as `^J`, a tab as `^I`. */
export function toTerminalLine(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : showHidden(text);
}

/** Makes a text of several lines harmless, such as an error message: line breaks stay, `\r\n` becomes `\n`. */
export function toTerminalText(text: string): string {
  if (PRINTABLE_ASCII_LINES.test(text)) return text;
  return text.replace(/\r\n/g, '\n').split('\n').map(toTerminalLine).join('\n');
}

/**
 * Shows what would drive a terminal (controls, separators, writing direction) and leaves the rest: tabs, line breaks
 * and zero-width characters stay. For formats that are read back by programs, such as csv.
 */
export function showControls(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : text.replace(OBEYED, visible);
}

function showHidden(text: string): string {
  hiddenOrWriting ??= new RegExp(HIDDEN_OR_WRITING, 'gu');
  return text.replace(hiddenOrWriting, (found, writing: string | undefined) => writing ?? visible(found));
}

function visible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  if (code === 0x7f) return '^?';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
