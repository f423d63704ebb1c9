import { checkRow, IgnoredFields } from './check-row.js';
import { CsvParser } from './csv-parser.js';
import { JsonArrayParser, NdjsonParser } from './json-parsers.js';
import {
  formatOfName,
  formatOfText,
  type Parsed,
  RECORD_MAX,
  type RecordParser,
  type Row,
  type RowError,
  type RowFormat,
} from './row.js';

/** A file of rows and its format. */
export interface RowSource {
  /** Its extension determines the format if `format` is not set. */
  path: string;
  /** For messages. */
  name: string;
  format?: RowFormat | undefined;
  delimiter?: string | undefined;
  csvRaw?: boolean | undefined;
  /** Whether unknown columns and fields are ignored instead of an error. */
  ignoreColumns?: boolean | undefined;
}

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
  readonly #source: RowSource;
  readonly #namedDelimiter: string | undefined;
  #parser: RecordParser | undefined;
  /** Blank text before the format is known. */
  #start = '';
  #line = 1;
  #bytes = 0;

  constructor(source: RowSource) {
    this.#source = source;
    this.ignored = source.ignoreColumns === true ? new IgnoredFields() : undefined;
    const named = formatOfName(source.path);
    this.format = source.format ?? named?.format;
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
      if (!(error instanceof EncodingError)) throw error;
      // A parser that reads ahead still has rows before the invalid byte.
      const parsed = await this.#end();
      const { rows } = this.#batch(parsed.filter((each) => each.kind === 'record' && each.line < this.#line));
      yield { rows, errors: [{ line: this.#line, message: error.message }], bytes: this.#bytes };
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
    this.format ??= formatOfText(text);
    // Blank text is kept, because line numbers count it.
    this.#start += text;
    if (this.format === undefined && this.#start.length <= RECORD_MAX) return [];
    this.format ??= 'csv';
    this.#parser = this.#makeParser(this.format);
    return this.#parser.push(this.#start);
  }

  #end(): Parsed[] | Promise<Parsed[]> {
    this.format ??= 'csv';
    this.#parser ??= this.#makeParser(this.format);
    return this.#parser.end();
  }

  #makeParser(format: RowFormat): RecordParser {
    if (format === 'json') return new JsonArrayParser();
    if (format === 'ndjson') return new NdjsonParser();
    return new CsvParser({
      delimiter: this.#namedDelimiter,
      csvRaw: this.#source.csvRaw,
      ignored: this.ignored,
    });
  }

  #batch(parsed: readonly Parsed[]): RowBatch {
    const batch: RowBatch = { rows: [], errors: [], bytes: this.#bytes };
    for (const found of parsed) {
      if (found.kind === 'error') {
        if (found.isRow) this.rowCount += 1;
        batch.errors.push(found.isRow ? { row: this.rowCount, ...found.error } : found.error);
        continue;
      }
      this.rowCount += 1;
      const checked = checkRow(found, this.rowCount, this.ignored);
      if ('pet' in checked) batch.rows.push({ row: this.rowCount, line: found.line, pet: checked.pet });
      else batch.errors.push(...checked.errors);
    }
    return batch;
  }
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

/** The input is not UTF-8. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}

/**
 * Decodes UTF-8 and removes a byte order mark. Invalid bytes are an error, because replacing them would change a name.
 *
 * @throws EncodingError after yielding the text before the first invalid byte.
 */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // Has the same state, and shows where the first invalid byte is.
  const replacing = new TextDecoder();
  for await (const chunk of chunks) {
    const replaced = replacing.decode(chunk, { stream: true });
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      yield replaced.slice(0, replaced.indexOf('\ufffd'));
      throw notUtf8();
    }
    yield text;
  }
  try {
    yield decoder.decode();
  } catch {
    throw notUtf8();
  }
}

function notUtf8(): EncodingError {
  return new EncodingError('Invalid UTF-8; save the rows as UTF-8 text, such as CSV');
}
