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
export function selectColumns(fields: readonly string[] | undefined, columns: readonly Column[]): Column[] {
  if (fields === undefined) return columns.filter(({ onDemand }) => onDemand !== true);
  return fields.map((field) => columns.find((column) => column.field === field) ?? { field, header: field });
}

/** Returns the row with only these fields, in this order. Missing fields stay missing instead of becoming null. */
export function selectFields(row: Row, fields: readonly string[]): Row {
  const own = fields.filter((field) => Object.hasOwn(row, field));
  return Object.fromEntries(own.map((field) => [field, row[field]]));
}

/**
 * Finds a field by its name in the data, or by the title of its column, such as `category` for `categoryId`. Without rows
 * every name is accepted, because a script must not fail when the list is empty.
 *
 * @param flag the flag for the error message, such as `--fields`.
 * @returns the name in the data.
 * @throws UsageError with the nearest name and the list of valid names.
 */
export function findField(
  field: string,
  flag: string,
  rows: readonly Row[],
  columns: readonly Column[],
): string {
  if (columns.some((column) => column.field === field)) return field;
  if (rows.some((row) => Object.hasOwn(row, field))) return field;
  const titled = columns.find(({ header }) => header !== '' && header === field);
  if (titled !== undefined || rows.length === 0) return titled?.field ?? field;
  // JSON has the names of the data.
  const nameOf = (column: Column): string =>
    flag !== '--json' && /^\w+$/.test(column.header) ? column.header : column.field;
  const known = new Set(columns.map(nameOf));
  for (const name of rows.flatMap((row) => Object.keys(row)))
    if (!columns.some((column) => column.field === name)) known.add(name);
  const nearest = suggest(field, known);
  const question = nearest === undefined ? '' : `Did you mean "${toTerminalLine(nearest)}"? `;
  const list = [...known].map(toTerminalLine).join(', ');
  throw new UsageError(`Unknown field "${toTerminalLine(field)}" in ${flag}`, `${question}Fields: ${list}.`);
}
