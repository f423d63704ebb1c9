/**
 * Words of PowerShell, by about_Quoting_Rules and about_Parsing: between single quotes all is literal, and such a quote
 * is written twice. Typographic quotes count as quotes, single and double.
 */

const SINGLE = "'\u2018\u2019\u201a\u201b";
const DOUBLE = '"\u201c\u201d\u201e';

/** Words, flags and numbers, which stand for themselves without quotes: what begins otherwise may be an operator. */
const BARE = /^(?:-{0,2}[A-Za-z_][\w-]*|[A-Za-z_][\w.-]*[\w-]|\d{1,19})$/;

const EVERY_SINGLE = new RegExp(`[${SINGLE}]`, 'g');

/** A text as one literal word: as it is where that is safe, else in single quotes. */
export function powershellWord(text: string): string {
  return BARE.test(text) ? text : `'${text.replace(EVERY_SINGLE, '$&$&')}'`;
}

/** What a typed word says, its quotes and backticks taken away. It may end within a quote. */
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
 * Where the part of a word begins that PowerShell replaces: after the last comma that is not quoted, for it takes the word
 * apart there, and hands it to a program as a whole all the same.
 */
export function powershellJoint(typed: string): number {
  return QUOTED.test(typed) ? 0 : typed.lastIndexOf(',') + 1;
}

const QUOTED = new RegExp(`[\`${SINGLE}${DOUBLE}]`);
