import { findField, selectColumns, selectFields } from './rows/select-fields.js';
import { toJson, toNdjson } from './rows/json.js';
import { noIdError, renderRows } from './render-rows.js';
import { cellText, toCsvLine, toTsvLine } from './rows/cells.js';
import { sortOrder, sortRows } from './rows/sort.js';
import { createPainter, type Painter } from './text/color.js';
import { UsageError } from '../errors/usage-error.js';
import {
  type Column,
  isDocumentFormat,
  isRow,
  type RenderOptions,
  reshapingFlag,
  type Row,
  type View,
} from './rows/view.js';
import { toTerminalLine } from './text/terminal-text.js';

/**
 * Formats a command's data as text for stdout. Applies `--sort` first, then `--fields`, then `--query`.
 *
 * - json, ndjson and yaml hold every field; table, tsv and csv hold the declared columns or those of `--fields`.
 * - A record is an object in json, `FIELD: value` lines as a table, and one row in tsv and csv.
 * - An empty list is `[]` in json and yaml, the header in csv, and nothing in other formats.
 *
 * @throws UsageError for an unknown field, an invalid query, and `-o ids` if there is no id.
 */
export async function render(view: View, options: RenderOptions): Promise<string> {
  if (view.kind === 'value') return renderValue(view.value, options);
  const isList = view.kind === 'list';
  const given = isList ? view.rows : [view.row];
  const { fieldsFlag = '--fields' } = options;
  const names = options.fields?.map((name) => findField(name, fieldsFlag, given, view.columns));
  const fields = names && [...new Set(names)];
  const rows = options.sort === undefined ? given : sortRows(given, options.sort, view.columns);
  const columns = selectColumns(fields, view.columns);
  const selected = fields === undefined ? rows : rows.map((row) => selectFields(row, fields));
  const data = isList ? selected : selected[0];
  return options.query !== undefined || isDocumentFormat(options.format)
    ? renderAnyShape(data, columns, options)
    : renderRows(rows, isList, columns, options);
}

/** Formats data without fields: scalars, and lists of anything except objects. */
async function renderValue(value: unknown, options: RenderOptions): Promise<string> {
  const { fields, fieldsFlag, sort } = options;
  const flag = reshapingFlag({ fields, fieldsFlag, sort });
  if (flag !== undefined)
    throw new UsageError(`${flag} needs named fields, but the data has none`, 'Use -o json to see the data.');
  return renderAnyShape(value, [], options);
}

/**
 * Formats the result of the query, which may have any shape, or the data as a document.
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
async function renderAnyShape(
  data: unknown,
  columns: readonly Column[],
  options: RenderOptions,
): Promise<string> {
  const { query, format, isTTY } = options;
  const result = query === undefined ? data : await (await import('./query/query.js')).runQuery(query, data);
  const values: readonly unknown[] = Array.isArray(result) ? result : [result];
  if (format === 'json') return toJson(result, { indent: isTTY, isTTY, paint: await jsonPainter(options) });
  if (format === 'yaml') return (await import('./rows/yaml.js')).toYaml(result, isTTY);
  if (format === 'ndjson') return toNdjson(values, isTTY);
  if (result === null || values.length === 0) return '';
  if (!values.every(isRow)) return renderValues(values, options);
  return renderRows(values, Array.isArray(result), selectColumns(fieldsOf(values), columns), options);
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

function fieldsOf(rows: readonly Row[]): string[] {
  return [...new Set(rows.flatMap((row) => Object.keys(row)))];
}

/**
 * Checks the output options before anything is sent.
 *
 * @param known the fields or columns that the data will have; `undefined` if they depend on the response.
 * @throws UsageError for an invalid query, an unknown field, and `-o ids` if there is no id.
 */
export async function checkRenderOptions(
  {
    format,
    fields,
    fieldsFlag = '--fields',
    sort,
    query,
  }: Pick<RenderOptions, 'format' | 'fields' | 'fieldsFlag' | 'sort' | 'query'>,
  known: readonly (string | Column)[] | undefined,
): Promise<void> {
  if (query !== undefined) await (await import('./query/query.js')).checkQuery(query);
  if (format === 'ids' && fields !== undefined && query === undefined)
    throw new UsageError(`${fieldsFlag} can't be combined with -o ids`, 'Use -o tsv to print other fields.');
  if (known === undefined) return;
  const columns = known.map((field) => (typeof field === 'string' ? { field, header: field } : field));
  for (const field of fields ?? []) findField(field, fieldsFlag, [{}], columns);
  if (sort !== undefined) findField(sortOrder(sort).field, '--sort', [{}], columns);
  // The result of a query may have an id.
  if (format === 'ids' && query === undefined && !columns.some(({ field }) => field === 'id'))
    throw noIdError();
}

/** Programs read JSON outside a terminal: colour there would make it invalid, even if a setting forces colour. */
async function jsonPainter({
  isTTY,
  colorLevel,
}: Pick<RenderOptions, 'isTTY' | 'colorLevel'>): Promise<Painter | undefined> {
  return isTTY && colorLevel > 0 ? createPainter(colorLevel) : undefined;
}
