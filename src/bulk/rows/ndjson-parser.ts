import { findJsonError, readJsonMembers } from '../../schema/json-inspect.js';
import { parseJson } from '../../schema/json.js';
import { excerpt } from './check-row.js';
import { type Parsed, RECORD_MAX, type RecordParser } from './record-parser.js';

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
      line: line + position.line - 1,
      column: position.line === 1 ? column + position.column - 1 : position.column,
      message: `Not valid JSON: found ${position.found}`,
    };
    return { kind: 'error', error, isRow: true };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return toRecord(value as Record<string, unknown>, text, line);
  const message = 'Row must be an object, such as {"name":"Rex","categoryId":7}';
  return { kind: 'error', error: { line, message }, isRow: true };
}

/** Rejects duplicate fields, which `JSON.parse` accepts. Keeps the source text of each value. */
function toRecord(fields: Record<string, unknown>, text: string, line: number): Parsed {
  const members = readJsonMembers(text);
  const names = new Set<string>();
  const duplicate = members.find(({ name }) => names.size === names.add(name).size)?.name;
  if (duplicate !== undefined) {
    const field = excerpt(duplicate);
    const error = { line, field, message: `Duplicate field ${JSON.stringify(field)}` };
    return { kind: 'error', error, isRow: true };
  }
  return { kind: 'record', line, fields, written: new Map(members.map(({ name, raw }) => [name, raw])) };
}
