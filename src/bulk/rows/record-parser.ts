import type { RowError } from './row.js';

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
  /** `isRow`: whether the error counts as a row. */
  | { kind: 'error'; error: RowError; isRow: boolean };

/** A record of the input, not checked yet. */
export interface ParsedRecord {
  /** The line on which it begins, from 1. */
  line: number;
  fields: Readonly<Record<string, unknown>>;
  /** The source text of each value, for formats in which parsing can lose digits. */
  written?: ReadonlyMap<string, string>;
}

/** Maximum length of a record, in UTF-16 units. Otherwise an unclosed quote could fill the memory. */
export const RECORD_MAX = 1 << 20;
