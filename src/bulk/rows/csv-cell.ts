/** Text that a spreadsheet runs as a formula, with or without guards. */
const FORMULA = /^'*[=+\-@\t\r]/;
const PLAIN_NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[+-]?\d+)?$/i;

/**
 * Puts a `'` before text that a spreadsheet runs as a formula. Guarded text gets one more, so `unguardFormula` always
 * restores the original.
 */
export function guardFormula(text: string): string {
  return FORMULA.test(text) && !PLAIN_NUMBER.test(text) ? `'${text}` : text;
}

/** Removes the `'` that `guardFormula` adds. */
export function unguardFormula(text: string): string {
  const bare = text.slice(1);
  return text.startsWith("'") && FORMULA.test(bare) && !PLAIN_NUMBER.test(bare) ? bare : text;
}

/** Formats a record (RFC 4180) with the given delimiter. */
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
