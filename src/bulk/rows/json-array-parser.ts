import { quote } from '../../schema/control-characters.js';
import { parseRecord } from './json-record.js';
import { AS_ARRAY, type Parsed, RECORD_MAX, type RecordParser, type RowError } from './row.js';

const NO_ARRAY = 'Input must begin with [';

/**
 * The position: before the array, before the first element, in or after an element, after a comma, or after the array.
 */
type State = 'start' | 'first' | 'element' | 'after-element' | 'after-comma' | 'end';

const BLANK = /[ \t\r\n]/;

/** Reads a JSON array of objects, one element at a time: the whole array is never in memory. */
export class JsonArrayParser implements RecordParser {
  hasFailed = false;
  #state: State = 'start';
  #line = 1;
  #column = 1;
  /** The element so far. */
  #element = '';
  #startLine = 1;
  #startColumn = 1;
  #depth = 0;
  #inString = false;
  #isEscaped = false;
  #parsed: Parsed[] = [];

  push(text: string): Parsed[] {
    let from = this.#state === 'element' ? 0 : -1;
    for (let at = 0; at < text.length && !this.hasFailed; at += 1) {
      const character = text.charAt(at);
      if (this.#state === 'element') {
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
      if (this.#state !== 'element' && this.#readBetween(character)) from = at;
      this.#step(character);
    }
    if (this.#state === 'element' && from !== -1) this.#element += text.slice(from);
    if (this.#element.length > RECORD_MAX) this.#fail('Row is longer than 1 MiB', true);
    return this.#drain();
  }

  end(): Parsed[] {
    if (this.#state === 'element') this.#endElement('');
    if (this.#state !== 'end' && !this.hasFailed) {
      this.#fail(this.#state === 'start' ? NO_ARRAY : 'Array is not closed with ]');
    }
    return this.#drain();
  }

  #drain(): Parsed[] {
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

  /** Whether a number or a literal ends before this character. */
  #endsBefore(character: string): boolean {
    return this.#depth === 0 && !this.#inString && (/[,\]]/.test(character) || BLANK.test(character));
  }

  /** Tracks strings and brackets. Returns true if this character closes the element. */
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

  /** Reads a character between elements. Returns true if an element begins. */
  #readBetween(character: string): boolean {
    if (BLANK.test(character)) return false;
    if (this.#state === 'start' && character === '[') this.#state = 'first';
    else if (this.#state === 'start') this.#fail(NO_ARRAY, false, { hint: AS_ARRAY });
    else if (this.#state === 'end' && character === '[')
      this.#fail('A second array begins here', false, {
        hint: 'Join the arrays to one, for example with jq --slurp add.',
      });
    else if (this.#state === 'end') this.#fail('Unexpected text after the array');
    else if (this.#state === 'after-element' && character === ',') this.#state = 'after-comma';
    else if (character === ']' && this.#state !== 'after-comma') this.#state = 'end';
    else if (this.#state === 'after-element') this.#fail('Comma is missing between two rows');
    else if (character === ',' || character === ']' || character === '}')
      this.#fail(`Unexpected ${quote(character)}`);
    else return this.#beginElement(character);
    return false;
  }

  #beginElement(character: string): true {
    this.#state = 'element';
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
    this.#state = 'after-element';
  }

  #fail(message: string, isRow = false, more: Pick<RowError, 'hint'> = {}): void {
    const [line, column] = isRow ? [this.#startLine, this.#startColumn] : [this.#line, this.#column];
    this.#parsed.push({ kind: 'error', error: { line, column, message, ...more }, isRow });
    this.hasFailed = true;
  }
}
