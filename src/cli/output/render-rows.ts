import { fieldValue } from './cell-text.js';
import { toCsvLine } from './csv.js';
import { toIds } from './ids.js';
import { toRecordLines, toTable } from './table/table.js';
import { toTsvLine } from './tsv.js';
import type { Column, RenderOptions, Row } from './view.js';

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
      return toIds(rows);
    case 'table':
      if (isList) return toTable(rows, columns, options);
      return rows[0] === undefined ? '' : toRecordLines(rows[0], columns, options);
    default:
      return rows.map((row) => toTsvLine(cells(row))).join('');
  }
}
