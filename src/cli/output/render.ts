import { checkField, selectColumns, selectFields } from './fields.js';
import { reshapingFlag } from './view.js';
import { toJson, toNdjson } from './json.js';
import { renderRows } from './render-rows.js';
import { noIdError } from './render-rows.js';
import { sortOrder, sortRows } from './sort.js';
import { createPainter, type Painter } from './text/color.js';
import { UsageError } from '../errors/usage-error.js';
import type { Column, RenderOptions, View } from './view.js';
import { toYaml } from './yaml.js';

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
  const { fields, fieldsFlag = '--fields', isTTY } = options;
  for (const field of fields ?? []) checkField(field, fieldsFlag, given, view.columns);
  const rows = options.sort === undefined ? given : sortRows(given, options.sort, view.columns);
  const columns = fields === undefined ? view.columns : selectColumns(fields, view.columns);
  const selected = fields === undefined ? rows : rows.map((row) => selectFields(row, fields));
  const data = isList ? selected : selected[0];
  if (options.query !== undefined) return renderAnyShape(data, columns, options);
  switch (options.format) {
    case 'json':
      return toJson(data, { indent: isTTY, isTTY, paint: await jsonPainter(options) });
    case 'ndjson':
      return toNdjson(selected, isTTY);
    case 'yaml':
      return toYaml(data, isTTY);
    default:
      return renderRows(rows, isList, columns, options);
  }
}

/** Formats data without fields: scalars, and lists of anything except objects. */
async function renderValue(value: unknown, options: RenderOptions): Promise<string> {
  const { fields, fieldsFlag, sort } = options;
  const flag = reshapingFlag({ fields, fieldsFlag, sort });
  if (flag !== undefined)
    throw new UsageError(`${flag} needs named fields, but the data has none`, 'Use -o json to see the data.');
  return renderAnyShape(value, [], options);
}

/** Loads the query code only when it is needed. */
async function renderAnyShape(
  data: unknown,
  columns: readonly Column[],
  options: RenderOptions,
): Promise<string> {
  const { renderQueryResult } = await import('./query/query-result.js');
  const { query } = options;
  const result = query === undefined ? data : await (await import('./query/query.js')).runQuery(query, data);
  return renderQueryResult(result, columns, options, await jsonPainter(options));
}

/**
 * Checks the output options before anything is sent.
 *
 * @param known the fields that the data will have; `undefined` if they depend on the response.
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
  known: readonly string[] | undefined,
): Promise<void> {
  if (query !== undefined) await (await import('./query/query.js')).checkQuery(query);
  if (known === undefined) return;
  const columns = known.map((field) => ({ field, header: field }));
  for (const field of fields ?? []) checkField(field, fieldsFlag, [{}], columns);
  if (sort !== undefined) checkField(sortOrder(sort).field, '--sort', [{}], columns);
  // The result of a query may have an id.
  if (format === 'ids' && query === undefined && !known.includes('id')) throw noIdError();
}

/** Programs read JSON outside a terminal: colour there would make it invalid, even if a setting forces colour. */
async function jsonPainter({
  isTTY,
  colorLevel,
}: Pick<RenderOptions, 'isTTY' | 'colorLevel'>): Promise<Painter | undefined> {
  return isTTY && colorLevel > 0 ? createPainter(colorLevel) : undefined;
}
