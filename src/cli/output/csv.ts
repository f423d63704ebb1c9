import { cellText } from './cell-text.js';
import { showControls } from './text/terminal-text.js';

/** Quotes before it count too: who takes the guard off again must be able to tell it from one that was there. */
const FORMULA_START = /^'*[=+\-@\t\r]/;
const PLAIN_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;
const NEEDS_QUOTES = /[",\r\n]/;

/** How csv is written. */
export interface CsvOptions {
  /** True: a cell that a spreadsheet would run is written as it is. */
  raw: boolean;
}

/**
 * One line of RFC 4180: commas, double quotes where needed, CRLF.
 *
 * A cell that starts with `=`, `+`, `-`, `@`, a tab or a carriage return gets a leading `'`, because a spreadsheet
 * would run it as a formula; a plain number such as `-5` is none and stays one. So does one that looks guarded already. Controls that drive a terminal are
 * shown (`^[`); tabs, line breaks and all else stay, for whoever reads the file back.
 */
export function toCsvLine(values: readonly unknown[], options: CsvOptions): string {
  const line = values.map((value) => toCell(value, options.raw)).join(',');
  // A lone empty cell would be an empty line, which readers skip.
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
