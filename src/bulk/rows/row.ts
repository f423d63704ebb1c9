import type { PetStatus } from '../../schema/pet-reader.js';

/** The format of a file of rows. */
export type RowFormat = 'csv' | 'json' | 'ndjson';

/** A valid row of the input. */
export interface Row {
  /** From 1. Headers and blank lines don't count. */
  row: number;
  /** The line on which it begins, from 1. */
  line: number;
  pet: RowPet;
}

/** The pet that a row describes. */
export interface RowPet {
  name: string;
  categoryId: bigint;
  status?: PetStatus;
}

/** An error in a row or in the text of the input. */
export interface RowError {
  /** The line of the error if known, otherwise the line on which the row begins. From 1. */
  line: number;
  /** From 1. Only for text that is not in its format. */
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
}
