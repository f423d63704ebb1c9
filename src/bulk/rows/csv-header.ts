import { quote } from '../../schema/control-characters.js';
import { OPTIONAL_FIELDS } from '../../schema/pet-reader.js';
import {
  excerpt,
  FIELD_NAMES,
  ID_PROBLEM,
  isSecondCategory,
  plainName,
  ROW_FIELDS,
  titleOf,
} from './check-row.js';
import type { RowError } from './row.js';

/** The supported delimiters. The first is the default. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The header of a table. */
export interface CsvHeader {
  /** The fields in table order; `undefined` for a column that is ignored. */
  columns: readonly (string | undefined)[];
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
export function readHeader(cells: readonly string[], line: number, ignoresUnknown = false): CsvHeader {
  const names = cells.map((cell) => cell.trim());
  const fields = new Set(names.map(plainName));
  const columns = names.map((name) =>
    isSecondCategory(plainName(name), fields) ? undefined : fieldOf(name),
  );
  if (columns.every((field) => field === undefined)) {
    const optional = Object.keys(OPTIONAL_FIELDS).join(', ');
    const message = `The first line must name the columns: name, category and, optionally, ${optional}`;
    return { columns, ignored: [], errors: [{ line, message }] };
  }
  const errors: RowError[] = [];
  const ignored: string[] = [];
  const nameOf = new Map<string, string>();
  for (const [index, name] of names.entries()) {
    const field = columns[index];
    const earlier = field === undefined ? undefined : nameOf.get(field);
    if (field !== undefined) nameOf.set(field, name);
    if (field !== undefined && earlier !== undefined)
      errors.push({ line, field, message: describeDuplicate(earlier, name, field) });
    else if (field === undefined && ignoresUnknown)
      ignored.push(name === '' ? `column ${String(index + 1)}` : name);
    else if (field === undefined) errors.push(unknownColumn(name, index, line, fields));
  }
  for (const needed of ['name', 'categoryId']) {
    if (!nameOf.has(needed))
      errors.push({ line, field: needed, message: `Column ${titleOf(needed)} is missing` });
  }
  return { columns, ignored, errors };
}

/** The fields of a row by their names without case, blanks and underscores. */
const FIELDS = new Map([
  ...ROW_FIELDS.map((field) => [plainName(field), field] as const),
  ['category', 'categoryId'],
]);

function fieldOf(name: string): string | undefined {
  // Longer names are unknown.
  return name.length > 100 ? undefined : FIELDS.get(plainName(name));
}

function describeDuplicate(first: string, second: string, field: string): string {
  if (first === second) return `Duplicate column ${quote(excerpt(second))}`;
  const names = `${quote(excerpt(first))} and ${quote(excerpt(second))}`;
  return `Columns ${names} are both the ${titleOf(field)}`;
}

function unknownColumn(name: string, index: number, line: number, fields: ReadonlySet<string>): RowError {
  const column = excerpt(name);
  if (column === '')
    return { line, isUnknownField: true, message: `Column ${String(index + 1)} has no name` };
  if (plainName(name) === 'id')
    return {
      line,
      field: 'id',
      isUnknownField: true,
      message: `Column ${quote(column)} ${ID_PROBLEM}`,
    };
  if (isSecondCategory(plainName(name), fields)) {
    const message = describeDuplicate(name, 'categoryId', 'categoryId');
    return { line, field: 'category', isUnknownField: true, message };
  }
  const message = `Unknown column ${quote(column)}`;
  return { line, field: column, isUnknownField: true, message, given: column, known: FIELD_NAMES };
}

/** Removes quotes around a name. csv-parse reads the table itself. */
function unquote(cell: string): string {
  return cell.replace(/^"(.*)"$/, '$1');
}
