import { parseRecord } from './ndjson-parser.js';
import { type Parsed, RECORD_MAX, type RecordParser } from './record-parser.js';

/** Where in the array the text stands. */
type Place = 'before' | 'first' | 'element' | 'behind' | 'next' | 'after';

const BLANK = /[ \t\r\n]/;

/** Reads a JSON array of objects, an element at a time: the whole is never in memory. */
export class JsonArrayParser implements RecordParser {
  isLost = false;
  #place: Place = 'before';
  #line = 1;
  #column = 1;
  /** The element so far, where it began, and what of it is open. */
  #element = '';
  #startLine = 1;
  #startColumn = 1;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #parsed: Parsed[] = [];

  push(text: string): Parsed[] {
    let from = this.#place === 'element' ? 0 : -1;
    for (let at = 0; at < text.length && !this.isLost; at += 1) {
      const character = text.charAt(at);
      if (this.#place === 'element') {
        if (this.#endsBefore(character)) {
          this.#endElement(text.slice(from, at));
          from = -1;
        } else if (this.#endsWith(character)) {
          this.#endElement(text.slice(from, at + 1));
          from = -1;
          this.#step(character);
          continue;
        }
      }
      if (this.#place !== 'element' && this.#readBetween(character)) from = at;
      this.#step(character);
    }
    if (this.#place === 'element' && from !== -1) this.#element += text.slice(from);
    if (this.#element.length > RECORD_MAX) this.#lose('this row is longer than 1 MiB', true);
    return this.#taken();
  }

  end(): Parsed[] {
    if (this.#place === 'element') this.#endElement('');
    if (this.#place !== 'after' && !this.isLost) {
      this.#lose(
        this.#place === 'before' ? 'there is no list: it must begin with [' : 'the list is not closed with ]',
      );
    }
    return this.#taken();
  }

  #taken(): Parsed[] {
    const parsed = this.#parsed;
    this.#parsed = [];
    return parsed;
  }

  #step(character: string): void {
    if (character === '\n') {
      this.#line += 1;
      this.#column = 1;
    } else {
      this.#column += 1;
    }
  }

  /** Whether a bare word or number, which nothing closes, has ended before this character. */
  #endsBefore(character: string): boolean {
    return this.#depth === 0 && !this.#inString && (/[,\]]/.test(character) || BLANK.test(character));
  }

  /** Follows strings and brackets; true where this character closes the element. */
  #endsWith(character: string): boolean {
    if (this.#inString) {
      if (this.#isEscaped) this.#isEscaped = false;
      else if (character === '\\') this.#isEscaped = true;
      else if (character === '"') this.#inString = false;
      return character === '"' && !this.#inString && this.#depth === 0;
    }
    if (character === '"') this.#inString = true;
    else if (character === '{' || character === '[') this.#depth += 1;
    else if (character === '}' || character === ']') this.#depth -= 1;
    return (character === '}' || character === ']') && this.#depth === 0;
  }

  /** Reads what stands between elements; true where an element begins. */
  #readBetween(character: string): boolean {
    if (BLANK.test(character)) return false;
    if (this.#place === 'before' && character === '[') this.#place = 'first';
    else if (this.#place === 'before') this.#lose('the list must begin with [');
    else if (this.#place === 'after') this.#lose('nothing may follow the list');
    else if (this.#place === 'behind' && character === ',') this.#place = 'next';
    else if (character === ']' && this.#place !== 'next') this.#place = 'after';
    else if (this.#place === 'behind') this.#lose('a comma is missing between two rows');
    else if (character === ',' || character === ']' || character === '}')
      this.#lose(`did not expect ${JSON.stringify(character)}`);
    else return this.#beginElement(character);
    return false;
  }

  #beginElement(character: string): true {
    this.#place = 'element';
    [this.#startLine, this.#startColumn] = [this.#line, this.#column];
    this.#depth = 0;
    this.#inString = false;
    this.#isEscaped = false;
    this.#endsWith(character);
    return true;
  }

  #endElement(rest: string): void {
    this.#parsed.push(parseRecord(this.#element + rest, this.#startLine, this.#startColumn));
    this.#element = '';
    this.#place = 'behind';
  }

  #lose(message: string, isRow = false): void {
    const [line, column] = isRow ? [this.#startLine, this.#startColumn] : [this.#line, this.#column];
    this.#parsed.push({ kind: 'fault', fault: { line, column, message }, isRow });
    this.isLost = true;
  }
}
