import { parseJson } from '../../schema/json.js';
import { findJsonError, readJsonMembers } from '../../schema/json-inspect.js';
import { excerpt } from './check-row.js';
import { type Parsed, RECORD_MAX, type RecordParser } from './record-parser.js';

/** Reads one JSON object a line. Blank lines are skipped. */
export class NdjsonParser implements RecordParser {
  isLost = false;
  #line = 1;
  #rest = '';

  push(text: string): Parsed[] {
    const lines = text.split('\n');
    lines[0] = this.#rest + (lines[0] ?? '');
    this.#rest = lines.pop() ?? '';
    const parsed = lines.flatMap((line) => this.#read(line));
    if (this.#rest.length <= RECORD_MAX) return parsed;
    this.isLost = true;
    const fault = { line: this.#line, message: 'this line is longer than 1 MiB' };
    return [...parsed, { kind: 'fault', fault, isRow: true }];
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

/** Reads a text that should be one JSON object. `line` and `column` are where it begins. */
export function parseRecord(text: string, line: number, column = 1): Parsed {
  let value: unknown;
  try {
    value = parseJson(text);
  } catch {
    const place = findJsonError(text) ?? { line: 1, column: 1, found: 'this' };
    const fault = {
      line: line + place.line - 1,
      column: place.line === 1 ? column + place.column - 1 : place.column,
      message: `this is not JSON: did not expect ${place.found}`,
    };
    return { kind: 'fault', fault, isRow: true };
  }
  if (typeof value === 'object' && value !== null && !Array.isArray(value))
    return asRecord(value as Record<string, unknown>, text, line);
  const message = 'a row must be an object, such as {"name":"Rex","categoryId":7}';
  return { kind: 'fault', fault: { line, message }, isRow: true };
}

/** As strict as a table is: what JSON lets pass there is no room for in one. */
function asRecord(fields: Record<string, unknown>, text: string, line: number): Parsed {
  const members = readJsonMembers(text);
  const names = members.map(({ name }) => name);
  const repeated = names.find((name, index) => names.indexOf(name) < index);
  if (repeated !== undefined) {
    const field = excerpt(repeated);
    return {
      kind: 'fault',
      fault: { line, field, message: `the field ${JSON.stringify(field)} is there twice` },
      isRow: true,
    };
  }
  return { kind: 'record', line, fields, written: new Map(members.map(({ name, raw }) => [name, raw])) };
}
