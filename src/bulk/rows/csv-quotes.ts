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
    const quote = record.slice(at, next === -1 ? undefined : next).indexOf('"');
    if (quote !== -1) {
      const message = 'Quote inside an unquoted cell; quote the whole cell and double the quotes inside it';
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
