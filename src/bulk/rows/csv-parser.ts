import { unguarded } from './csv-cell.js';
import { type CsvHeader, readHeader, tellDelimiter } from './csv-header.js';
import { type CsvRecord, CsvSplitter } from './csv-splitter.js';
import { type Parsed, RECORD_MAX, type RecordParser } from './record-parser.js';

/** How a table is to be read. */
export interface CsvOptions {
  /** Default: told by the header. */
  delimiter?: string | undefined;
  /** True: a leading `'` is part of the value. */
  csvRaw?: boolean | undefined;
}

/** Reads a table with a header. Cells are mapped by the names of their columns; an empty cell is a field left out. */
export class CsvParser implements RecordParser {
  readonly #csvRaw: boolean;
  /** Known from the header on, or from the options. */
  delimiter: string | undefined;
  /** In the order of the table, once the header is read. */
  columns: readonly string[] = [];
  isLost = false;
  #beginning = '';
  #splitter: CsvSplitter | undefined;
  #header: CsvHeader | undefined;

  constructor({ delimiter, csvRaw = false }: CsvOptions = {}) {
    this.#csvRaw = csvRaw;
    this.delimiter = delimiter;
  }

  push(text: string): Parsed[] {
    if (this.#splitter !== undefined) return this.#read(this.#splitter.push(text));
    this.#beginning += text;
    const line = /^[\r\n]*([^\r\n]+)[\r\n]/.exec(this.#beginning)?.[1];
    if (line === undefined && this.#beginning.length <= RECORD_MAX) return [];
    return this.#read(this.#begin(line ?? this.#beginning).push(this.#beginning));
  }

  end(): Parsed[] {
    const late = this.#splitter === undefined ? this.#begin(this.#beginning).push(this.#beginning) : [];
    const parsed = this.#read([...late, ...(this.#splitter?.end() ?? [])]);
    if (this.#header !== undefined) return parsed;
    this.isLost = true;
    return [
      { kind: 'fault', isRow: false, fault: { line: 1, message: 'the table is empty: there is no header' } },
    ];
  }

  #begin(headerLine: string): CsvSplitter {
    this.delimiter ??= tellDelimiter(headerLine);
    this.#splitter = new CsvSplitter(this.delimiter);
    return this.#splitter;
  }

  #read(records: readonly CsvRecord[]): Parsed[] {
    const parsed: Parsed[] = [];
    for (const record of records) {
      if (this.isLost) break;
      if (this.#header === undefined) parsed.push(...this.#readHeader(record));
      else parsed.push(this.#readRow(record, this.#header));
    }
    if (this.#splitter?.isLost === true) this.isLost = true;
    return parsed;
  }

  #readHeader(record: CsvRecord): Parsed[] {
    this.#header = readHeader(record.cells, record.line);
    this.columns = this.#header.columns;
    const faults = record.fault === undefined ? this.#header.faults : [record.fault];
    this.isLost = faults.length > 0;
    return faults.map((fault) => ({ kind: 'fault', fault, isRow: false }));
  }

  #readRow({ line, cells, fault }: CsvRecord, { columns }: CsvHeader): Parsed {
    if (fault !== undefined) return { kind: 'fault', fault, isRow: true };
    if (cells.length !== columns.length) {
      const message = `this row has ${cellCount(cells.length)}, and the header ${String(columns.length)}`;
      return { kind: 'fault', fault: { line, message }, isRow: true };
    }
    const fields: Record<string, string> = {};
    for (const [index, column] of columns.entries()) {
      const cell = cells[index] ?? '';
      // Blanks around a number or a state mean nothing; in a name they may.
      const value = column === 'name' ? (this.#csvRaw ? cell : unguarded(cell)) : cell.trim();
      if (value !== '') fields[column] = value;
    }
    return { kind: 'record', line, fields };
  }
}

function cellCount(count: number): string {
  return count === 1 ? '1 cell' : `${String(count)} cells`;
}
