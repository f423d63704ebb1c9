import { extname } from 'node:path';
import type { RowFormat } from './row.js';

/** What the name of a file says of its format, and of the delimiter of a table. */
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

/** What the first character that is not blank says; `undefined` where there is none yet. */
export function formatOfText(text: string): RowFormat | undefined {
  const first = text.trimStart().charAt(0);
  if (first === '') return undefined;
  return first === '[' ? 'json' : first === '{' ? 'ndjson' : 'csv';
}
