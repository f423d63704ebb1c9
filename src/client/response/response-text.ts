import { printable } from '../../schema/control-characters.js';
import { scanJson } from '../../schema/json-scanner.js';

/** Maximum depth of arrays and objects in a response. Deeper values overflow the stack of recursive code. */
export const NESTING_MAX = 1_000;

/** Rejects invalid UTF-8, and drops a byte order mark (RFC 8259, section 8.1). */
const UTF_8 = new TextDecoder('utf-8', { fatal: true });

/** Decodes a body. Returns `undefined` if it is not UTF-8. */
export function decodeUtf8(body: Uint8Array): string | undefined {
  try {
    return UTF_8.decode(body);
  } catch {
    return undefined;
  }
}

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

/**
 * Makes untrusted text safe to print.
 *
 * @param lengthMax longer text is truncated, with an ellipsis.
 */
export function excerpt(text: string, lengthMax: number): string {
  return printable(text.length > lengthMax ? `${text.slice(0, lengthMax)}…` : text);
}
