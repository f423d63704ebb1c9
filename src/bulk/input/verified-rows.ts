import { BulkError } from '../bulk-error.js';
import { RowReader, type RowSource } from '../rows/row-reader.js';
import type { Row } from '../rows/row.js';
import { BLOCK_ROWS, type InputDigest } from './input-digest.js';
import { readBytes } from './input-file.js';

/**
 * Yields the wanted rows of a checked file, in order. Compares each block of rows with its digest before it yields one
 * of them, so no unchecked row is sent.
 *
 * @throws BulkError `input-changed` with the first different line.
 */
export async function* readVerifiedRows(
  source: RowSource,
  digest: InputDigest,
  isWanted: (row: number) => boolean,
): AsyncGenerator<Row> {
  let block: Row[] = [];
  let blockIndex = 0;
  let lastLine: number | undefined;
  /** Throws if a row of the current block differs. */
  const verify = (): void => {
    const differs = digest.differenceInBlock(
      blockIndex,
      block.map(({ pet }) => pet),
    );
    const row = differs === undefined ? undefined : block[differs];
    if (row !== undefined) throw inputChanged(source.name, row.line);
  };
  for await (const { rows, errors } of new RowReader(source).read(readBytes(source.path))) {
    const [error] = errors;
    for (const row of rows.filter(({ line }) => line < (error?.line ?? Infinity))) {
      if (row.row > digest.rows) throw inputChanged(source.name, row.line);
      block.push(row);
      lastLine = row.line;
      if (block.length < BLOCK_ROWS) continue;
      verify();
      yield* block.filter((each) => isWanted(each.row));
      block = [];
      blockIndex += 1;
    }
    if (error !== undefined) {
      verify();
      throw inputChanged(source.name, error.line);
    }
  }
  verify();
  if (blockIndex * BLOCK_ROWS + block.length < digest.rows) throw inputChanged(source.name, lastLine);
  yield* block.filter((each) => isWanted(each.row));
}

/** Returns the line on which a row begins; the last row's line if the row does not exist. */
export async function findLineOfRow(source: RowSource, wanted: number): Promise<number | undefined> {
  let last: number | undefined;
  for await (const { rows } of new RowReader(source).read(readBytes(source.path))) {
    const row = rows.find((each) => each.row >= wanted);
    if (row !== undefined) return row.line;
    last = rows.at(-1)?.line ?? last;
  }
  return last;
}

/** Creates the error for an input that has changed. */
export function inputChanged(name: string, line: number | undefined): BulkError {
  const position = line === undefined ? '' : `: line ${String(line)} differs`;
  return new BulkError('input-changed', `${name} has changed since the import started${position}`, { line });
}
