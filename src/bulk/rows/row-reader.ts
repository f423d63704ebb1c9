import { checkRow } from './check-row.js';
import { CsvParser } from './csv-parser.js';
import { decodeText, EncodingFault } from './decode-text.js';
import { JsonArrayParser } from './json-array-parser.js';
import { NdjsonParser } from './ndjson-parser.js';
import type { Parsed, RecordParser } from './record-parser.js';
import type { Row, RowFault, RowFormat } from './row.js';
import { formatOfName, formatOfText } from './row-format.js';

/** Where rows are and how they are written. */
export interface RowSource {
  /** Its name tells the format, where `format` does not. */
  path: string;
  /** What to call it in a message. */
  name: string;
  format?: RowFormat | undefined;
  delimiter?: string | undefined;
  csvRaw?: boolean | undefined;
}

/** What a piece of the input held. */
export interface RowBatch {
  rows: Row[];
  faults: RowFault[];
  /** Bytes of the input read so far. */
  bytes: number;
}

const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

/** Reads rows out of bytes, a piece at a time, and checks each. Nothing is kept that was handed over. */
export class RowReader {
  /** All rows so far, the faulty ones included. */
  rowCount = 0;
  /** Known once there was something to read. */
  format: RowFormat | undefined;
  readonly #source: RowSource;
  readonly #namedDelimiter: string | undefined;
  #parser: RecordParser | undefined;
  /** Blank text at the beginning, while nothing tells the format. */
  #beginning = '';
  #line = 1;
  #bytes = 0;

  constructor(source: RowSource) {
    this.#source = source;
    const named = formatOfName(source.path);
    this.format = source.format ?? named?.format;
    this.#namedDelimiter = source.delimiter ?? (this.format === 'csv' ? named?.delimiter : undefined);
  }

  /** Of CSV, once the header is read. */
  get delimiter(): string | undefined {
    return this.#parser instanceof CsvParser ? this.#parser.delimiter : undefined;
  }

  /** Of CSV, once the header is read. */
  get columns(): readonly string[] {
    return this.#parser instanceof CsvParser ? this.#parser.columns : [];
  }

  /** Rows and faults in the order of the input, up to its end or to a fault that hides all that follows. */
  async *read(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<RowBatch> {
    let isAfterReturn = false;
    try {
      for await (const text of decodeText(this.#counted(bytes))) {
        yield this.#batch(this.#push(text));
        if (this.#parser?.isLost === true) return;
        this.#line += lineBreaks(text, isAfterReturn);
        if (text !== '') isAfterReturn = text.endsWith('\r');
      }
    } catch (error) {
      if (!(error instanceof EncodingFault)) throw error;
      yield { rows: [], faults: [{ line: this.#line, message: error.message }], bytes: this.#bytes };
      return;
    }
    yield this.#batch(this.#end());
  }

  async *#counted(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    for await (const piece of bytes) {
      this.#bytes += piece.length;
      yield piece;
    }
  }

  #push(text: string): Parsed[] {
    if (this.#parser !== undefined) return this.#parser.push(text);
    this.#beginning += text;
    this.format ??= formatOfText(this.#beginning);
    if (this.format === undefined) return [];
    this.#parser = this.#makeParser(this.format);
    return this.#parser.push(this.#beginning);
  }

  #end(): Parsed[] {
    this.format ??= 'csv';
    this.#parser ??= this.#makeParser(this.format);
    return this.#parser.end();
  }

  #makeParser(format: RowFormat): RecordParser {
    if (format === 'json') return new JsonArrayParser();
    if (format === 'ndjson') return new NdjsonParser();
    return new CsvParser({ delimiter: this.#namedDelimiter, csvRaw: this.#source.csvRaw });
  }

  #batch(parsed: readonly Parsed[]): RowBatch {
    const batch: RowBatch = { rows: [], faults: [], bytes: this.#bytes };
    for (const found of parsed) {
      if (found.kind === 'fault') {
        if (found.isRow) this.rowCount += 1;
        batch.faults.push(found.isRow ? { row: this.rowCount, ...found.fault } : found.fault);
        continue;
      }
      this.rowCount += 1;
      const checked = checkRow(found, this.rowCount);
      if ('pet' in checked) batch.rows.push({ row: this.rowCount, line: found.line, pet: checked.pet });
      else batch.faults.push(...checked.faults);
    }
    return batch;
  }
}

/** Line breaks of every kind; a CRLF is one, also where it is cut in two. */
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
