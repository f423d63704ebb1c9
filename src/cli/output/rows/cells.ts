import { stringifyJson } from '../../../schema/json.js';
import { guardFormula } from '../../../security/csv-formula.js';
import { showControls, toTerminalLine } from '../text/terminal-text.js';
import type { Row } from './view.js';

/**
 * Returns the text of a value in table, tsv and csv: strings unchanged, numbers as digits, lists and objects as compact
 * JSON. Null and undefined are an empty text. Does not escape control characters.
 */
export function cellText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

/** Returns a row's own value of a field; `undefined` if it has none, also for names such as `constructor`. */
export function fieldValue(row: Row, field: string): unknown {
  return Object.hasOwn(row, field) ? row[field] : undefined;
}

/**
 * Formats one line of tab-separated values, without quotes or truncation. A tab or line break in a value is shown as
 * `^I` or `^J`. So a tab always separates, and a line is always a row.
 */
export function toTsvLine(values: readonly unknown[]): string {
  return `${values.map((value) => toTerminalLine(cellText(value))).join('\t')}\n`;
}

const NEEDS_QUOTES = /[",\r\n]/;

/**
 * Formats one line of CSV (RFC 4180): commas, double quotes if needed, CRLF.
 *
 * A spreadsheet runs text as a formula that starts with `=`, `+`, `-`, `@`, a tab, a line break or NUL. Full-width signs
 * and blanks before them count too. Such a cell gets a leading `'`. The same text after `;`, a tab or a line break
 * gets a `'` there. Spreadsheets of some locales split cells at semicolons, also within quotes. Guarded text gets
 * one more. Plain numbers such as `-5` and the label `@` stay as they are.
 *
 * Control characters are shown (`^[`), except tabs and line breaks.
 *
 * @param options.raw whether cells that a spreadsheet would run as formulas stay unescaped.
 */
export function toCsvLine(values: readonly unknown[], { raw }: { raw: boolean }): string {
  const line = values.map((value) => toCell(value, raw)).join(',');
  // A single empty cell would be an empty line, which readers skip.
  return line === '' && values.length === 1 ? '""\r\n' : `${line}\r\n`;
}

function toCell(value: unknown, raw: boolean): string {
  const text = cellText(value);
  const shown = showControls(raw ? text : guardFormula(text));
  return NEEDS_QUOTES.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}
