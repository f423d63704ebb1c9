const BLANKS = '[ \\0\\x0b\\f\\xa0\\u3000\\ufeff\\u200b]*';
/** Full-width signs too: a Japanese spreadsheet converts them. */
const FORMULA = '[=+\\-@＝＋－＠]';
/** Text that a spreadsheet runs as a formula, with or without guards. */
const AT_START = new RegExp(`^'*(?:[\\t\\r\\n\\0]|${BLANKS}${FORMULA})`);
/** A place where a spreadsheet of another locale splits a cell: it separates cells by semicolons, also in quotes. */
const AFTER_SPLIT = new RegExp(`(?<=[;\\t\\r\\n])(?='*${BLANKS}${FORMULA})`, 'g');
const GUARD_AFTER_SPLIT = new RegExp(`(?<=[;\\t\\r\\n])'(?='*${BLANKS}${FORMULA})`, 'g');
/** A number, or the name of an apex domain. */
const HARMLESS = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|@)$/i;

/**
 * Puts a `'` before text that a spreadsheet runs as a formula, also after `;`, a tab or a line break. Guarded text gets
 * one more, so `unguardFormula` always restores the original.
 */
export function guardFormula(text: string): string {
  return (isFormula(text) ? "'" : '') + text.replace(AFTER_SPLIT, "'");
}

/** Removes each `'` that `guardFormula` adds. */
export function unguardFormula(text: string): string {
  const bare = text.replace(GUARD_AFTER_SPLIT, '');
  return bare.startsWith("'") && isFormula(bare.slice(1)) ? bare.slice(1) : bare;
}

function isFormula(text: string): boolean {
  return AT_START.test(text) && !HARMLESS.test(text);
}
