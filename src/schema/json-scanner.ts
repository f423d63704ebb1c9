/** Receives the tokens of a text in order. Offsets are UTF-16 units; `end` is exclusive. */
export interface JsonHandler {
  openObject?(at: number): void;
  openArray?(at: number): void;
  /** A closing bracket or brace. */
  close?(at: number): void;
  /** The name of a member, with its quotes. */
  name?(from: number, end: number): void;
  /** A string, with its quotes. */
  string?(from: number, end: number): void;
  /** A number, `true`, `false` or `null`. */
  literal?(from: number, end: number): void;
}

const LITERAL = /true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const ESCAPE = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y;

const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_ARRAY = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/**
 * Scans a text by the grammar of `JSON.parse`. Not recursive, because deep nesting would overflow the stack.
 *
 * @returns the offset of the first character or literal that is not JSON; `undefined` if the text is JSON.
 */
export function scanJson(text: string, handler: JsonHandler): number | undefined {
  /** The closing characters of the open arrays and objects. */
  const open: number[] = [];
  let at = skipBlank(text, 0);
  for (;;) {
    const code = text.charCodeAt(at);
    const isOpening = code === OPEN_OBJECT || code === OPEN_ARRAY;
    if (isOpening) {
      if (code === OPEN_OBJECT) handler.openObject?.(at);
      else handler.openArray?.(at);
      open.push(code === OPEN_OBJECT ? CLOSE_OBJECT : CLOSE_ARRAY);
      at = skipBlank(text, at + 1);
    } else {
      const end = code === QUOTE ? endOfString(text, at) : endOfLiteral(text, at);
      if (end < 0) return ~end;
      if (code === QUOTE) handler.string?.(at, end);
      else handler.literal?.(at, end);
      at = skipBlank(text, end);
    }
    // After a value or an opening bracket: read closing brackets, commas and names up to the next value.
    let isFirst = isOpening;
    for (;;) {
      const closing = open.at(-1);
      if (closing === undefined) return at === text.length ? undefined : at;
      const next = text.charCodeAt(at);
      if (next === closing) {
        handler.close?.(at);
        open.pop();
        at = skipBlank(text, at + 1);
        isFirst = false;
        continue;
      }
      if (!isFirst) {
        if (next !== COMMA) return at;
        at = skipBlank(text, at + 1);
      }
      if (closing === CLOSE_ARRAY) break;
      const end = text.charCodeAt(at) === QUOTE ? endOfString(text, at) : ~at;
      if (end < 0) return ~end;
      handler.name?.(at, end);
      at = skipBlank(text, end);
      if (text.charCodeAt(at) !== COLON) return at;
      at = skipBlank(text, at + 1);
      break;
    }
  }
}

/** Maximum depth of arrays and objects of JSON from outside. Deeper values overflow the stack of recursive code. */
export const NESTING_MAX = 1_000;

/** What is wrong with such JSON, after "is". A literal: the first use of Intl takes 14 ms, and every command loads this. */
export const TOO_DEEP = 'nested more than 1,000 levels deep';

/**
 * Checks whether a JSON text is nested deeper than `NESTING_MAX`. Reads only long texts with many brackets, because each
 * level takes two characters.
 */
export function isNestedTooDeeply(text: string): boolean {
  if (text.length <= 2 * NESTING_MAX) return false;
  const arrays = countUpTo(NESTING_MAX + 1, '[', text);
  if (arrays + countUpTo(NESTING_MAX + 1 - arrays, '{', text) <= NESTING_MAX) return false;
  return depthOf(text) > NESTING_MAX;
}

function countUpTo(countMax: number, character: string, text: string): number {
  let count = 0;
  for (
    let at = text.indexOf(character);
    at !== -1 && count < countMax;
    at = text.indexOf(character, at + 1)
  ) {
    count += 1;
  }
  return count;
}

/** Returns the depth of a JSON text. Not recursive. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  const open = (): void => {
    deepest = Math.max(deepest, (depth += 1));
  };
  const close = (): void => {
    depth -= 1;
  };
  scanJson(text, { openObject: open, openArray: open, close });
  return deepest;
}

function skipBlank(text: string, from: number): number {
  let at = from;
  for (;;) {
    const code = text.charCodeAt(at);
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return at;
    at += 1;
  }
}

/** Returns the offset after the closing quote; in an invalid string, the complement (`~`) of the offset of the error. */
function endOfString(text: string, open: number): number {
  for (let at = open + 1; at < text.length;) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) return at + 1;
    if (code < 0x20) return ~at;
    if (code === BACKSLASH) {
      ESCAPE.lastIndex = at;
      if (!ESCAPE.test(text)) return ~at;
      at = ESCAPE.lastIndex;
    } else {
      at += 1;
    }
  }
  return ~text.length;
}

/** Returns the offset after a number, `true`, `false` or `null`; for other text, the complement of its offset. */
function endOfLiteral(text: string, from: number): number {
  LITERAL.lastIndex = from;
  return LITERAL.test(text) ? LITERAL.lastIndex : ~from;
}
