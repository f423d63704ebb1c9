/** Where a text stops being JSON. Both count from 1. */
export interface JsonFault {
  line: number;
  column: number;
  /** What stands there, in words. */
  found: string;
}

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const STRING = /"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y;
const BLANK = /[ \t\r\n]*/y;

/**
 * Finds the first place at which a text is not JSON. Node's own message names a position in some versions and for some
 * faults only; a person who edits a file needs line and column for all of them.
 *
 * @returns `undefined` where the text is JSON.
 */
export function findJsonFault(text: string): JsonFault | undefined {
  let at = 0;
  const match = (pattern: RegExp): boolean => {
    pattern.lastIndex = at;
    if (!pattern.test(text)) return false;
    at = pattern.lastIndex;
    return true;
  };
  const character = (wanted: string): boolean => {
    match(BLANK);
    if (text[at] !== wanted) return false;
    at += 1;
    return true;
  };
  const memberName = (): boolean => (match(BLANK), match(STRING)) && character(':');
  // The brackets that are open. Not by recursion: a text may be nested deeper than the stack is.
  const open: ('[' | '{')[] = [];
  /** Reads up to the next place where a value must follow; false where a fault comes first, or the end. */
  const beginValue = (): boolean => {
    if (character('[')) {
      if (character(']')) return endValue();
      open.push('[');
      return true;
    }
    if (character('{')) {
      if (character('}')) return endValue();
      open.push('{');
      return memberName();
    }
    return (match(STRING) || match(LITERAL)) && endValue();
  };
  const endValue = (): boolean => {
    for (let bracket = open.at(-1); bracket !== undefined; bracket = open.at(-1)) {
      if (character(',')) return bracket === '[' || memberName();
      if (!character(bracket === '[' ? ']' : '}')) return false;
      open.pop();
    }
    match(BLANK);
    isWhole = at === text.length;
    return false;
  };
  let isWhole = false;
  while (beginValue());
  return isWhole ? undefined : describe(text, at);
}

function describe(text: string, at: number): JsonFault {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const column = at - (before.lastIndexOf('\n') + 1) + 1;
  const character = /^./su.exec(text.slice(at, at + 2))?.[0];
  return { line, column, found: character === undefined ? 'the end of the file' : JSON.stringify(character) };
}
