import { UsageError } from '../errors/usage-error.js';
import { cellText, fieldValue } from './cell-text.js';
import { toTerminalLine } from './text/terminal-text.js';
import type { Row } from './view.js';

/**
 * The `id` of each row, one a line.
 *
 * @throws UsageError where a row has no id: a blank line would be read as one.
 */
export function toIds(rows: readonly Row[]): string {
  return rows.map((row) => `${idOf(row)}\n`).join('');
}

function idOf(row: Row): string {
  const id = cellText(fieldValue(row, 'id'));
  if (id === '') throw noIdError();
  return toTerminalLine(id);
}

/** What is said where `-o ids` has nothing to print. */
export function noIdError(): UsageError {
  return new UsageError('there is no id to print with -o ids', 'choose another format, such as -o tsv');
}
