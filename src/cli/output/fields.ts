import { suggest } from '../text/suggest.js';
import { UsageError } from '../errors/usage-error.js';
import { toTerminalLine } from './text/terminal-text.js';
import type { Column, Row } from './view.js';

/**
 * Reads `--fields id,name`. Blanks around a name are dropped, and so is a repeated name.
 *
 * @param flag the one that was given.
 * @throws UsageError where it names nothing.
 */
export function parseFields(text: string, flag = '--fields'): string[] {
  const fields = text
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');
  if (fields.length === 0)
    throw new UsageError(`${flag} names no field`, `name some, such as ${flag} id,name`);
  return [...new Set(fields)];
}

/** The columns for `--fields`: the declared one of that name, else a plain one. */
export function selectColumns(fields: readonly string[], columns: readonly Column[]): Column[] {
  return fields.map((field) => columns.find((column) => column.field === field) ?? { field, header: field });
}

/** The row with only these fields, in this order. A field that the row lacks stays out: JSON does not invent a null. */
export function selectFields(row: Row, fields: readonly string[]): Row {
  const own = fields.filter((field) => Object.hasOwn(row, field));
  return Object.fromEntries(own.map((field) => [field, row[field]]));
}

/**
 * Checks that somebody knows the field: a declared column, or any of the rows. Without rows every name passes, since
 * a script must not fail on the day when the list is empty.
 *
 * @param flag the flag to blame, such as `--fields`.
 * @throws UsageError with the nearest name and the list of valid ones.
 */
export function checkField(
  field: string,
  flag: string,
  rows: readonly Row[],
  columns: readonly Column[],
): void {
  if (rows.length === 0 || columns.some((column) => column.field === field)) return;
  if (rows.some((row) => Object.hasOwn(row, field))) return;
  const known = new Set(columns.map((column) => column.field));
  for (const row of rows) for (const name of Object.keys(row)) known.add(name);
  const nearest = suggest(field, known);
  const question = nearest === undefined ? '' : `did you mean "${toTerminalLine(nearest)}"? `;
  const list = [...known].map(toTerminalLine).join(', ');
  throw new UsageError(`unknown field "${toTerminalLine(field)}" in ${flag}`, `${question}fields: ${list}`);
}
