import { CsvSplitter } from './csv-splitter.js';
import { excerpt, FIELDS, isRowField } from './check-row.js';
import type { RowFault } from './row.js';

/** What may part the cells of a table; the first wins where the header tells nothing. */
const DELIMITERS = [',', ';', '\t', '|'] as const;

/** The columns of a table, in its order. */
export interface CsvHeader {
  columns: readonly string[];
  faults: readonly RowFault[];
}

/** Finds the delimiter with which a header line has the most known names, then the most cells. */
export function tellDelimiter(headerLine: string): string {
  let best: string = DELIMITERS[0];
  let bestScore = 0;
  for (const delimiter of DELIMITERS) {
    const cells = namesOf(splitLine(headerLine, delimiter));
    const score = cells.filter(isRowField).length * 1_000 + cells.length - 1;
    if (score > bestScore) [best, bestScore] = [delimiter, score];
  }
  return best;
}

/** Reads the names of the columns. What is wrong with them is wrong with every row. */
export function readHeader(cells: readonly string[], line: number): CsvHeader {
  const columns = namesOf(cells);
  if (!columns.some(isRowField)) {
    const message = 'the first line must name the columns: name, categoryId and, if you like, status';
    return { columns, faults: [{ line, message }] };
  }
  const faults = columns.flatMap((column, index): RowFault[] => {
    if (columns.indexOf(column) < index && column !== '')
      return [
        { line, field: excerpt(column), message: `there are two columns ${JSON.stringify(excerpt(column))}` },
      ];
    return isRowField(column) ? [] : [unknownColumn(column, index, line)];
  });
  for (const needed of ['name', 'categoryId']) {
    if (!columns.includes(needed))
      faults.push({ line, field: needed, message: `there is no column ${needed}` });
  }
  return { columns, faults };
}

function unknownColumn(name: string, index: number, line: number): RowFault {
  const column = excerpt(name);
  if (column === '') return { line, message: `column ${String(index + 1)} has no name` };
  const message = `there is no such column as ${JSON.stringify(column)}`;
  return { line, field: column, message, given: column, known: FIELDS };
}

function namesOf(cells: readonly string[]): string[] {
  return cells.map((cell) => cell.trim());
}

function splitLine(line: string, delimiter: string): readonly string[] {
  const splitter = new CsvSplitter(delimiter);
  return [...splitter.push(line), ...splitter.end()][0]?.cells ?? [];
}
