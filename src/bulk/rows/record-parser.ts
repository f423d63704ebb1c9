import type { RowFault } from './row.js';

/** What a parser finds, in the order of the text. */
export type Parsed =
  | ({ kind: 'record' } & ParsedRecord)
  /** A record that can't be read; it counts as a row where `isRow` says so. */
  | { kind: 'fault'; fault: RowFault; isRow: boolean };

/** What one record of the input says. */
export interface ParsedRecord {
  /** The line on which it begins, from 1. */
  line: number;
  /** By name. */
  fields: Readonly<Record<string, unknown>>;
  /** How each value is written, where reading it may have lost something of that. */
  written?: ReadonlyMap<string, string>;
}

/** Takes a text in pieces, cut anywhere. */
export interface RecordParser {
  /** What has become whole with this piece. */
  push(text: string): Parsed[];
  /** What the end of the text makes whole, or leaves unfinished. */
  end(): Parsed[];
  /** True once a fault makes all that follows unreadable. */
  readonly isLost: boolean;
}

/**
 * The longest record, in UTF-16 units. What goes on without an end (a quote that nobody closed) must not fill the
 * memory; an animal has a name and two small fields.
 */
export const RECORD_MAX = 1 << 20;
