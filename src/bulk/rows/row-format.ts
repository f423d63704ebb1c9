import { extname } from 'node:path';
import type { RowFormat } from './row.js';

/** Detects the format, and the delimiter of a table, from a file name. */
export function formatOfName(path: string): { format: RowFormat; delimiter?: string } | undefined {
  switch (extname(path).toLowerCase()) {
    case '.csv':
      return { format: 'csv' };
    case '.tsv':
      return { format: 'csv', delimiter: '\t' };
    case '.json':
      return { format: 'json' };
    case '.ndjson':
    case '.jsonl':
      return { format: 'ndjson' };
    default:
      return undefined;
  }
}

/** Detects the format from the first character that is not blank; `undefined` if there is none yet. */
export function formatOfText(text: string): RowFormat | undefined {
  const first = text.trimStart().charAt(0);
  if (first === '') return undefined;
  return first === '[' ? 'json' : first === '{' ? 'ndjson' : 'csv';
}
