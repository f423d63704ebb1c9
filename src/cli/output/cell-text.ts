import { stringifyJson } from '../../schema/json.js';
import type { Row } from './view.js';

/**
 * Returns the text of a value in table, tsv and csv: strings unchanged, numbers as digits, lists and objects as compact
 * JSON, an empty text for null and undefined. Does not escape control characters.
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
