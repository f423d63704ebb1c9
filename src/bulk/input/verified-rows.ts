import { BulkError } from '../bulk-error.js';
import { BLOCK_ROWS, type InputDigest } from './input-digest.js';
import { readBytes } from './input-file.js';
import type { Row } from '../rows/row.js';
import { RowReader, type RowSource } from '../rows/row-reader.js';

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
  let block: Row[] = [];
  let blockIndex = 0;
  let lastLine: number | undefined;
  /** Refuses what differs of the rows of this block; of one that is not whole only what is there. */
  const verify = (): void => {
    const differs = digest.differenceInBlock(
      blockIndex,
      block.map(({ pet }) => pet),
    );
    const row = differs === undefined ? undefined : block[differs];
    if (row !== undefined) throw changed(source.name, row.line);
  };
  for await (const { rows, faults } of new RowReader(source).read(readBytes(source.path))) {
    const [fault] = faults;
    for (const row of rows.filter(({ line }) => line < (fault?.line ?? Infinity))) {
      if (row.row > digest.rows) throw changed(source.name, row.line);
      block.push(row);
      lastLine = row.line;
      if (block.length < BLOCK_ROWS) continue;
      verify();
      yield* block.filter((each) => isWanted(each.row));
      block = [];
      blockIndex += 1;
    }
    if (fault !== undefined) {
      verify();
      throw changed(source.name, fault.line);
    }
  }
  verify();
  if (blockIndex * BLOCK_ROWS + block.length < digest.rows) throw changed(source.name, lastLine);
  yield* block.filter((each) => isWanted(each.row));
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
