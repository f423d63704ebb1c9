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
