import { CONTROL_AND_BIDI, PRINTABLE_ASCII } from './control-characters.js';

// Text from outside may hold escape sequences, bidi controls and invisible characters. They are shown instead of sent to
// the terminal: C0 controls and DEL in caret notation (`^[`), others as `<U+202E>`.

const PRINTABLE_ASCII_LINES = /^[\x20-\x7e\n]*$/;

// Invisible characters that are part of the text: tags of region flags (after U+1F3F4), joiners between visible
// characters, variation selectors.
const FLAG = '\\u{1F3F4}[\\u{E0030}-\\u{E0039}\\u{E0061}-\\u{E007A}]{1,6}\\u{E007F}';
const VISIBLE = '[^\\x00-\\x7f\\p{Cc}\\p{Cf}\\p{Cs}\\p{Z}\\p{Default_Ignorable_Code_Point}]';
const JOINER = `(?<=${VISIBLE}|\\p{Variation_Selector})[\\u200c\\u200d](?=${VISIBLE})`;
const HIDDEN = '[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb]';
const HIDDEN_OR_TEXT = `(${FLAG}|${JOINER}|\\p{Variation_Selector})|${HIDDEN}`;
/** Compiled on first use: its character classes are slow to compile. */
let hiddenOrText: RegExp | undefined;

const INTERPRETED = new RegExp(`\\r(?!\\n)|[\\x00-\\x08\\x0b\\x0c\\x0e-\\x1f${CONTROL_AND_BIDI}]`, 'g');

/** Makes a text one harmless line: control characters are shown, a line break as `^J`, a tab as `^I`. */
export function toTerminalLine(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : showHidden(text);
}

/** Makes a text of several lines harmless. Line breaks stay; `\r\n` becomes `\n`. */
export function toTerminalText(text: string): string {
  if (PRINTABLE_ASCII_LINES.test(text)) return text;
  return text.replace(/\r\n/g, '\n').split('\n').map(toTerminalLine).join('\n');
}

/**
 * Shows control and bidi characters, but keeps tabs, line breaks and zero-width characters. For formats that programs
 * read, such as csv.
 */
export function showControls(text: string): string {
  return PRINTABLE_ASCII.test(text) ? text : text.replace(INTERPRETED, toVisible);
}

function showHidden(text: string): string {
  hiddenOrText ??= new RegExp(HIDDEN_OR_TEXT, 'gu');
  return text.replace(
    hiddenOrText,
    (found, partOfText: string | undefined) => partOfText ?? toVisible(found),
  );
}

function toVisible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  if (code === 0x7f) return '^?';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}
