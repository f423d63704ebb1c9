import { stringifyJson } from '../../schema/json.js';
import { csvLine, guarded } from './csv-cell.js';
import type { RowFormat } from './row.js';

/** How rows are to be written. */
export interface RowLayout {
  format: RowFormat;
  /** Of CSV, in their order; what has no column is left out. JSON takes whatever fields there are. */
  columns: readonly string[];
  /** Of CSV. Default a comma. */
  delimiter?: string | undefined;
  /** True: CSV cells are not guarded against spreadsheets. */
  csvRaw?: boolean | undefined;
}

/** The text of a file of rows, piece by piece: never more than one row at a time. */
export async function* writeRows(
  rows: Iterable<Readonly<Record<string, unknown>>> | AsyncIterable<Readonly<Record<string, unknown>>>,
  layout: RowLayout,
): AsyncGenerator<string> {
  const { head, between, tail, row: write } = grammarOf(layout);
  let before = head;
  for await (const row of rows) {
    yield before + write(row);
    before = between;
  }
  yield before === head ? head + tail.trimStart() : tail;
}

/** What stands before, between and after rows. */
interface Grammar {
  head: string;
  between: string;
  tail: string;
  row(row: Readonly<Record<string, unknown>>): string;
}

function grammarOf({ format, columns, delimiter = ',', csvRaw = false }: RowLayout): Grammar {
  if (format === 'json')
    return { head: '[\n', between: ',\n', tail: '\n]\n', row: (row) => stringifyJson(row) };
  if (format === 'ndjson')
    return { head: '', between: '', tail: '', row: (row) => `${stringifyJson(row)}\n` };
  return {
    head: csvLine(columns, delimiter),
    between: '',
    tail: '',
    row: (row) =>
      csvLine(
        columns.map((column) => cell(row[column], csvRaw)),
        delimiter,
      ),
  };
}

function cell(value: unknown, raw: boolean): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return raw ? text : guarded(text);
}
