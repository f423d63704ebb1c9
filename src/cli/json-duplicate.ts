/** A member that an object names a second time. Line and column count from 1. */
export interface JsonDuplicate {
  name: string;
  line: number;
  column: number;
}

/** A string, or what opens, closes or names. Numbers and literals lie between. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:]/g;

/**
 * Finds the first name that comes twice in one object. `JSON.parse` takes the last of them without a word, and a person
 * who edits the first wonders why nothing changes.
 *
 * @param text JSON; of anything else the answer means nothing.
 */
export function findJsonDuplicate(text: string): JsonDuplicate | undefined {
  // The names of each open object; of a list, which has none, nothing.
  const open: (Set<string> | undefined)[] = [];
  let last: RegExpExecArray | undefined;
  for (const token of text.matchAll(TOKEN)) {
    const [found] = token;
    if (found === '{') open.push(new Set());
    else if (found === '[') open.push(undefined);
    else if (found === '}' || found === ']') open.pop();
    else if (found === ':' && last !== undefined) {
      const names = open.at(-1);
      const name = String(JSON.parse(last[0]));
      if (names?.has(name) === true) return { name, ...placeOf(text, last.index) };
      names?.add(name);
    } else last = token;
  }
  return undefined;
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, at);
  return { line: before.split('\n').length, column: at - before.lastIndexOf('\n') };
}
