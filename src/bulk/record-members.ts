/** A member of an object, as it is written. */
export interface RecordMember {
  /** Read, so that two spellings of one name are the same. */
  name: string;
  /** The text of the value, blanks around it left out. */
  raw: string;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * The members of a JSON object in their order, those of objects within it left out. What `JSON.parse` does not tell is in
 * it: that a name comes twice, and how a number is written.
 *
 * @param text one JSON object; of anything else the answer means nothing.
 */
export function readMembers(text: string): RecordMember[] {
  const members: RecordMember[] = [];
  let depth = 0;
  let name = '';
  let valueAt = -1;
  for (let at = 0; at < text.length; at += 1) {
    if (text.charCodeAt(at) === QUOTE) {
      const end = endOfString(text, at);
      if (depth === 1 && valueAt === -1) name = text.slice(at, end);
      at = end - 1;
      continue;
    }
    const character = text.charAt(at);
    if (character === ':' && depth === 1) valueAt = at + 1;
    if ((character === ',' || character === '}') && depth === 1 && valueAt !== -1) {
      members.push({ name: String(JSON.parse(name)), raw: text.slice(valueAt, at).trim() });
      valueAt = -1;
    }
    if (character === '{' || character === '[') depth += 1;
    else if (character === '}' || character === ']') depth -= 1;
  }
  return members;
}

/** Behind the quote that closes the string which opens here. No regular expression: one overflows on megabytes. */
function endOfString(text: string, open: number): number {
  let at = open + 1;
  while (at < text.length && text.charCodeAt(at) !== QUOTE) at += text.charCodeAt(at) === BACKSLASH ? 2 : 1;
  return at + 1;
}
