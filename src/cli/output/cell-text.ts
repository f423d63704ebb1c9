import { stringifyJson } from '../../schema/json.js';
import type { Row } from './view.js';

/**
 * The text of a value in table, tsv and csv: digits of a number or bigint, `true`, a string as it is, nothing for
 * what is missing or null, compact JSON for a list or an object. Not yet safe for a terminal.
 */
export function cellText(value: unknown): string {
  if (typeof value === 'string') return value;
  if (value === undefined || value === null) return '';
  return typeof value === 'object' ? stringifyJson(value) : String(value);
}

/** A row's own value of a field; `undefined` where it has none, also for names such as `constructor`. */
export function fieldValue(row: Row, field: string): unknown {
  return Object.hasOwn(row, field) ? row[field] : undefined;
}
