import { printable, quote } from './control-characters.js';
import { scanJson } from './json-scanner.js';

/** A position in a text. Both count from 1; columns count UTF-16 units. */
export interface Position {
  line: number;
  column: number;
}

/** The first error in a JSON text. */
export interface JsonError extends Position {
  /** The unexpected character in quotes or by its name, an invalid escape, or `the end of the text`. */
  found: string;
}

/**
 * Finds the first character or literal that makes a text invalid JSON. Node's own error has a position only in some
 * versions and for some errors.
 *
 * @returns `undefined` if the text is JSON.
 */
export function findJsonError(text: string): JsonError | undefined {
  const at = scanJson(text, {});
  if (at === undefined) return undefined;
  return { ...positionsIn(text)(at), found: describeCharacter(text, at) };
}

/** White space that JSON allows only between tokens. */
const IN_STRINGS = new Map([
  ['\n', 'a line break in a string'],
  ['\r', 'a line break in a string'],
  ['\t', 'a tab in a string'],
]);

function describeCharacter(text: string, at: number): string {
  const [character, next = ''] = text.slice(at, at + 3);
  if (character === undefined) return 'the end of the text';
  if (character === '\\') return `the escape ${printable(character + next)}`;
  const named = IN_STRINGS.get(character);
  if (named !== undefined) return named;
  return character < ' '
    ? `U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`
    : quote(character);
}

/** A duplicate name in an object. The position is that of the second one. */
export interface JsonDuplicate extends Position {
  name: string;
}

/**
 * Finds the first duplicate name in an object, at any depth. `JSON.parse` keeps the last value without an error, so a
 * person who edits the first one sees no effect.
 *
 * @param text valid JSON.
 * @returns `undefined` if all names are unique.
 */
export function findJsonDuplicate(text: string): JsonDuplicate | undefined {
  /** The names of each open object; `undefined` for an array. */
  const open: (Set<string> | undefined)[] = [];
  let duplicate: JsonDuplicate | undefined;
  scanJson(text, {
    openObject: () => open.push(new Set()),
    openArray: () => open.push(undefined),
    close: () => open.pop(),
    name(from, end) {
      const name = parseName(text, from, end);
      const names = open.at(-1);
      if (names?.has(name) === true) duplicate ??= { name, ...positionsIn(text)(from) };
      names?.add(name);
    },
  });
  return duplicate;
}

/** A member of an object, with its source text. */
export interface JsonMember {
  name: string;
  /** The offset of the name. */
  at: number;
  /** The source text of the value, without surrounding blanks. */
  raw: string;
}

/**
 * Returns the members of a JSON object in order, without those of nested objects. Unlike `JSON.parse`, keeps duplicate
 * names and the spelling of numbers.
 *
 * @param text a valid JSON object.
 */
export function readJsonMembers(text: string): JsonMember[] {
  const members: JsonMember[] = [];
  let depth = 0;
  let name = '';
  let nameAt = 0;
  let valueAt = 0;
  const open = (at: number): void => {
    if (depth === 1) valueAt = at;
    depth += 1;
  };
  const value = (from: number, end: number): void => {
    if (depth === 1) members.push({ name, at: nameAt, raw: text.slice(from, end) });
  };
  scanJson(text, {
    openObject: open,
    openArray: open,
    close(at) {
      depth -= 1;
      value(valueAt, at + 1);
    },
    name(from, end) {
      if (depth === 1) [name, nameAt] = [parseName(text, from, end), from];
    },
    string: value,
    literal: value,
  });
  return members;
}

/** Parses a name, so that two spellings such as `a` and `\u0061` are equal. */
function parseName(text: string, from: number, end: number): string {
  return String(JSON.parse(text.slice(from, end)));
}

/** Returns a function that returns the position of an offset. The text is searched once for all offsets. */
export function positionsIn(text: string): (at: number) => Position {
  let starts: number[] | undefined;
  return (at) => {
    starts ??= [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)];
    let [line, after] = [0, starts.length];
    while (after - line > 1) {
      const middle = (line + after) >> 1;
      if ((starts[middle] ?? 0) <= at) line = middle;
      else after = middle;
    }
    return { line: line + 1, column: at - (starts[line] ?? 0) + 1 };
  };
}
