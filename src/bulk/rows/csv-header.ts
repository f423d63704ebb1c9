import { excerpt, PET_FIELDS, isRowField } from './check-row.js';
import type { RowError } from './row.js';

/** The supported delimiters. The first is the default. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The header of a table. */
export interface CsvHeader {
  /** In table order. */
  columns: readonly string[];
  errors: readonly RowError[];
}

/** Returns the delimiter that splits the header line into the most known names, then into the most cells. */
export function detectDelimiter(headerLine: string): string {
  let best: string = DELIMITERS[0];
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const cells = headerLine.split(delimiter);
    const score = cells.filter((cell) => isRowField(unquote(cell.trim()))).length * 1_000 + cells.length - 1;
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

/** Reads the column names. If there is an error, the rows can't be read. */
export function readHeader(cells: readonly string[], line: number): CsvHeader {
  const columns = cells.map((cell) => cell.trim());
  if (!columns.some(isRowField)) {
    const message = 'The first line must name the columns: name, categoryId and, optionally, status';
    return { columns, errors: [{ line, message }] };
  }
  const errors = columns.flatMap((column, index): RowError[] => {
    if (columns.indexOf(column) < index && column !== '')
      return [
        { line, field: excerpt(column), message: `Duplicate column ${JSON.stringify(excerpt(column))}` },
      ];
    return isRowField(column) ? [] : [unknownColumn(column, index, line)];
  });
  for (const needed of ['name', 'categoryId']) {
    if (!columns.includes(needed))
      errors.push({ line, field: needed, message: `Column ${needed} is missing` });
  }
  return { columns, errors };
}

function unknownColumn(name: string, index: number, line: number): RowError {
  const column = excerpt(name);
  if (column === '') return { line, message: `Column ${String(index + 1)} has no name` };
  const message = `Unknown column ${JSON.stringify(column)}`;
  return { line, field: column, message, given: column, known: PET_FIELDS };
}

/** Removes quotes around a name. csv-parse reads the table itself. */
function unquote(cell: string): string {
  return cell.replace(/^"(.*)"$/, '$1');
}
