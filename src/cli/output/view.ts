import type { ColorLevel } from './text/color.js';
import type { PaintStyle } from './text/style.js';

/** What `-o` takes. `table` fits a terminal; the others are for programs. */
export const OUTPUT_FORMATS = ['table', 'json', 'ndjson', 'csv', 'tsv', 'yaml', 'ids'] as const;

/** One of {@link OUTPUT_FORMATS}. */
export type OutputFormat = (typeof OUTPUT_FORMATS)[number];

/** One thing to show. Values may be anything JSON can hold, and bigints. */
export type Row = Readonly<Record<string, unknown>>;

/** One declared column of table, tsv and csv. */
export interface Column {
  /** The field of the row that it shows, and its name in csv's header. */
  field: string;
  /** The title over the column of a table. Shown in capitals. */
  header: string;
  /** Default: right where every value of the column is a number, else left. Tables only. */
  align?: 'left' | 'right';
  /** Never cut to fit the terminal: for identifiers and other values that are wrong when shortened. */
  fixed?: boolean;
  /** Left out before all others where the terminal is too narrow for every column. */
  spare?: boolean;
  /** Style of a cell by its text, where the terminal takes colour. */
  paint?: (text: string) => PaintStyle | undefined;
}

/** What a command has to say: many rows, one, or something of any other shape. */
export type View =
  | { kind: 'list'; rows: readonly Row[]; columns: readonly Column[] }
  | { kind: 'record'; row: Row; columns: readonly Column[] }
  | { kind: 'value'; value: unknown };

/** How to say it. */
export interface RenderOptions {
  format: OutputFormat;
  /** `--fields`: only these, in this order. */
  fields?: readonly string[] | undefined;
  /** The flag that named the fields. Default `--fields`. */
  fieldsFlag?: '--fields' | '--json' | undefined;
  /** False with `--no-header`. */
  header: boolean;
  /** `--sort`: a field, or `-` and a field for descending. */
  sort?: string | undefined;
  /** `--query`: a JMESPath expression. */
  query?: string | undefined;
  /** Of the stream that the text goes to. */
  colorLevel: ColorLevel;
  /** Columns of the terminal; a table's lines are at most this wide. */
  width: number;
  /** `--csv-raw`: no guard against formulas. */
  csvRaw: boolean;
  /** Whether the stream is a terminal: JSON is indented there. */
  isTTY: boolean;
}
