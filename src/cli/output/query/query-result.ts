import { UsageError } from '../../errors/usage-error.js';
import { cellText } from '../cells.js';
import { toCsvLine } from '../cells.js';
import { selectColumns } from '../fields.js';
import { toJson, toNdjson } from '../json.js';
import { renderRows } from '../render-rows.js';
import type { Painter } from '../text/color.js';
import { toTerminalLine } from '../text/terminal-text.js';
import { toTsvLine } from '../cells.js';
import type { Column, RenderOptions, Row } from '../view.js';
import { toYaml } from '../yaml.js';

/**
 * Formats a query's result, which may have any shape.
 *
 * | format | scalar | list of scalars | object | list of objects | list of lists |
 * |---|---|---|---|---|---|
 * | json, yaml | one document | one document | one document | one document | one document |
 * | ndjson | one line | one line each | one line | one line each | one line each |
 * | table, tsv | the bare text | one bare text a line | as a record | as a list | tab-separated lines |
 * | csv | one cell | one cell a line | header and row | header and rows | rows, no header |
 * | ids | the bare text | one bare text a line | its `id` | their `id`s | error |
 *
 * A bare text is a string without quotes, as `gh --jq` prints it. Null is an empty line in a list, and otherwise nothing.
 * A list of mixed values counts as a list of scalars; objects in it become compact JSON.
 */
export async function renderQueryResult(
  result: unknown,
  columns: readonly Column[],
  options: RenderOptions,
  paint: Painter | undefined,
): Promise<string> {
  const values: readonly unknown[] = Array.isArray(result) ? result : [result];
  const { isTTY } = options;
  switch (options.format) {
    case 'json':
      return toJson(result, { indent: isTTY, isTTY, paint });
    case 'yaml':
      return toYaml(result, isTTY);
    case 'ndjson':
      return toNdjson(values, isTTY);
    default:
      if (result === null || values.length === 0) return '';
  }
  if (values.every(isRow)) {
    const known = selectColumns(fieldsOf(values), columns);
    const isList = Array.isArray(result);
    return renderRows(values, isList, known, options);
  }
  return renderValues(values, options);
}

function renderValues(values: readonly unknown[], options: RenderOptions): string {
  if (options.format === 'csv')
    return values.map((value) => toCsvLine(asCells(value), { raw: options.csvRaw })).join('');
  if (options.format !== 'ids') return values.map((value) => toTsvLine(asCells(value))).join('');
  if (values.some((value) => typeof value === 'object')) {
    throw new UsageError('The result of --query has no ids', "Select them, such as --query '[].id'.");
  }
  return values.map((value) => `${toTerminalLine(cellText(value))}\n`).join('');
}

function asCells(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [value];
}

function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function fieldsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}
