import { UsageError } from '../errors/usage-error.js';
import { cellText, fieldValue, toCsvLine, toTsvLine } from './rows/cells.js';
import { toRecordLines, toTable } from './table/table.js';
import { toTerminalLine } from './text/terminal-text.js';
import type { Column, RenderOptions, Row } from './rows/view.js';

/** Formats rows, or one row as a record, as table, tsv, csv or ids. */
export async function renderRows(
  rows: readonly Row[],
  isList: boolean,
  columns: readonly Column[],
  options: RenderOptions,
): Promise<string> {
  const cells = (row: Row): unknown[] => columns.map((column) => fieldValue(row, column.field));
  switch (options.format) {
    case 'csv': {
      const lines = rows.map(cells);
      if (options.header) lines.unshift(columns.map((column) => column.field));
      return lines.map((line) => toCsvLine(line, { raw: options.csvRaw })).join('');
    }
    case 'ids':
      return rows.map((row) => `${idOf(row)}\n`).join('');
    case 'table':
      if (isList) return toTable(rows, columns, options);
      return rows[0] === undefined ? '' : toRecordLines(rows[0], columns, options);
    default:
      return rows.map((row) => toTsvLine(cells(row))).join('');
  }
}

/** @throws UsageError for a row without an id, because a script would read an empty line as an id. */
function idOf(row: Row): string {
  const id = cellText(fieldValue(row, 'id'));
  if (id === '') throw noIdError();
  return toTerminalLine(id);
}

export function noIdError(): UsageError {
  return new UsageError('The data has no id to print with -o ids', 'Choose another format, such as -o tsv.');
}
