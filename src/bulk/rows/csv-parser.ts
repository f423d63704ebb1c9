import { quote } from '../../schema/control-characters.js';
import { type CsvError, parse, type Parser } from 'csv-parse';
import { unguardFormula } from '../../security/csv-formula.js';
import type { IgnoredFields } from './check-row.js';
import {
  countError,
  type CsvHeader,
  detectDelimiter,
  isDelimiter,
  readCsvHeader,
  separatorOf,
} from './csv-header.js';
import { cellStart, countBreaks, findQuoteError, positionIn } from './csv-text.js';
import { excerpt } from './excerpt.js';
import { DATABASE_TSV_HINT, describeForeign, recognizeLine, ROW_NAMES_HINT } from './foreign-file.js';
import { type Parsed, RECORD_MAX, type RecordParser, type RowError } from './row.js';

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
  /** Columns without name and without text: those of the header, and cells after its last one. */
  emptyColumns = 0;
  /** Text before the delimiter is known. */
  #start = '';
  /** The columns without a name in which no row had text so far. */
  #unnamed: readonly number[] = [];
  #extraColumns = 0;
  #parser: Parser | undefined;
  #header: CsvHeader | undefined;
  #parsed: Parsed[] = [];
  /** The line after the last record. */
  #line = 1;
  /** Characters since the last record. */
  #unreadLength = 0;
  #lastCharacter = '';

  constructor({ delimiter, csvRaw = false, ignored }: CsvOptions = {}) {
    this.#csvRaw = csvRaw;
    this.#ignored = ignored;
    this.delimiter = delimiter;
  }

  async push(text: string): Promise<Parsed[]> {
    if (this.#parser !== undefined) return this.#write(this.#parser, text);
    this.#start += text;
    // Only a text with a line break is scanned, so that time stays linear.
    const headerLine = /[\r\n]/.test(text) ? this.#takeHeaderLine() : undefined;
    if (this.hasFailed) return this.#drain();
    if (headerLine === undefined && this.#start.length <= RECORD_MAX) return [];
    return this.#write(this.#open(headerLine ?? this.#start), this.#start);
  }

  async end(): Promise<Parsed[]> {
    const first = this.#parser === undefined ? await this.#write(this.#open(this.#start), this.#start) : [];
    const parsed = [...first, ...(await this.#finish(!/[\r\n]$/.test(this.#lastCharacter)))];
    this.emptyColumns = this.#unnamed.length + this.#extraColumns;
    if (this.#header !== undefined) return parsed;
    this.hasFailed = true;
    return [{ kind: 'error', isRow: false, error: { line: 1, message: 'The table is empty: no header' } }];
  }

  /** Returns the line with the columns, if it is complete. Obeys a line `sep=;` before it, and leaves a blank line. */
  #takeHeaderLine(): string | undefined {
    const line = HEADER_LINE.exec(this.#start)?.[1];
    const separator = line === undefined ? undefined : separatorOf(line);
    if (line === undefined || separator === undefined) return line;
    if (!isDelimiter(separator)) {
      const at = countBreaks(this.#start.slice(0, this.#start.indexOf(line))) + 1;
      const message = `The separator ${quote(separator)} is not supported`;
      const hint = 'Separate the cells with a comma, a semicolon, a tab or a vertical bar.';
      this.hasFailed = true;
      this.#parsed.push({ kind: 'error', error: { line: at, message, hint }, isRow: false });
      return undefined;
    }
    this.delimiter = separator;
    this.#start = this.#start.replace(line, '');
    return HEADER_LINE.exec(this.#start)?.[1];
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
    if (text !== '') this.#lastCharacter = text.slice(-1);
    await new Promise<void>((resolve) => parser.write(text, () => resolve()));
    if (this.#unreadLength <= RECORD_MAX) return this.#drain();
    const parsed = await this.#finish();
    if (this.hasFailed) return parsed;
    // There are only blank lines.
    this.hasFailed = true;
    return [...parsed, { kind: 'error', error: { line: this.#line, message: TOO_BLANK }, isRow: false }];
  }

  /** @param isCut whether the last line has no line break. */
  async #finish(isCut = false): Promise<Parsed[]> {
    // csv-parse reads three characters ahead. These blank lines complete the records before an error at the end.
    await new Promise<void>((resolve) => this.#parser?.write('\n\n\n\n', () => resolve()));
    const parsed = this.#drain(isCut);
    await new Promise<void>((resolve) => this.#parser?.end(() => resolve()));
    return [...parsed, ...this.#drain()];
  }

  /** @param isCut whether the last record has no line break. */
  #drain(isCut = false): Parsed[] {
    const next = (): RawRecord | null => (this.#parser?.read() ?? null) as RawRecord | null;
    for (let record = next(), following; record !== null; record = following) {
      following = next();
      this.#readRecord(record, isCut && following === null);
    }
    const parsed = this.#parsed;
    this.#parsed = [];
    return parsed;
  }

  #readRecord({ record: cells, raw }: RawRecord, isCut = false): void {
    if (this.hasFailed) return;
    const text = raw.replace(/^[\r\n]+/, '');
    // Each blank line before the record leaves one character in it.
    const line = this.#line + raw.length - text.length;
    this.#line = line + 1;
    const error = this.#findError(text, line);
    this.#unreadLength = 0;
    if (this.#header === undefined) this.#readCsvHeader(cells, line, error, text);
    else if (error !== undefined) this.#parsed.push({ kind: 'error', error, isRow: true });
    else if (cells.every((cell) => cell.trim() === '')) this.#parsed.push({ kind: 'empty' });
    else this.#readRow(cells, line, this.#header, { text, isCut });
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
        return {
          ...positionIn(text, found.at, line),
          message: found.message + limit,
          ...(this.delimiter === '\t' ? { hint: DATABASE_TSV_HINT } : {}),
        };
    }
    return isTooLong ? { line, message: TOO_LONG } : undefined;
  }

  #readCsvHeader(cells: readonly string[], line: number, error: RecordError | undefined, text: string): void {
    this.#header = readCsvHeader(cells, line, this.#ignored !== undefined);
    this.columns = this.#header.columns.filter((field) => field !== undefined);
    this.#unnamed = this.#header.unnamed;
    for (const name of this.#header.ignored) this.#ignored?.add(name);
    // A line without a known name is no header, so its quotes do not matter.
    const found = error === undefined || this.columns.length === 0 ? this.#header.errors : [error];
    const foreign = found.length > 0 ? recognizeLine(text) : undefined;
    const errors = foreign === undefined ? found : [{ line, ...describeForeign(foreign) }];
    if (errors.length > 0) this.hasFailed = true;
    for (const each of errors) this.#parsed.push({ kind: 'error', error: each, isRow: false });
  }

  #readRow(
    cells: readonly string[],
    line: number,
    header: CsvHeader,
    { text, isCut }: { text: string; isCut: boolean },
  ): void {
    const { columns } = header;
    const extra = cells.slice(columns.length);
    const error =
      cells.length < (isCut ? columns.length : header.cellsMin) || extra.some((cell) => cell.trim() !== '')
        ? countError(cells, header, text)
        : this.#unnamedError(cells);
    if (error !== undefined) {
      this.#parsed.push({ kind: 'error', error: { line, ...error }, isRow: true });
      return;
    }
    this.#extraColumns = Math.max(this.#extraColumns, extra.length);
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
      kind: 'record',
      line,
      fields,
      positionOf: (field) => positionIn(text, cellStart(text, columns.indexOf(field), delimiter), line),
    });
  }

  /** Finds text in a column without a name, once a column. */
  #unnamedError(cells: readonly string[]): Omit<RecordError, 'line'> | undefined {
    const index = this.#unnamed.find((each) => (cells[each] ?? '').trim() !== '');
    if (index === undefined) return undefined;
    this.#unnamed = this.#unnamed.filter((each) => each !== index);
    const column = `column ${String(index + 1)}`;
    if (this.#ignored !== undefined) {
      this.#ignored.add(column);
      return this.#unnamedError(cells);
    }
    const text = (cells[index] ?? '').trim();
    const areRowNames = index === 0 && /^\d+$/.test(text);
    return {
      message: `The header has no name for ${column}, which has ${quote(excerpt(text))}`,
      isUnknownField: true,
      ...(areRowNames ? { hint: ROW_NAMES_HINT } : {}),
    };
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

type RecordError = Pick<RowError, 'line' | 'column' | 'message' | 'hint' | 'isUnknownField'>;
