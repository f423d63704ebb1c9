/** What a spreadsheet would run, however many guards stand before it. */
const FORMULA = /^'*[=+\-@\t\r]/;
const PLAIN_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * The text of a cell as the command line's own CSV has it: what a spreadsheet would run gets a leading `'`. One that
 * has such a guard already gets another, so that `unguarded` always gives back what was there.
 */
export function guarded(text: string): string {
  return FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}

/** Takes the guard off again. */
export function unguarded(text: string): string {
  const bare = text.slice(1);
  return text.startsWith("'") && FORMULA.test(bare) && !PLAIN_NUMBER.test(bare) ? bare : text;
}

/** One line of RFC 4180, with another delimiter where one is asked for. */
export function csvLine(cells: readonly string[], delimiter: string): string {
  const line = cells.map((cell) => (mustQuote(cell, delimiter) ? quoted(cell) : cell)).join(delimiter);
  return `${line}\r\n`;
}

function mustQuote(cell: string, delimiter: string): boolean {
  return cell.includes(delimiter) || /["\r\n]/.test(cell);
}

function quoted(cell: string): string {
  return `"${cell.replaceAll('"', '""')}"`;
}
