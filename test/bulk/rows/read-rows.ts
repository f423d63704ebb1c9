import { RowReader } from '../../../src/bulk/rows/row-reader.js';
import type { RowError, RowSource } from '../../../src/bulk/rows/row.js';
import { pieces } from '../../support/pieces.js';

/** Reads a text. The outcomes are `2: Rex 7 sold` for a row, and `3:5! MESSAGE` for an error in line 3, column 5. */
export async function readRows(
  text: string | Uint8Array,
  source: Partial<RowSource> = {},
  length = Infinity,
) {
  const reader = new RowReader({ path: '', name: '', ...source });
  const outcomes: string[] = [];
  const errors: RowError[] = [];
  let bytes = 0;
  for await (const batch of reader.read(pieces(text, Math.min(length, text.length + 1)))) {
    const found = [
      ...batch.rows.map(({ line, pet: { name, categoryId, status = '' } }) => ({
        line,
        text: `${String(line)}: ${JSON.stringify(name).slice(1, -1)} ${String(categoryId)} ${status}`.trimEnd(),
      })),
      ...batch.errors.map(({ line, column, message }) => ({
        line,
        text: `${String(line)}${column === undefined ? '' : `:${String(column)}`}! ${message}`,
      })),
    ];
    outcomes.push(...found.sort((one, other) => one.line - other.line).map((each) => each.text));
    errors.push(...batch.errors);
    bytes = batch.bytes;
  }
  return { reader, outcomes, errors, bytes };
}
