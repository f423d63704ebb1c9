import type { PetStatus } from '../../schema/pet-reader.js';

/** How rows are written down. */
export type RowFormat = 'csv' | 'json' | 'ndjson';

/** An animal to create, as a row that was found right tells it. */
export interface RowPet {
  name: string;
  categoryId: bigint;
  status?: PetStatus;
}

/** A row of the input. */
export interface Row {
  /** Counts from 1; headers and blank lines don't count. */
  row: number;
  /** The line on which it begins, from 1. */
  line: number;
  pet: RowPet;
}

/** What is wrong with a row, or with the input at a place. */
export interface RowFault {
  /** The line on which the row begins, or the fault itself where that is known. From 1. */
  line: number;
  /** Where in that line, from 1; only for text that is not in its format. */
  column?: number;
  /** The row at fault, from 1; absent for the header and for text that is in no row. */
  row?: number;
  /** The column of the table, or the field of the object. */
  field?: string;
  /** What is wrong, for people, without the place. May quote the input: show it on a terminal as text from outside. */
  message: string;
  /** What could have stood there instead of what was given, where there is a list of that. */
  known?: readonly string[];
  /** What was given instead; for a "did you mean" together with `known`. */
  given?: string;
}
