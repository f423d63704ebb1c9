import {
  findJsonError,
  type JsonMember,
  type Position,
  positionsIn,
  readJsonMembers,
} from '../../schema/json-inspect.js';
import { parseJson } from '../../schema/json.js';
import { isNestedTooDeeply, TOO_DEEP } from '../../schema/json-scanner.js';
import { describeDuplicate, fieldOf, isSecondCategory, plainName } from './check-row.js';
import { excerpt } from './excerpt.js';
import type { Parsed } from './row.js';

/**
 * Parses a text that must be one JSON object. Reads its names as the columns of a table are read.
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
  if (isNestedTooDeeply(text))
    return { kind: 'error', error: { line, column, message: `Row is ${TOO_DEEP}` }, isRow: true };
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
function toRecord(value: Record<string, unknown>, text: string, line: number, column: number): Parsed {
  const members = readJsonMembers(text);
  const positionAt = positionsIn(text);
  const at = ({ at }: JsonMember): Position => inInput(positionAt(at), line, column);
  let names: Set<string> | undefined;
  const isSecond = (name: string): boolean =>
    isSecondCategory(plainName(name), (names ??= new Set(members.map(({ name }) => plainName(name)))));
  const fields = new Map<string, JsonMember>();
  let isCanonical = true;
  for (const member of members) {
    const { name } = member;
    const known = fieldOf(name) ?? name;
    const field = known === 'categoryId' && name !== known && isSecond(name) ? name : known;
    isCanonical &&= field === name;
    const earlier = fields.get(field);
    if (earlier === undefined) {
      fields.set(field, member);
      continue;
    }
    const message = describeDuplicate('field', earlier.name, name, field);
    const error = { ...at(member), field: excerpt(field), message };
    return { kind: 'error', error, isRow: true };
  }
  return {
    kind: 'record',
    line,
    fields: isCanonical
      ? value
      : Object.fromEntries([...fields].map(([field, { name }]) => [field, value[name]])),
    writtenOf: (field) => fields.get(field)?.raw,
    positionOf(field) {
      const member = fields.get(field);
      return member && at(member);
    },
  };
}
