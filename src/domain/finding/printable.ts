const LENGTH_MAX = 200;

/**
 * Makes text from outside safe to show. Whatever could drive a terminal or reorder a line (controls, bidi and other
 * format characters, line separators, lone surrogates, unassigned and private characters) becomes visible: up to U+00FF
 * as `\DDD` (RFC 1035, section 5.1), above as `\u{…}`.
 */
export function printable(text: string): string {
  if (PLAIN.test(text)) return text;
  return text.replaceAll(UNSAFE, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code <= 0xff ? `\\${String(code).padStart(3, '0')}` : `\\u{${code.toString(16).toUpperCase()}}`;
  });
}

/** Whether a text is safe to show as it is. */
export function isPrintable(text: string): boolean {
  return text.search(UNSAFE) < 0;
}

/** The text with something else, or nothing, in the place of what is not safe to show. */
export function withoutUnprintable(text: string, instead = ''): string {
  return text.replaceAll(UNSAFE, instead);
}

/** Text from outside, safe to show and not too long. */
export function shown(text: string, lengthMax = LENGTH_MAX): string {
  return printable(clipped(text, lengthMax));
}

/** Cuts a long text, so that no answer fills the screen. */
export function clipped(text: string, lengthMax = LENGTH_MAX): string {
  const characters = Array.from(text.slice(0, 2 * lengthMax + 1));
  return characters.length <= lengthMax ? text : `${characters.slice(0, lengthMax - 1).join('')}…`;
}

/** `a`, `a and b`, `a, b and c`; beyond the limit `a, b and 7 more`. */
export function listed(items: readonly string[], itemsMax = 8): string {
  const shown = items.length > itemsMax ? items.slice(0, itemsMax - 1) : items;
  const all = items.length > itemsMax ? [...shown, `${items.length - shown.length} more`] : shown;
  const last = all.at(-1) ?? '';
  return all.length < 2 ? last : `${all.slice(0, -1).join(', ')} and ${last}`;
}

/** Nearly every text. */
const PLAIN = /^[ -~]*$/;

/** Controls, format (bidi, zero width), surrogate, private, unassigned; line and paragraph separators. */
const UNSAFE = /[\p{C}\p{Zl}\p{Zp}]/gu;
