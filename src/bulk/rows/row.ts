import { extname } from 'node:path';
import type { NewPet } from '../../schema/pet-reader.js';

/** The format of a file of rows. */
export type RowFormat = 'csv' | 'json' | 'ndjson';

export const ROW_FORMATS: readonly RowFormat[] = ['csv', 'json', 'ndjson'];

/** A file of rows, and how to read it. */
export interface RowSource {
  /** Its extension determines the format if `format` is not set. Empty for a stream that is read once. */
  path: string;
  /** For messages. */
  name: string;
  /** @default by the extension (`.csv`, `.tsv`, `.json`, `.ndjson`, `.jsonl`), otherwise by the first character */
  format?: RowFormat | undefined;
  /** For CSV. @default the one of `,` `;` tab `|` that splits the header into the most known names */
  delimiter?: string | undefined;
  /** Whether to keep a leading `'` that guards a CSV cell against formulas, instead of removing it. @default false */
  csvRaw?: boolean | undefined;
  /** Whether to ignore unknown columns and fields, instead of an error. @default false */
  ignoreColumns?: boolean | undefined;
}

/** A valid row of the input. */
export interface Row {
  /** From 1. Headers and blank lines don't count. */
  row: number;
  /** The line on which it begins, from 1. */
  line: number;
  pet: RowPet;
}

/** The pet that a row describes. */
export interface RowPet extends Omit<NewPet, 'categoryId'> {
  categoryId: bigint;
}

/** An error in a row or in the text of the input. */
export interface RowError {
  /** The line of the error if known, otherwise the line on which the row begins. From 1. */
  line: number;
  /** Where the value is in that line, from 1, in UTF-16 units. Absent if it has no position, such as a missing field. */
  column?: number;
  /** From 1. Absent for the header and for text outside of rows. */
  row?: number;
  /** The column of the table, or the field of the object. */
  field?: string;
  /** The column or field is none of a row's fields, so it can be ignored. */
  isUnknownField?: true;
  /** For people, without the position. Can quote the input, so escape it for a terminal. */
  message: string;
  /** The values that are allowed, if there is a list. */
  known?: readonly string[];
  /** The value that is not allowed; for a suggestion together with `known`. */
  given?: string;
  /** What to do, as one or more sentences, if that is known. */
  hint?: string;
  /** The input is one object instead of a list of rows. */
  isOneObject?: true;
}

/** Something in the input that a person should know, and that is no error. The rows are sent as they are. */
export interface InputNote {
  /**
   * - `empty`: rows without text, and columns without name and text, are skipped.
   * - `rounded-ids`: all long category ids look rounded, as spreadsheets do.
   * - `escaped-names`: names look escaped, as database dumps do.
   */
  type: 'empty' | 'rounded-ids' | 'escaped-names';
  /** For people. */
  message: string;
}

/** Parses records from chunks of text. A chunk can end anywhere. */
export interface RecordParser {
  /** Returns the records that end in this chunk. */
  push(text: string): Parsed[] | Promise<Parsed[]>;
  /** Returns the last record, or the error of an incomplete one. */
  end(): Parsed[] | Promise<Parsed[]>;
  /** True after an error that makes the rest unreadable. */
  readonly hasFailed: boolean;
}

/** A record or an error, in the order of the text. */
export type Parsed =
  | ({ kind: 'record' } & ParsedRecord)
  /** A row whose cells are all empty or blank. It is skipped. */
  | { kind: 'empty' }
  /** `isRow`: whether the error counts as a row. */
  | { kind: 'error'; error: RowError; isRow: boolean };

/** A record of the input, not checked yet. */
export interface ParsedRecord {
  /** The line on which it begins, from 1. */
  line: number;
  fields: Readonly<Record<string, unknown>>;
  /** Returns the source text of a value, for formats in which parsing can lose digits. */
  writtenOf?(field: string): string | undefined;
  /** Returns where a field is in the input; `undefined` if the record lacks it. */
  positionOf?(field: string): Pick<RowError, 'line' | 'column'> | undefined;
}

/** What to do with JSON that is no list of rows. */
export const AS_ARRAY = 'Save the rows as an array: [{…}, {…}].';

/** Maximum length of a record, in UTF-16 units. Otherwise an unclosed quote could fill the memory. */
export const RECORD_MAX = 1 << 20;

/** Detects the format, and the delimiter of a table, from a file name. */
export function formatOfName(path: string): { format: RowFormat; delimiter?: string } | undefined {
  switch (extname(path).toLowerCase()) {
    case '.csv':
      return { format: 'csv' };
    case '.tsv':
      return { format: 'csv', delimiter: '\t' };
    case '.json':
      return { format: 'json' };
    case '.ndjson':
    case '.jsonl':
      return { format: 'ndjson' };
    default:
      return undefined;
  }
}

/**
 * Detects the format from the first character that is not blank; `undefined` if there is none yet.
 *
 * @param isNamedJson whether the name ends in `.json`. Many programs write NDJSON to such a file.
 */
export function formatOfText(text: string, isNamedJson: boolean): RowFormat | undefined {
  const first = text.trimStart().charAt(0);
  if (first === '') return undefined;
  if (first === '{') return 'ndjson';
  return first === '[' || isNamedJson ? 'json' : 'csv';
}
