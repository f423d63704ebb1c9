import { CONTROL_AND_BIDI, PRINTABLE_ASCII, toVisible } from '../../../schema/control-characters.js';

// Text from outside may hold escape sequences, bidi controls and invisible characters. They are shown instead of sent to
// the terminal: C0 controls and DEL in caret notation (`^[`), others as `<U+202E>`.

const PRINTABLE_ASCII_LINES = /^[\x20-\x7e\n]*$/;

// Invisible characters that are part of the text:
// - tags of the three region flags (after U+1F3F4)
// - joiners between emojis, and in scripts that need them
// - one variation selector after a character that can have a variant
const FLAG =
  '\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}';
const EMOJI_JOINER =
  '(?<=[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\ufe0f?)\\u200d(?=\\p{Extended_Pictographic})';
const JOINED_SCRIPTS = [
  'Arab',
  'Syrc',
  'Nkoo',
  'Mong',
  'Deva',
  'Beng',
  'Guru',
  'Gujr',
  'Orya',
  'Taml',
  'Telu',
  'Knda',
  'Mlym',
  'Sinh',
  'Khmr',
  'Mymr',
  'Tibt',
];
const JOINED = `[${JOINED_SCRIPTS.map((script) => `\\p{Script=${script}}`).join('')}]`;
const JOINER = `(?<=${JOINED})[\\u200c\\u200d](?=${JOINED})`;
const EMOJI_SELECTOR = '(?<=\\p{Emoji})[\\ufe0e\\ufe0f]';
const VARIANT_SELECTOR =
  '(?<=\\p{Ideographic})[\\ufe00-\\ufe02\\u{e0100}-\\u{e01ef}]|(?<=[\\p{Math}\\p{Script=Mymr}\\p{Script=Phag}])\\ufe00|(?<=(?![\\u180b-\\u180f])\\p{Script=Mong})[\\u180b-\\u180d\\u180f]';
const HIDDEN =
  '[\\p{Cc}\\p{Cs}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\ufff9-\\ufffb\\u{13430}-\\u{1345f}]';
const HIDDEN_OR_TEXT = `(${FLAG}|${EMOJI_JOINER}|${JOINER}|${EMOJI_SELECTOR}|${VARIANT_SELECTOR})|${HIDDEN}`;
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

/**
 * Escapes invisible characters in JSON or YAML. They occur only in quotes there.
 *
 * @param escape formats one character.
 */
export function escapeHidden(text: string, escape: (character: string) => string): string {
  if (PRINTABLE_ASCII_LINES.test(text)) return text;
  return text
    .split('\n')
    .map((line) => showHidden(line, escape))
    .join('\n');
}

function showHidden(text: string, show = toVisible): string {
  hiddenOrText ??= new RegExp(HIDDEN_OR_TEXT, 'gu');
  return text.replace(hiddenOrText, (found, partOfText: string | undefined) => partOfText ?? show(found));
}
