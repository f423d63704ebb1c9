import { BulkError } from './bulk-error.js';
import { BLOCK_ROWS, type InputDigest } from './input-digest.js';
import { readBytes } from './input-file.js';
import type { Row } from './row.js';
import { RowReader, type RowSource } from './row-reader.js';

/**
 * The rows of a file that was checked before, those that are wanted, in order. A block of rows is compared with what was
 * checked before any of it is handed over, so that nothing is sent that nobody has checked.
 *
 * @throws BulkError `input-changed` with the first line that differs.
 */
export async function* verifiedRows(
  source: RowSource,
  digest: InputDigest,
  isWanted: (row: number) => boolean,
): AsyncGenerator<Row> {
  const reader = new RowReader(source);
  let block: Row[] = [];
  let blockIndex = 0;
  const endBlock = (): Row[] => {
    const differs = digest.differenceInBlock(
      blockIndex,
      block.map(({ pet }) => pet),
    );
    if (differs !== undefined) throw changed(source.name, (block[differs] ?? block.at(-1))?.line);
    const wanted = block.filter(({ row }) => isWanted(row));
    block = [];
    blockIndex += 1;
    return wanted;
  };
  for await (const { rows, faults } of reader.read(readBytes(source.path))) {
    for (const row of rows) {
      if (row.row > digest.rows) throw changed(source.name, row.line);
      block.push(row);
      if (block.length === BLOCK_ROWS) yield* endBlock();
    }
    if (faults[0] !== undefined) throw changed(source.name, faults[0].line);
  }
  if (blockIndex * BLOCK_ROWS + block.length < digest.rows) throw changed(source.name, block.at(-1)?.line);
  if (block.length > 0) yield* endBlock();
}

/** The line on which a row begins; `undefined` where there is no such row. */
export async function lineOfRow(source: RowSource, wanted: number): Promise<number | undefined> {
  let last: number | undefined;
  for await (const { rows } of new RowReader(source).read(readBytes(source.path))) {
    const row = rows.find((each) => each.row >= wanted);
    if (row !== undefined) return row.line;
    last = rows.at(-1)?.line ?? last;
  }
  return last;
}

/** The error for an input that is not what it was. */
export function changed(name: string, line: number | undefined): BulkError {
  const place = line === undefined ? '' : `; line ${String(line)} is the first that differs`;
  return new BulkError('input-changed', `${name} is not what this import was begun with${place}`, { line });
}
