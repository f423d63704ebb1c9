import { quote } from '../../schema/control-characters.js';
import { findJsonError, type Position, positionOf, readJsonMembers } from '../../schema/json-inspect.js';
import { parseJson } from '../../schema/json.js';
import { excerpt } from './check-row.js';
import { type Parsed, RECORD_MAX, type RecordParser } from './row.js';

/** The error of a JSON input that is no array. */
export const NO_ARRAY = 'Input must begin with [';

/** Reads one JSON object per line. Skips blank lines. */
export class NdjsonParser implements RecordParser {
  hasFailed = false;
  #line = 1;
  #rest = '';

  push(text: string): Parsed[] {
    const lines = text.split('\n');
    lines[0] = this.#rest + (lines[0] ?? '');
    this.#rest = lines.pop() ?? '';
    const parsed = lines.flatMap((line) => this.#read(line));
    if (this.#rest.length <= RECORD_MAX) return parsed;
    this.hasFailed = true;
    const error = { line: this.#line, message: 'Line is longer than 1 MiB' };
    return [...parsed, { kind: 'error', error, isRow: true }];
  }

  end(): Parsed[] {
    return this.#read(this.#rest);
  }

  #read(text: string): Parsed[] {
    const line = this.#line;
    this.#line += 1;
    return text.trim() === '' ? [] : [parseRecord(text, line)];
  }
}

/**
 * Parses a text that must be one JSON object.
 *
 * @param line where the text begins in the input, from 1.
 * @param column where it begins in that line, from 1.
 */
export function parseRecord(text: string, line: number, column = 1): Parsed {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    const position = findJsonError(text) ?? { line: 1, column: 1, found: 'this text' };
    const error = {
      ...inInput(position, line, column),
      message: `Not valid JSON: found ${position.found}`,
    };
    return { kind: 'error', error, isRow: true };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return toRecord(value as Record<string, unknown>, text, line, column);
  const message = `${excerpt(text.trim())} is not an object, such as {"name":"Rex","category":7}`;
  return { kind: 'error', error: { line, column, message }, isRow: true };
}

/** Returns the position in the input of a position in a text that begins at `line` and `column`. */
function inInput(position: Position, line: number, column: number): Position {
  return {
    line: line + position.line - 1,
    column: position.line === 1 ? column + position.column - 1 : position.column,
  };
}

/** Rejects duplicate fields, which `JSON.parse` accepts. Keeps the source text of each value. */
function toRecord(fields: Record<string, unknown>, text: string, line: number, column: number): Parsed {
  const members = readJsonMembers(text);
  const names = new Set<string>();
  const duplicate = members.find(({ name }) => names.size === names.add(name).size);
  if (duplicate !== undefined) {
    const field = excerpt(duplicate.name);
    const position = inInput(positionOf(text, duplicate.at), line, column);
    const error = { ...position, field, message: `Duplicate field ${quote(field)}` };
    return { kind: 'error', error, isRow: true };
  }
  return {
    ...{ kind: 'record', line, fields },
    written: new Map(members.map(({ name, raw }) => [name, raw])),
    positionOf(field) {
      const member = members.find(({ name }) => name === field);
      return member && inInput(positionOf(text, member.at), line, column);
    },
  };
}

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
    else if (this.#state === 'start') this.#fail(NO_ARRAY);
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

  #fail(message: string, isRow = false): void {
    const [line, column] = isRow ? [this.#startLine, this.#startColumn] : [this.#line, this.#column];
    this.#parsed.push({ kind: 'error', error: { line, column, message }, isRow });
    this.hasFailed = true;
  }
}
