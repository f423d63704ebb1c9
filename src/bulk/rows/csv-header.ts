import { quote } from '../../schema/control-characters.js';
import { OPTIONAL_FIELDS } from '../../schema/pet-reader.js';
import {
  describeDuplicate,
  FIELD_NAMES,
  fieldOf,
  ID_PROBLEM,
  isSecondCategory,
  plainName,
  titleOf,
} from './check-row.js';
import { excerpt } from './excerpt.js';
import { DRAWN_TABLE_HINT, ROW_NAMES_HINT } from './foreign-file.js';
import type { RowError } from './row.js';

/** The supported delimiters. The first is the default. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The header of a table. */
export interface CsvHeader {
  /** The fields in table order; `undefined` for a column that is ignored, or that has no name. */
  columns: readonly (string | undefined)[];
  /** The indexes of the columns without a name. They may be empty. */
  unnamed: readonly number[];
  /** The number of cells that each row needs: up to the last column that is not optional. */
  cellsMin: number;
  /** The names of the ignored columns. */
  ignored: readonly string[];
  errors: readonly RowError[];
}

/** Returns the delimiter that splits the header line into the most known names, then into the most cells. */
export function detectDelimiter(headerLine: string): string {
  let best: string = DELIMITERS[0];
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const cells = headerLine.split(delimiter);
    const known = cells.filter((cell) => fieldOf(unquote(cell.trim())) !== undefined);
    const score = known.length * 1_000 + cells.length - 1;
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

/**
 * Reads the column names, without regard to case, blanks and underscores. If there is an error, the rows can't be read.
 *
 * @param ignoresUnknown whether unknown columns are ignored instead of an error.
 */
export function readCsvHeader(cells: readonly string[], line: number, ignoresUnknown = false): CsvHeader {
  const names = cells.map((cell) => cell.trim());
  const fields = new Set(names.map(plainName));
  const columns = names.map((name) =>
    isSecondCategory(plainName(name), fields) ? undefined : fieldOf(name),
  );
  if (columns.every((field) => field === undefined)) {
    const optional = Object.keys(OPTIONAL_FIELDS).join(', ');
    const message = `The first line must name the columns: name, category and, optionally, ${optional}`;
    return {
      columns,
      unnamed: [],
      cellsMin: 0,
      ignored: [],
      // A line of several cells is a table.
      errors: [{ line, message, hint: cells.length > 1 ? NAME_COLUMNS : KNOWN_FORMATS }],
    };
  }
  const unnamed: number[] = [];
  const errors: RowError[] = [];
  const ignored: string[] = [];
  const nameOf = new Map<string, string>();
  for (const [index, name] of names.entries()) {
    const field = columns[index];
    const earlier = field === undefined ? undefined : nameOf.get(field);
    if (field !== undefined) nameOf.set(field, name);
    if (field !== undefined && earlier !== undefined)
      errors.push({ line, field, message: describeDuplicate('column', earlier, name, field) });
    else if (name === '') unnamed.push(index);
    else if (field === undefined && ignoresUnknown) ignored.push(name);
    else if (field === undefined) errors.push(unknownColumn(name, line, fields));
  }
  for (const needed of ['name', 'categoryId']) {
    if (!nameOf.has(needed))
      errors.push({ line, field: needed, message: `Column ${titleOf(needed)} is missing` });
  }
  const cellsMin = Math.max(columns.indexOf('name'), columns.indexOf('categoryId')) + 1;
  return { columns, unnamed, cellsMin, ignored, errors };
}

/** Explains a row with a wrong number of cells. */
export function countError(
  cells: readonly string[],
  { columns, cellsMin }: CsvHeader,
  text: string,
): Pick<RowError, 'message' | 'hint'> {
  const count = cells.length === 1 ? '1 cell' : `${String(cells.length)} cells`;
  const message = `has ${count}, but the header has ${String(columns.length)}: ${quote(excerpt(text.trimEnd()))}`;
  if (cells.length < columns.length && cells.length >= cellsMin)
    return {
      message: `The last line ${message}`,
      hint: 'It has no line break, so the file may be cut off. If it is complete, add a line break.',
    };
  if (/^[-+=|\s]+$/.test(text)) return { message: `Row ${message}`, hint: DRAWN_TABLE_HINT };
  const hasRowName = cells.length === columns.length + 1 && /^"?\d+"?$/.test(cells[0]?.trim() ?? '');
  return { message: `Row ${message}`, ...(hasRowName ? { hint: ROW_NAMES_HINT } : {}) };
}

/** What to do with a file of none of the formats. */
const NAME_COLUMNS = 'Add a line with the names of the columns before the rows.';
const KNOWN_FORMATS = 'Save the rows as CSV, TSV, JSON or NDJSON, in UTF-8.';

/** The first line that names the separator for Excel, which hides it. */
const SEPARATOR_LINE = /^"?sep=(.)"?\s*$/i;

/** The separator that a line `sep=;` names; `undefined` for another line. */
export function separatorOf(line: string): string | undefined {
  return SEPARATOR_LINE.exec(line)?.[1];
}

/** Whether the separator can be read, and detected in a file of rejected rows. */
export function isDelimiter(separator: string): boolean {
  return DELIMITERS.some((delimiter) => delimiter === separator);
}

function unknownColumn(name: string, line: number, fields: ReadonlySet<string>): RowError {
  const column = excerpt(name);
  if (plainName(name) === 'id')
    return {
      line,
      field: 'id',
      isUnknownField: true,
      message: `Column ${quote(column)} ${ID_PROBLEM}`,
    };
  if (isSecondCategory(plainName(name), fields)) {
    const message = describeDuplicate('column', name, 'categoryId', 'categoryId');
    return { line, field: 'category', isUnknownField: true, message };
  }
  const message = `Unknown column ${quote(column)}`;
  return { line, field: column, isUnknownField: true, message, given: column, known: FIELD_NAMES };
}

/** Removes quotes around a name. csv-parse reads the table itself. */
function unquote(cell: string): string {
  return cell.replace(/^"(.*)"$/, '$1');
}
