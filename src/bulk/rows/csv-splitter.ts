import { RECORD_MAX } from './record-parser.js';

/** A record of a table as text, or what is wrong with it. */
export interface CsvRecord {
  /** The line on which it begins. */
  line: number;
  cells: readonly string[];
  /** The first thing in it that is against the format. */
  fault?: { line: number; message: string };
}

const QUOTE = 0x22;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;

type Place = 'cell-start' | 'bare' | 'quoted' | 'quote-in-quoted';

/**
 * Splits RFC 4180 text into records: quotes, doubled quotes, line breaks within quotes; CRLF, LF and CR end a record.
 * Blank lines are none. A quote where none may stand is a fault of its record, and the next one is read as usual.
 *
 * Our own and no package's, because a person has to find the place: csv-parse 7 tells of a record the line on which it
 * ends, of a quote left open the end of the file, goes no further than the first ragged row, and puts U+FFFD for bytes
 * that are not UTF-8.
 */
export class CsvSplitter {
  readonly #delimiter: number;
  #records: CsvRecord[] = [];
  #place: Place = 'cell-start';
  #line = 1;
  #startLine = 1;
  #quoteLine = 1;
  #cells: string[] = [];
  #cell = '';
  #length = 0;
  #wasQuoted = false;
  #afterReturn = false;
  #fault: CsvRecord['fault'];
  /** True once a record is longer than any can be. */
  isLost = false;

  constructor(delimiter: string) {
    this.#delimiter = delimiter.charCodeAt(0);
  }

  push(text: string): CsvRecord[] {
    let at = 0;
    // The line feed of a CRLF that was cut in two.
    if (this.#afterReturn && text.charCodeAt(0) === LINE_FEED) {
      if (this.#place === 'quoted') this.#cell += '\n';
      at = 1;
    }
    if (text !== '') this.#afterReturn = false;
    while (at < text.length)
      at = this.#place === 'quoted' ? this.#readQuoted(text, at) : this.#readBare(text, at);
    this.#length += text.length;
    if (this.#records.length > 0) this.#length = 0;
    if (this.#length > RECORD_MAX) this.#giveUp();
    return this.#taken();
  }

  end(): CsvRecord[] {
    if (this.#place === 'quoted') this.#blame('a quote is opened here and never closed', this.#quoteLine);
    if (this.#place !== 'cell-start' || this.#cells.length > 0) this.#endRecord();
    return this.#taken();
  }

  #taken(): CsvRecord[] {
    const records = this.#records;
    this.#records = [];
    return records;
  }

  /** Reads up to the next quote. */
  #readQuoted(text: string, from: number): number {
    const quote = text.indexOf('"', from);
    const to = quote === -1 ? text.length : quote;
    this.#countBreaks(text, from, to);
    this.#cell += text.slice(from, to);
    if (quote === -1) return to;
    this.#place = 'quote-in-quoted';
    return to + 1;
  }

  /** Reads a cell without quotes, what stands behind a closing quote, or a delimiter or break. */
  #readBare(text: string, from: number): number {
    const code = text.charCodeAt(from);
    if (code === this.#delimiter) {
      this.#endCell();
      return from + 1;
    }
    if (code === LINE_FEED || code === CARRIAGE_RETURN) return this.#readBreak(text, from);
    if (code === QUOTE) return this.#readQuote(from);
    if (this.#place === 'quote-in-quoted')
      this.#blame('text stands behind a closing quote; a quote within quotes is written twice', this.#line);
    let to = from + 1;
    while (to < text.length && !this.#isSpecial(text.charCodeAt(to))) to += 1;
    this.#cell += text.slice(from, to);
    this.#place = 'bare';
    return to;
  }

  #isSpecial(code: number): boolean {
    return code === this.#delimiter || code === LINE_FEED || code === CARRIAGE_RETURN || code === QUOTE;
  }

  #readQuote(from: number): number {
    if (this.#place === 'cell-start') {
      this.#place = 'quoted';
      this.#wasQuoted = true;
      this.#quoteLine = this.#line;
    } else if (this.#place === 'quote-in-quoted') {
      this.#cell += '"';
      this.#place = 'quoted';
    } else {
      this.#blame(
        'a quote stands within a cell; such a cell is put in quotes, and its quotes are doubled',
        this.#line,
      );
      this.#cell += '"';
    }
    return from + 1;
  }

  #readBreak(text: string, from: number): number {
    this.#endRecord();
    this.#line += 1;
    this.#startLine = this.#line;
    if (text.charCodeAt(from) === LINE_FEED) return from + 1;
    if (from + 1 === text.length) this.#afterReturn = true;
    return text.charCodeAt(from + 1) === LINE_FEED ? from + 2 : from + 1;
  }

  #countBreaks(text: string, from: number, to: number): void {
    for (let at = from; at < to; at += 1) {
      const code = text.charCodeAt(at);
      if (code === CARRIAGE_RETURN) {
        this.#line += 1;
        if (at + 1 === text.length) this.#afterReturn = true;
        else if (text.charCodeAt(at + 1) === LINE_FEED) at += 1;
      } else if (code === LINE_FEED) {
        this.#line += 1;
      }
    }
  }

  #endCell(): void {
    this.#cells.push(this.#cell);
    this.#cell = '';
    this.#place = 'cell-start';
  }

  #endRecord(): void {
    const isBlank = this.#cells.length === 0 && this.#cell === '' && !this.#wasQuoted;
    this.#endCell();
    if (!isBlank) {
      this.#records.push({
        line: this.#startLine,
        cells: this.#cells,
        ...(this.#fault === undefined ? {} : { fault: this.#fault }),
      });
    }
    this.#cells = [];
    this.#wasQuoted = false;
    this.#fault = undefined;
  }

  #giveUp(): void {
    const isOpen = this.#place === 'quoted';
    this.#blame(
      isOpen ? 'a quote is opened here and not closed within 1 MiB' : 'this record is longer than 1 MiB',
      isOpen ? this.#quoteLine : this.#startLine,
    );
    this.#endRecord();
    this.isLost = true;
  }

  #blame(message: string, line: number): void {
    this.#fault ??= { line, message };
  }
}
