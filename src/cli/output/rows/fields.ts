import { suggest } from '../../../options/suggest.js';
import { UsageError } from '../../errors/usage-error.js';
import { toTerminalLine } from '../text/terminal-text.js';
import type { Column, Row } from './view.js';

/**
 * Parses `--fields id,name`. Trims names and drops duplicates.
 *
 * @param flag the flag for the error message.
 * @throws UsageError if there is no name.
 */
export function parseFields(text: string, flag = '--fields'): string[] {
  const fields = text
    .split(',')
    .map((field) => field.trim())
    .filter((field) => field !== '');
  if (fields.length === 0)
    throw new UsageError(`No fields in ${flag}`, `List some, such as ${flag} id,name.`);
  return [...new Set(fields)];
}

/** Returns the columns for `--fields`: declared columns where they exist, otherwise plain ones. */
export function selectColumns(fields: readonly string[], columns: readonly Column[]): Column[] {
  return fields.map((field) => columns.find((column) => column.field === field) ?? { field, header: field });
}

/** Returns the row with only these fields, in this order. Missing fields stay missing instead of becoming null. */
export function selectFields(row: Row, fields: readonly string[]): Row {
  const own = fields.filter((field) => Object.hasOwn(row, field));
  return Object.fromEntries(own.map((field) => [field, row[field]]));
}

/**
 * Checks that a declared column or any row has the field. Without rows every name is accepted, because a script must not
 * fail when the list is empty.
 *
 * @param flag the flag for the error message, such as `--fields`.
 * @throws UsageError with the nearest name and the list of valid names.
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
  const question = nearest === undefined ? '' : `Did you mean "${toTerminalLine(nearest)}"? `;
  const list = [...known].map(toTerminalLine).join(', ');
  throw new UsageError(`Unknown field "${toTerminalLine(field)}" in ${flag}`, `${question}Fields: ${list}.`);
}
