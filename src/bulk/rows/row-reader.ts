import { checkRow, IgnoredFields } from './check-row.js';
import { CsvParser } from './csv-parser.js';
import { decodeText, NoTextError } from './decode-text.js';
import { InputNotes } from './input-notes.js';
import { JsonArrayParser } from './json-array-parser.js';
import { NdjsonParser } from './ndjson-parser.js';
import {
  formatOfName,
  formatOfText,
  type Parsed,
  type ParsedRecord,
  RECORD_MAX,
  type RecordParser,
  type Row,
  type RowError,
  type RowFormat,
  type RowSource,
} from './row.js';

/** The rows and errors of a chunk of the input. */
export interface RowBatch {
  rows: Row[];
  errors: RowError[];
  /** Bytes of the input read so far. */
  bytes: number;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Reads and checks rows, one chunk of bytes at a time. Keeps no row. */
export class RowReader {
  /** Rows so far, including invalid ones. */
  rowCount = 0;
  /** Set after the first character that is not blank. */
  format: RowFormat | undefined;
  /** With `ignoreColumns`. */
  readonly ignored: IgnoredFields | undefined;
  /** Complete after the last row. */
  readonly notes = new InputNotes();
  /** The messages about unknown fields. */
  readonly #unknownFields = new Set<string>();
  readonly #source: RowSource;
  readonly #namedDelimiter: string | undefined;
  /** Whether only the name says that the input is JSON. Many programs name NDJSON so. */
  readonly #isNamedJson: boolean;
  #parser: RecordParser | undefined;
  /** Blank text before the format is known. */
  #start = '';
  #line = 1;
  #bytes = 0;

  constructor(source: RowSource) {
    this.#source = source;
    this.ignored = source.ignoreColumns === true ? new IgnoredFields() : undefined;
    const named = formatOfName(source.path);
    this.#isNamedJson = source.format === undefined && named?.format === 'json';
    this.format = source.format ?? (this.#isNamedJson ? undefined : named?.format);
    this.#namedDelimiter = source.delimiter ?? (this.format === 'csv' ? named?.delimiter : undefined);
  }

  /** For CSV, after the header. */
  get delimiter(): string | undefined {
    return this.#parser instanceof CsvParser ? this.#parser.delimiter : undefined;
  }

  /** For CSV, after the header. */
  get columns(): readonly string[] {
    return this.#parser instanceof CsvParser ? this.#parser.columns : [];
  }

  /**
   * Yields rows and errors in order. Ends early after an error that makes the rest unreadable.
   *
   * @throws the error of `bytes`.
   */
  async *read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<RowBatch> {
    let isAfterReturn = false;
    try {
      for await (const text of decodeText(this.#counted(bytes))) {
        yield this.#batch(await this.#push(text));
        if (this.#parser?.hasFailed === true) return;
        this.#line += lineBreaks(text, isAfterReturn);
        if (text !== '') isAfterReturn = text.endsWith('\r');
      }
    } catch (error) {
      if (!(error instanceof NoTextError)) throw error;
      // A parser that reads ahead still has rows before the invalid byte.
      const parsed = await this.#end();
      const { rows } = this.#batch(parsed.filter((each) => each.kind === 'record' && each.line < this.#line));
      yield {
        rows,
        errors: [{ line: this.#line, message: error.message, hint: error.hint }],
        bytes: this.#bytes,
      };
      return;
    }
    yield this.#batch(await this.#end());
  }

  async *#counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const chunk of bytes) {
      this.#bytes += chunk.length;
      yield chunk;
    }
  }

  #push(text: string): Parsed[] | Promise<Parsed[]> {
    if (this.#parser !== undefined) return this.#parser.push(text);
    this.format ??= formatOfText(text, this.#isNamedJson);
    // Blank text is kept, because line numbers count it.
    this.#start += text;
    if (this.#start.trim() === '' && this.#start.length <= RECORD_MAX) return [];
    this.format ??= this.#isNamedJson ? 'json' : 'csv';
    this.#parser = this.#makeParser(this.format);
    return this.#parser.push(this.#start);
  }

  async #end(): Promise<Parsed[]> {
    this.format ??= this.#isNamedJson ? 'json' : 'csv';
    this.#parser ??= this.#makeParser(this.format);
    const parsed = await this.#parser.end();
    if (this.#parser instanceof CsvParser) this.notes.emptyColumns = this.#parser.emptyColumns;
    return parsed;
  }

  #makeParser(format: RowFormat): RecordParser {
    const isArray = format === 'json';
    if (isArray && !this.#start.trimStart().startsWith('{')) return new JsonArrayParser();
    if (format !== 'csv') return new NdjsonParser({ isNamedJson: this.#isNamedJson, isArray });
    return new CsvParser({
      delimiter: this.#namedDelimiter,
      csvRaw: this.#source.csvRaw,
      ignored: this.ignored,
    });
  }

  #batch(parsed: readonly Parsed[]): RowBatch {
    const batch: RowBatch = { rows: [], errors: [], bytes: this.#bytes };
    for (const found of parsed) {
      if (found.kind === 'empty' || (found.kind === 'record' && isEmptyObject(found))) {
        this.notes.emptyRows += 1;
        continue;
      }
      if (found.kind === 'error') {
        if (found.isRow) this.rowCount += 1;
        batch.errors.push(found.isRow ? { row: this.rowCount, ...found.error } : found.error);
        continue;
      }
      this.rowCount += 1;
      const checked = checkRow(found, this.rowCount, this.ignored);
      if ('errors' in checked) {
        batch.errors.push(...checked.errors.filter((error) => this.#isNew(error)));
        continue;
      }
      const row = { row: this.rowCount, line: found.line, pet: checked.pet };
      this.notes.add(row);
      batch.rows.push(row);
    }
    return batch;
  }

  /** An unknown field is reported once, like a column of CSV. */
  #isNew({ isUnknownField, message }: RowError): boolean {
    if (isUnknownField !== true) return true;
    if (this.#unknownFields.has(message)) return false;
    if (this.#unknownFields.size < UNKNOWN_FIELDS_MAX) this.#unknownFields.add(message);
    return true;
  }
}

/** Each row of JSON can have other fields. */
const UNKNOWN_FIELDS_MAX = 1_000;

/** Whether a record of JSON has no text: each of its values is null or blank, as of an empty row of a spreadsheet. */
function isEmptyObject({ fields, writtenOf }: ParsedRecord): boolean {
  if (writtenOf === undefined) return false;
  let count = 0;
  for (const field in fields) {
    const value = fields[field];
    if (value !== null && (typeof value !== 'string' || value.trim() !== '')) return false;
    count += 1;
  }
  return count > 0;
}

/** Counts line breaks (CRLF, LF, CR). `isAfterReturn`: the previous text ends with a CR. */
function lineBreaks(text: string, isAfterReturn: boolean): number {
  let count = 0;
  let before = isAfterReturn ? CARRIAGE_RETURN : 0;
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code === CARRIAGE_RETURN || (code === LINE_FEED && before !== CARRIAGE_RETURN)) count += 1;
    before = code;
  }
  return count;
}
