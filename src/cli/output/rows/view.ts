import type { ColorLevel } from '../text/color.js';
import type { PaintStyle } from '../text/color.js';

/** The values of `-o`. */
export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'ids'] as const;

export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** One item to show. Values are JSON values or bigints. */
export type Row = Readonly<Record<string, unknown>>;

export function isRow(value: unknown): value is Row {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A declared column of table, tsv and csv. */
export interface Column {
  /** The field of the row, also its name in the CSV header. */
  field: string;
  /** The title of the column in a table. Shown in capitals. */
  header: string;
  /** @default right if every value is a number, otherwise left */
  align?: 'left' | 'right';
  /** Whether values are never truncated or broken: for ids and other values that people copy. */
  fixed?: boolean;
  /** Whether the column is dropped first if the terminal is too narrow. */
  spare?: boolean;
  /** Whether the column is shown only if `--fields` names it. */
  onDemand?: boolean;
  /** Shown in a table instead of a missing value. */
  emptyText?: string;
  /** Returns the style of a cell by its text and its row. */
  paint?: (text: string, row: Row) => PaintStyle | undefined;
}

/** A command's data: a list of rows, one row, or any other value. */
export type View =
  | { kind: 'list'; rows: readonly Row[]; columns: readonly Column[] }
  | { kind: 'record'; row: Row; columns: readonly Column[] }
  | { kind: 'value'; value: unknown };

/** The output options of a command. */
export interface RenderOptions {
  format: OutputFormat;
  /** `--fields`: show only these fields, in this order. */
  fields?: readonly string[] | undefined;
  /** The flag that listed the fields. @default '--fields' */
  fieldsFlag?: '--fields' | '--json' | undefined;
  /** False with `--no-header`. */
  header: boolean;
  /** `--sort`: a field, or `-` and a field for descending. */
  sort?: string | undefined;
  /** `--query`: a JMESPath expression. */
  query?: string | undefined;
  /** Colours of the stream. */
  colorLevel: ColorLevel;
  /** Columns of the terminal. */
  width: number;
  /** `--csv-raw`: do not escape formulas. */
  csvRaw: boolean;
  /** Whether the stream is a terminal: JSON is indented and coloured only there. */
  isTTY: boolean;
  /** Called with the titles of columns that a table has no room for. */
  onHidden?: ((titles: readonly string[]) => void) | undefined;
}

/** What the output streams can show, after flags and environment are applied. Widths are in columns. */
export interface Terminal {
  stdout: { isTTY: boolean; width: number; colorLevel: ColorLevel };
  stderr: { isTTY: boolean; colorLevel: ColorLevel };
}

/** Whether a format holds every field of the data. Other formats have rows of the declared columns. */
export function isDocumentFormat(format: OutputFormat): boolean {
  return format === 'json' || format === 'ndjson' || format === 'yaml';
}

/** Whether a format has rows and columns. */
export function isTabularFormat(format: OutputFormat): boolean {
  return format === 'table' || format === 'tsv' || format === 'csv';
}

/** Whether a format prints a single text without quotes. */
export function isBareTextFormat(format: OutputFormat): boolean {
  return format === 'table' || format === 'tsv';
}

/** Returns the first given flag that selects or sorts fields. */
export function reshapingFlag(
  options: Pick<RenderOptions, 'fields' | 'fieldsFlag' | 'query' | 'sort'>,
): '--fields' | '--json' | '--query' | '--sort' | undefined {
  if (options.fields !== undefined) return options.fieldsFlag ?? '--fields';
  if (options.query !== undefined) return '--query';
  return options.sort === undefined ? undefined : '--sort';
}
