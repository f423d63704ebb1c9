/** Counts line breaks: CRLF, LF and CR. */
export function countBreaks(text: string): number {
  return text.match(/\r\n|\r|\n/g)?.length ?? 0;
}

/** Returns the position of an offset in a record that begins at `line`. */
export function positionIn(record: string, at: number, line: number): { line: number; column: number } {
  const lines = record.slice(0, at).split(/\r\n|\r|\n/);
  return { line: line + lines.length - 1, column: (lines.at(-1)?.length ?? 0) + 1 };
}

/** Returns the offset of a cell in a record without wrong quotes. */
export function cellStart(record: string, index: number, delimiter: string): number {
  let at = 0;
  for (let cell = 0; cell < index; cell += 1) {
    const from = record.charAt(at) === '"' ? closingQuote(record, at) : at;
    at = record.indexOf(delimiter, from) + delimiter.length;
  }
  return at;
}

/** A quote that RFC 4180 does not allow. */
export interface QuoteError {
  /** Offset in the record. */
  at: number;
  message: string;
  /** Whether the quote is never closed. */
  isOpen: boolean;
}

/** Finds the first wrong quote in the text of a record. */
export function findQuoteError(record: string, delimiter: string): QuoteError | undefined {
  for (let at = 0; ;) {
    if (record.charAt(at) === '"') {
      const close = closingQuote(record, at);
      if (close === -1) return { at, message: 'Quote is opened here and not closed', isOpen: true };
      at = close + 1;
      if (at < record.length && !record.startsWith(delimiter, at))
        return {
          at,
          message: 'Text after a closing quote; double each quote inside a quoted cell',
          isOpen: false,
        };
    }
    const next = record.indexOf(delimiter, at);
    const cell = record.slice(at, next === -1 ? undefined : next);
    const quote = cell.indexOf('"');
    if (quote !== -1) {
      const message =
        cell.slice(0, quote).trim() === ''
          ? 'Blank before a quoted cell; remove it'
          : 'Quote inside an unquoted cell; quote the whole cell and double the quotes inside it';
      return { at: at + quote, message, isOpen: false };
    }
    if (next === -1) return undefined;
    at = next + delimiter.length;
  }
}

function closingQuote(record: string, open: number): number {
  let quote = record.indexOf('"', open + 1);
  while (quote !== -1 && record.charAt(quote + 1) === '"') quote = record.indexOf('"', quote + 2);
  return quote;
}
