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
  for (let index = 0; index < typed.length; index += 1) {
    const character = typed.charAt(index);
    const kind = SINGLE.includes(character) ? SINGLE : DOUBLE.includes(character) ? DOUBLE : '';
    if (character === '`' && open !== SINGLE) text += typed.charAt((index += 1));
    else if (kind === '' || (open !== '' && kind !== open)) text += character;
    else if (open !== '' && open.includes(typed.charAt(index + 1) || ' ')) text += typed.charAt((index += 1));
    else open = open === '' ? kind : '';
  }
  return text;
}

/**
 * Returns where the part that PowerShell replaces starts. PowerShell replaces only the part after the last unquoted comma,
 * but passes the whole word to the program.
 */
export function powershellPartStart(typed: string): number {
  return QUOTED.test(typed) ? 0 : typed.lastIndexOf(',') + 1;
}

const QUOTED = new RegExp(`[\`${SINGLE}${DOUBLE}]`);
