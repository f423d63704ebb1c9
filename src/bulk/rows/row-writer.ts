import { stringifyJson } from '../../schema/json.js';
import { guardFormula } from '../../security/csv-formula.js';
import type { RowFormat } from './row.js';

/** How to write rows. */
export interface RowLayout {
  format: RowFormat;
  /** For CSV: the columns in order. Other fields are omitted. JSON has all fields. */
  columns: readonly string[];
  /** For CSV. @default a comma */
  delimiter?: string | undefined;
  /** True: CSV cells get no guard against formulas. */
  csvRaw?: boolean | undefined;
}

type OutputRow = Readonly<Record<string, unknown>>;

/** Yields the text of a file of rows, one row at a time. */
export async function* writeRows(
  rows: Iterable<OutputRow> | AsyncIterable<OutputRow>,
  layout: RowLayout,
): AsyncGenerator<string> {
  const { head, between, tail, formatRow } = syntaxOf(layout);
  let before = head;
  for await (const row of rows) {
    yield before + formatRow(row);
    before = between;
  }
  yield before === head ? head + tail.trimStart() : tail;
}

/** The text before, between and after rows, and of a row. */
function syntaxOf({ format, columns, delimiter = ',', csvRaw = false }: RowLayout) {
  if (format === 'json')
    return { head: '[\n', between: ',\n', tail: '\n]\n', formatRow: (row: OutputRow) => stringifyJson(row) };
  if (format === 'ndjson')
    return { head: '', between: '', tail: '', formatRow: (row: OutputRow) => `${stringifyJson(row)}\n` };
  return {
    head: csvLine(columns, delimiter),
    between: '',
    tail: '',
    formatRow: (row: OutputRow) =>
      csvLine(
        columns.map((column) => cell(row[column], csvRaw)),
        delimiter,
      ),
  };
}

function cell(value: unknown, raw: boolean): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : stringifyJson(value);
  return raw ? text : guardFormula(text);
}

/** Formats a record (RFC 4180) with the given delimiter. */
export function csvLine(cells: readonly string[], delimiter: string): string {
  const line = cells.map((cell) => (mustQuote(cell, delimiter) ? quoted(cell) : cell)).join(delimiter);
  return `${line}\r\n`;
}

function mustQuote(cell: string, delimiter: string): boolean {
  return cell.includes(delimiter) || /["\r\n]/.test(cell);
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
