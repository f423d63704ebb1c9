import { quote } from '../../schema/control-characters.js';
import { type CsvError, parse, type Parser } from 'csv-parse';
import { unguardFormula } from '../../security/csv-formula.js';
import { excerpt, type IgnoredFields } from './check-row.js';
import { type CsvHeader, detectDelimiter, readHeader } from './csv-header.js';
import { type Parsed, RECORD_MAX, type RecordParser } from './row.js';

/** How to read a table. */
export interface CsvOptions {
  /** Default: detected from the header. */
  delimiter?: string | undefined;
  /** True: a leading `'` is part of the value. */
  csvRaw?: boolean | undefined;
  /** Collects unknown columns, which are then no error. */
  ignored?: IgnoredFields | undefined;
}

/**
 * Reads a table (RFC 4180) with a header. Maps cells by column name; an empty cell is an absent field.
 *
 * csv-parse reports the line on which a record ends, counts a CRLF in quotes twice, and can't resume after a wrong
 * quote. So it runs with relaxed quotes, and this class checks quotes and counts lines in the text of each record.
 */
export class CsvParser implements RecordParser {
  readonly #csvRaw: boolean;
  readonly #ignored: IgnoredFields | undefined;
  /** Known from the options, or after the header. */
  delimiter: string | undefined;
  /** The fields of the known columns in table order, after the header. */
  columns: readonly string[] = [];
  hasFailed = false;
  /** Text before the delimiter is known. */
  #start = '';
  #parser: Parser | undefined;
  #header: CsvHeader | undefined;
  #parsed: Parsed[] = [];
  /** The line after the last record. */
  #line = 1;
  /** Characters since the last record. */
  #unreadLength = 0;

  constructor({ delimiter, csvRaw = false, ignored }: CsvOptions = {}) {
    this.#csvRaw = csvRaw;
    this.#ignored = ignored;
    this.delimiter = delimiter;
  }

