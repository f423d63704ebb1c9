import { cellText } from './cell-text.js';
import { showControls } from './text/terminal-text.js';

const BLANKS = '[ \\0\\x0b\\f\\xa0\\u3000\\ufeff\\u200b]*';
/** Full-width signs too: a Japanese spreadsheet converts them. */
const FORMULA = '[=+\\-@＝＋－＠]';
/** Leading quotes count too, so that removing one quote always restores the value. */
const AT_START = new RegExp(`^'*(?:[\\t\\r\\n\\0]|${BLANKS}${FORMULA})`);
/** A place where a spreadsheet of another locale splits a cell: it separates cells by semicolons, also in quotes. */
const AFTER_SPLIT = new RegExp(`(?<=[;\\t\\r\\n])(?='*${BLANKS}${FORMULA})`, 'g');
/** A number, or the name of an apex domain. */
const HARMLESS = /^(?:[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?|@)$/i;
const NEEDS_QUOTES = /[",\r\n]/;

export interface CsvOptions {
  /** Whether cells that a spreadsheet would run as formulas stay unescaped. */
  raw: boolean;
}

/**
 * Formats one line of CSV (RFC 4180): commas, double quotes if needed, CRLF.
 *
 * A spreadsheet runs text as a formula that starts with `=`, `+`, `-` or `@` (full-width signs and blanks before them
 * count too), a tab, a line break or NUL. Such a cell gets a leading `'`. The same text after `;`, a tab or a line break
 * gets a `'` there, because spreadsheets of some locales split cells at semicolons, also within quotes. Guarded text gets
 * one more. Plain numbers such as `-5` and the label `@` stay as they are.
 *
 * Control characters are shown (`^[`), except tabs and line breaks.
 */
export function toCsvLine(values: readonly unknown[], options: CsvOptions): string {
  const line = values.map((value) => toCell(value, options.raw)).join(',');
  // A single empty cell would be an empty line, which readers skip.
  return line === '' && values.length === 1 ? '""\r\n' : `${line}\r\n`;
}

function toCell(value: unknown, raw: boolean): string {
  const text = cellText(value);
  const shown = showControls(raw ? text : guardFormula(text));
  return NEEDS_QUOTES.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

/** The same rule as in `bulk/rows/csv-cell.ts`, which imports remove it by. */
function guardFormula(text: string): string {
  const isFormula = AT_START.test(text) && !HARMLESS.test(text);
  return (isFormula ? "'" : '') + text.replace(AFTER_SPLIT, "'");
}
