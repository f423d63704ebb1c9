/** A member of an object, as it is written. */
export interface JsonMember {
  /** Read, so that two spellings of one name are the same. */
  name: string;
  /** The text of the value, blanks around it left out. */
  raw: string;
}

/** A member that an object names a second time. Line and column count from 1. */
export interface JsonDuplicate {
  name: string;
  line: number;
  column: number;
}

/**
 * The members of a JSON object in their order, those of objects within it left out. What `JSON.parse` does not tell is in
 * it: that a name comes twice, and how a number is written.
 *
 * @param text one JSON object; of anything else the answer means nothing.
 */
export function readJsonMembers(text: string): JsonMember[] {
  const members: JsonMember[] = [];
  let depth = 0;
  let name: JsonMark | undefined;
  let valueAt = -1;
  for (const mark of marksIn(text)) {
    const { kind } = mark;
    if (depth === 1) {
      if (kind === '"' && valueAt === -1) name = mark;
      else if (kind === ':') valueAt = mark.end;
      else if ((kind === ',' || kind === '}') && name !== undefined && valueAt !== -1) {
        members.push({ name: nameOf(name, text), raw: text.slice(valueAt, mark.at).trim() });
        valueAt = -1;
      }
    }
    if (kind === '{' || kind === '[') depth += 1;
    else if (kind === '}' || kind === ']') depth -= 1;
  }
  return members;
}

/**
 * Finds the first name that comes twice in one object, at any depth. `JSON.parse` takes the last of them without a word,
 * and a person who edits the first wonders why nothing changes.
 *
 * @param text JSON; of anything else the answer means nothing.
 */
export function findJsonDuplicate(text: string): JsonDuplicate | undefined {
  // The names of each open object; of a list, which has none, nothing.
  const open: (Set<string> | undefined)[] = [];
  let last: JsonMark | undefined;
  for (const mark of marksIn(text)) {
    const { kind } = mark;
    if (kind === '"') last = mark;
    else if (kind === '{') open.push(new Set());
    else if (kind === '[') open.push(undefined);
    else if (kind === '}' || kind === ']') open.pop();
    else if (kind === ':' && last !== undefined) {
      const names = open.at(-1);
      const name = nameOf(last, text);
      if (names?.has(name) === true) return { name, ...placeOf(text, last.at) };
      names?.add(name);
    }
  }
  return undefined;
}

/** What gives a text its shape: a string, or a character that opens, closes, names or parts. */
interface JsonMark {
  kind: '"' | '{' | '}' | '[' | ']' | ':' | ',';
  at: number;
  /** Behind it. */
  end: number;
}

/** Numbers and literals lie between the marks. */
function* marksIn(text: string): Generator<JsonMark> {
  for (let at = 0; at < text.length; at += 1) {
    const kind = text.charAt(at);
    switch (kind) {
      case '"': {
        const end = endOfString(text, at);
        yield { kind, at, end };
        at = end - 1;
        break;
      }
      case '{':
      case '}':
      case '[':
      case ']':
      case ':':
      case ',':
        yield { kind, at, end: at + 1 };
    }
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Behind the quote that closes the string which opens here. No regular expression: one overflows on megabytes. */
function endOfString(text: string, open: number): number {
  let at = open + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}

function nameOf({ at, end }: JsonMark, text: string): string {
  return String(JSON.parse(text.slice(at, end)));
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}
