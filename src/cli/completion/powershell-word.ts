// PowerShell's about_Quoting_Rules and about_Parsing: text in single quotes is literal, and a single quote in it is
// doubled. Typographic quotes count as quotes.

const SINGLE = "'\u2018\u2019\u201a\u201b";
const DOUBLE = '"\u201c\u201d\u201e';

/** Words, flags and numbers that need no quotes. Other starts may be operators. */
const BARE = /^(?:-{0,2}[A-Za-z_][\w-]*|[A-Za-z_][\w.-]*[\w-]|\d{1,19})$/;

const EVERY_SINGLE = new RegExp(`[${SINGLE}]`, 'g');

/** Quotes a text as one literal word. Safe texts stay unquoted. */
export function powershellWord(text: string): string {
  return BARE.test(text) ? text : `'${text.replace(EVERY_SINGLE, '$&$&')}'`;
}

/** Removes the quotes and backticks of a typed word. The last quote may still be open. */
export function powershellText(typed: string): string {
  let text = '';
  let open = '';
  for (let at = 0; at < typed.length; at += 1) {
    const character = typed.charAt(at);
    const kind = SINGLE.includes(character) ? SINGLE : DOUBLE.includes(character) ? DOUBLE : '';
    if (character === '`' && open !== SINGLE) text += typed.charAt((at += 1));
    else if (kind === '' || (open !== '' && kind !== open)) text += character;
    else if (open !== '' && open.includes(typed.charAt(at + 1) || ' ')) text += typed.charAt((at += 1));
    else open = open === '' ? kind : '';
  }
  return text;
}

/**
 * Returns the index of the part that PowerShell replaces: it splits a word at unquoted commas for completion, but passes
 * the whole word to the program.
 */
export function powershellJoint(typed: string): number {
  return QUOTED.test(typed) ? 0 : typed.lastIndexOf(',') + 1;
}

const QUOTED = new RegExp(`[\`${SINGLE}${DOUBLE}]`);