  async push(text: string): Promise<Parsed[]> {
    if (this.#parser !== undefined) return this.#write(this.#parser, text);
    this.#start += text;
    // Only a text with a line break is scanned, so that time stays linear.
    const headerLine = /[\r\n]/.test(text) ? HEADER_LINE.exec(this.#start)?.[1] : undefined;
    if (headerLine === undefined && this.#start.length <= RECORD_MAX) return [];
    return this.#write(this.#open(headerLine ?? this.#start), this.#start);
  }

  async end(): Promise<Parsed[]> {
    const first = this.#parser === undefined ? await this.#write(this.#open(this.#start), this.#start) : [];
    const parsed = [...first, ...(await this.#finish())];
    if (this.#header !== undefined) return parsed;
    this.hasFailed = true;
    return [{ kind: 'error', isRow: false, error: { line: 1, message: 'The table is empty: no header' } }];
  }

  #open(headerLine: string): Parser {
    const delimiter = (this.delimiter ??= detectDelimiter(headerLine));
    const options = {
      delimiter,
      record_delimiter: ['\r\n', '\n', '\r'],
      relax_column_count: true,
      relax_quotes: true,
      skip_empty_lines: true,
      // Not `info`: it makes parsing three times slower, and its line numbers can't be used.
      raw: true,
      // write() waits for a reader if the buffer has no room for all records of a chunk.
      readableHighWaterMark: 2 * RECORD_MAX,
    };
    this.#parser = parse(options);
    // With these options the only error is a quote that is never closed.
    this.#parser.on('error', ({ raw }: CsvError) => this.#readRecord({ record: [], raw: String(raw) }));
    return this.#parser;
  }

  async #write(parser: Parser, text: string): Promise<Parsed[]> {
    this.#unreadLength += text.length;
    await new Promise<void>((resolve) => parser.write(text, () => resolve()));
    if (this.#unreadLength <= RECORD_MAX) return this.#drain();
    const parsed = await this.#finish();
    if (this.hasFailed) return parsed;
    // There are only blank lines.
    this.hasFailed = true;
    return [...parsed, { kind: 'error', error: { line: this.#line, message: TOO_BLANK }, isRow: false }];
  }

  async #finish(): Promise<Parsed[]> {
    // csv-parse reads three characters ahead. These blank lines complete the records before an error at the end.
    await new Promise<void>((resolve) => this.#parser?.write('\n\n\n\n', () => resolve()));
    const parsed = this.#drain();
    await new Promise<void>((resolve) => this.#parser?.end(() => resolve()));
    return [...parsed, ...this.#drain()];
  }

  #drain(): Parsed[] {
    const next = (): RawRecord | null => this.#parser?.read() as RawRecord | null;
    for (let record = next(); record !== null; record = next()) this.#readRecord(record);
    const parsed = this.#parsed;
    this.#parsed = [];
    return parsed;
  }

  #readRecord({ record: cells, raw }: RawRecord): void {
    if (this.hasFailed) return;
    const text = raw.replace(/^[\r\n]+/, '');
    // Each blank line before the record leaves one character in it.
    const line = this.#line + raw.length - text.length;
    this.#line = line + 1;
    const error = this.#findError(text, line);
    this.#unreadLength = 0;
    if (this.#header === undefined) this.#readHeader(cells, line, error);
    else if (error !== undefined) this.#parsed.push({ kind: 'error', error, isRow: true });
    else this.#readRow(cells, line, this.#header, text);
  }

  /** Finds a wrong quote, and counts the line breaks in quotes. */
  #findError(record: string, line: number): RecordError | undefined {
    const isTooLong = this.#unreadLength > RECORD_MAX;
    if (isTooLong) this.hasFailed = true;
    if (record.includes('"')) {
      const text = record.replace(/(?<![\r\n])[\r\n]+$/, '');
      this.#line += countBreaks(text);
      const found = findQuoteError(text, this.delimiter ?? ',');
      const limit = isTooLong && found?.isOpen === true ? ' within 1 MiB' : '';
      if (found !== undefined && (!isTooLong || found.isOpen))
        return { ...positionIn(text, found.at, line), message: found.message + limit };
    }
    return isTooLong ? { line, message: TOO_LONG } : undefined;
  }

  #readHeader(cells: readonly string[], line: number, error: RecordError | undefined): void {
    this.#header = readHeader(cells, line, this.#ignored !== undefined);
    this.columns = this.#header.columns.filter((field) => field !== undefined);
    for (const name of this.#header.ignored) this.#ignored?.add(name);
    const errors = error === undefined ? this.#header.errors : [error];
    if (errors.length > 0) this.hasFailed = true;
    for (const each of errors) this.#parsed.push({ kind: 'error', error: each, isRow: false });
  }

  #readRow(cells: readonly string[], line: number, { columns }: CsvHeader, text: string): void {
    if (cells.length !== columns.length) {
      const count = cells.length === 1 ? '1 cell' : `${String(cells.length)} cells`;
      const value = quote(excerpt(text.trimEnd()));
      const message = `Row has ${count}, but the header has ${String(columns.length)}: ${value}`;
      this.#parsed.push({ kind: 'error', error: { line, message }, isRow: true });
      return;
    }
    const fields: Record<string, string> = {};
    for (const [index, column] of columns.entries()) {
      if (column === undefined) continue;
      const cell = cells[index] ?? '';
      // Blanks can be part of a name, but not of a number or a status.
      const value = column === 'name' ? (this.#csvRaw ? cell : unguardFormula(cell)) : cell.trim();
      if (value !== '') fields[column] = value;
    }
    const delimiter = this.delimiter ?? ',';
    this.#parsed.push({
      ...{ kind: 'record', line, fields },
      positionOf: (field) => positionIn(text, cellStart(text, columns.indexOf(field), delimiter), line),
    });
  }
}

/** A record as csv-parse returns it with the option `raw`. */
interface RawRecord {
  record: readonly string[];
  /** The text of the record, with the blank lines before it. */
  raw: string;
}

/** The first line that is not blank, if its end is known. */
const HEADER_LINE = /^[\r\n]*([^\r\n]+)[\r\n]/;
const TOO_LONG = 'Record is longer than 1 MiB';
const TOO_BLANK = 'More than 1 MiB of blank lines';

interface RecordError {
  line: number;
  column?: number;
  message: string;
}

function countBreaks(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

/** Returns the position of an offset in a record that begins at `line`. */
function positionIn(record: string, at: number, line: number): { line: number; column: number } {
  const lines = record.slice(0, at).split(/\r\n|\r|\n/);
  return { line: line + lines.length - 1, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Returns the offset of a cell in a record without wrong quotes. */
function cellStart(record: string, index: number, delimiter: string): number {
  let at = 0;
  for (let cell = 0; cell < index; cell += 1) {
    const from = record.charAt(at) === '"' ? closingQuote(record, at) : at;
    at = record.indexOf(delimiter, from) + delimiter.length;
  }
  return at;
}

/** A quote that RFC 4180 does not allow. */
interface QuoteError {
  /** Offset in the record. */
  at: number;
  message: string;
  /** Whether the quote is never closed. */
  isOpen: boolean;
}

/** Finds the first wrong quote in the text of a record. */
function findQuoteError(record: string, delimiter: string): QuoteError | undefined {
  for (let at = 0; ;) {
    if (record.charAt(at) === '"') {
      const close = closingQuote(record, at);
      if (close === -1) return { at, message: 'Quote is opened here and not closed', isOpen: true };
      at = close + 1;
      if (at < record.length && !record.startsWith(delimiter, at))
        return {
          at,
          message: 'Text after a closing quote; double each quote inside a quoted cell',
          isOpen: false,
        };
    }
    const next = record.indexOf(delimiter, at);
    const quote = record.slice(at, next === -1 ? undefined : next).indexOf('"');
    if (quote !== -1) {
      const message = 'Quote inside an unquoted cell; quote the whole cell and double the quotes inside it';
      return { at: at + quote, message, isOpen: false };
    }
    if (next === -1) return undefined;
    at = next + delimiter.length;
  }
}

function closingQuote(record: string, open: number): number {
  let quote = record.indexOf('"', open + 1);
  while (quote !== -1 && record.charAt(quote + 1) === '"') quote = record.indexOf('"', quote + 2);
  return quote;
}
