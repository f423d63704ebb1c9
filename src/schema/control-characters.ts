/** The body of a character class: DEL, C1 controls, line and paragraph separators. JSON.stringify leaves them. */
export const CONTROL = '\\x7f-\\x9f\\u2028\\u2029';

/** Also with bidi control characters. A terminal interprets them, like the C0 controls. */
export const CONTROL_AND_BIDI = `${CONTROL}\\u061c\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069`;

/** Text that every terminal shows unchanged, one column a character. */
export const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** Formats a character as a `\u` escape for JSON and YAML. For JSON, a character outside of the first plane as two. */
export function toUnicodeEscape(character: string): string {
  return Array.from(
    { length: character.length },
    (_, unit) => `\\u${character.charCodeAt(unit).toString(16).padStart(4, '0')}`,
  ).join('');
}

/** Shows a control character in caret notation (`^[`), and another character as `<U+202E>`. */
export function toVisible(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x20) return `^${String.fromCharCode(code + 0x40)}`;
  if (code === 0x7f) return '^?';
  return `<U+${code.toString(16).toUpperCase().padStart(4, '0')}>`;
}

/** Control, format (bidi, zero width), surrogate, private and unassigned characters; line and paragraph separators. */
export const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

// A variation selector after an escaped character would apply to its last character, a `>`.
const UNPRINTABLE_WITH_VARIANTS = /[\p{C}\p{Zl}\p{Zp}][\ufe00-\ufe0f]*/gu;

/** Makes text from outside safe to print. Shows its unprintable characters as `^[` or `<U+202E>`. */
export function printable(text: string): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  return text.replace(UNPRINTABLE_WITH_VARIANTS, (found) => Array.from(found, toVisible).join(''));
}

const INTERPRETED = new RegExp(`[\\x00-\\x1f${CONTROL_AND_BIDI}]`, 'g');

/** Quotes text from outside for a message. Shows control characters as the rest of the message does. */
export function quote(text: string): string {
  return JSON.stringify(text.replace(INTERPRETED, toVisible));
}
