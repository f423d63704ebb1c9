import { cellText } from './cell-text.js';
import { showControls } from './text/terminal-text.js';

/** Leading quotes count too, so that removing one quote always restores the value. */
const FORMULA_START = /^'*[=+\-@\t\r]/;
const PLAIN_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const NEEDS_QUOTES = /[",\r\n]/;

export interface CsvOptions {
  /** Whether cells that a spreadsheet would run as formulas stay unescaped. */
  raw: boolean;
}

/**
 * Formats one line of CSV (RFC 4180): commas, double quotes if needed, CRLF.
 *
 * A cell that starts with `=`, `+`, `-`, `@`, a tab or a carriage return gets a leading `'`, because a spreadsheet would
 * run it as a formula. A cell that already starts with such a quote gets one more. Plain numbers such as `-5` stay as
 * they are. Control characters are shown (`^[`), except tabs and line breaks.
 */
export function toCsvLine(values: readonly unknown[], options: CsvOptions): string {
  const line = values.map((value) => toCell(value, options.raw)).join(',');
  // A single empty cell would be an empty line, which readers skip.
  return line === '' && values.length === 1 ? '""\r\n' : `${line}\r\n`;
}

function toCell(value: unknown, raw: boolean): string {
  const text = cellText(value);
  const guarded = raw || !isFormula(text) ? text : `'${text}`;
  const shown = showControls(guarded);
  return NEEDS_QUOTES.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

function isFormula(text: string): boolean {
  return FORMULA_START.test(text) && !PLAIN_NUMBER.test(text);
}
