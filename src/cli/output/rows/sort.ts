import { cellText, fieldValue } from './cells.js';
import { findField } from './select-fields.js';
import type { Column, Row } from './view.js';

/**
 * Sorts rows by one field: `name`, or `-name` for descending.
 *
 * Numbers come first, by value; then strings, by code point; then other values, by their text. Missing values come last
 * in both directions. The order does not depend on the locale, so that it is the same on every machine.
 *
 * @throws UsageError if no row and no column has the field.
 */
export function sortRows(rows: readonly Row[], sort: string, columns: readonly Column[]): readonly Row[] {
  const { field: name, descending } = sortOrder(sort);
  const field = findField(name, '--sort', rows, columns);
  const sign = descending ? -1 : 1;
  return rows.toSorted((left, right) => {
    const a = fieldValue(left, field);
    const b = fieldValue(right, field);
    const missing = Number(isMissing(a)) - Number(isMissing(b));
    return missing === 0 ? sign * compareValues(a, b) : missing;
  });
}

/** Parses `name` or `-name`. */
export function sortOrder(sort: string): { field: string; descending: boolean } {
  const descending = sort.startsWith('-');
  return { field: descending ? sort.slice(1) : sort, descending };
}

/** Compares two existing values. @returns a negative number if `a` comes first. */
export function compareValues(a: unknown, b: unknown): number {
  if (isNumeric(a) && isNumeric(b)) return a < b ? -1 : Number(a > b);
  const kinds = kindRank(a) - kindRank(b);
  return kinds === 0 ? compareCodePoints(cellText(a), cellText(b)) : kinds;
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null;
}

function isNumeric(value: unknown): value is number | bigint {
  return typeof value === 'bigint' || typeof value === 'number';
}

function kindRank(value: unknown): number {
  if (isNumeric(value)) return 0;
  return typeof value === 'string' ? 1 : 2;
}

/** UTF-8 sorts by code point; UTF-16 sorts surrogates before U+E000. */
function compareCodePoints(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
