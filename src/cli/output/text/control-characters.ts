/**
 * The body of a character class: what a terminal obeys beyond the C0 controls. DEL and C1, separators, and the marks
 * that turn the writing direction.
 */
export const CONTROL_AND_BIDI =
  '\\x7f-\\x9f\\u061c\\u200e\\u200f\\u2028\\u2029\\u202a-\\u202e\\u2066-\\u2069';

/** Texts that need no closer look, because every terminal shows them as they are and one column a character. */
export const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** A character as the `\u` escape that JSON and YAML share. */
export function toUnicodeEscape(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
