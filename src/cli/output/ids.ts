import { UsageError } from '../errors/usage-error.js';
import { cellText, fieldValue } from './cell-text.js';
import { toTerminalLine } from './text/terminal-text.js';
import type { Row } from './view.js';

/**
 * Formats the `id` of each row, one a line.
 *
 * @throws UsageError if a row has no id, because a script would read an empty line as an id.
 */
export function toIds(rows: readonly Row[]): string {
  return rows.map((row) => `${idOf(row)}\n`).join('');
}

function idOf(row: Row): string {
  const id = cellText(fieldValue(row, 'id'));
  if (id === '') throw noIdError();
  return toTerminalLine(id);
}

export function noIdError(): UsageError {
  return new UsageError('The data has no id to print with -o ids', 'Choose another format, such as -o tsv.');
}
