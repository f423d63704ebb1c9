import { createHash, type Hash, hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { OPTIONAL_ENTRIES } from '../../schema/pet-reader.js';
import { BulkError } from '../job/bulk-error.js';
import { RowReader } from '../rows/row-reader.js';
import type { Row, RowPet, RowSource } from '../rows/row.js';
import { readBytes } from './input-file.js';

/** Rows per block. A block is read and compared with its digest before its first row is sent. */
export const BLOCK_ROWS = 256;
/** A CRC-32 without its first byte, then the start of a SHA-256. */
export const TAG_BYTES = 9;
const CRC_BYTES = 3;

/** The digest of a block of rows. */
export interface BlockDigest {
  /** SHA-256 of the rows' values, base64url. */
  digest: string;
  /**
   * Nine bytes per row, to find the row that has changed and rows that occur in another input. Not a string: a million
   * rows would take 12 MB of the heap, and V8 reserves a multiple of that.
   */
  tags: Buffer;
}

/**
 * The digest of an input, to detect changes. It covers the values and the order of the rows, not their spelling. Blank
 * lines, quotes, the order of columns and the format do not matter.
 */
export class InputDigest {
  readonly #blocks: BlockDigest[] = [];
  #rows = 0;
  #hash: Hash | undefined;
  #tags = Buffer.alloc(BLOCK_ROWS * TAG_BYTES);
  readonly #known: InputDigest | undefined;

  /** @param known shares its equal blocks, which saves memory. */
  constructor(known?: InputDigest) {
    this.#known = known;
  }

  /** Restores a digest from its blocks in a journal. */
  static of(rows: number, blocks: readonly BlockDigest[]): InputDigest {
    const digest = new InputDigest();
    digest.#rows = rows;
    digest.#blocks.push(...blocks);
    return digest;
  }

  get rows(): number {
    return this.#rows;
  }

  get blocks(): readonly BlockDigest[] {
    return this.#blocks;
  }

  /** Adds the next row. */
  add(pet: RowPet): void {
    const text = canonicalText(pet);
    this.#hash ??= createHash('sha256');
    this.#hash.update(text);
    const at = (this.#rows % BLOCK_ROWS) * TAG_BYTES;
    this.#tags.writeUIntBE(crc32(text) & 0xffffff, at, CRC_BYTES);
    hash('sha256', text, 'buffer').copy(this.#tags, at + CRC_BYTES, 0, TAG_BYTES - CRC_BYTES);
    this.#rows += 1;
    if (this.#rows % BLOCK_ROWS === 0) this.#endBlock();
  }

  /** Ends the last block. Call it after the last row. */
  end(): this {
    if (this.#hash !== undefined) this.#endBlock();
    return this;
  }

  /** Returns the first row, from 1, that differs from another input; `undefined` if both are equal. */
  firstDifference(other: InputDigest): number | undefined {
    const common = Math.min(this.blocks.length, other.blocks.length);
    for (let index = 0; index < common; index += 1) {
      const [mine, theirs] = [this.blocks[index], other.blocks[index]];
      if (mine === undefined || theirs === undefined || mine.digest === theirs.digest) continue;
      const differs = differingRow(mine.tags, theirs.tags, this.#rowsIn(index), other.#rowsIn(index));
      return index * BLOCK_ROWS + differs + 1;
    }
    return this.rows === other.rows ? undefined : Math.min(this.rows, other.rows) + 1;
  }

  /** Compares rows with a block. Returns the index of the first different row in the block. Indexes start at 0. */
  differenceInBlock(index: number, pets: readonly RowPet[]): number | undefined {
    const actual = new InputDigest();
    for (const pet of pets) actual.add(pet);
    const [block] = actual.end().blocks;
    const expected = this.blocks[index];
    if (expected === undefined || block?.digest === expected.digest) return undefined;
    return differingRow(expected.tags, block?.tags ?? Buffer.of(), this.#rowsIn(index), pets.length);
  }

  /** Returns a number for each row, which is the same for equal rows. */
  rowKeys(): BigInt64Array {
    const keys = new BigInt64Array(this.rows);
    for (const [index, { tags }] of this.blocks.entries())
      for (let at = 0; at < this.#rowsIn(index); at += 1)
        keys[index * BLOCK_ROWS + at] = tags.readBigInt64BE(at * TAG_BYTES + 1);
    return keys;
  }

  #rowsIn(index: number): number {
    return Math.min(this.rows - index * BLOCK_ROWS, BLOCK_ROWS);
  }

  #endBlock(): void {
    const length = (this.#rows % BLOCK_ROWS || BLOCK_ROWS) * TAG_BYTES;
    const digest = this.#hash?.digest('base64url') ?? '';
    const known = this.#known?.blocks[this.#blocks.length];
    const tags = this.#tags.subarray(0, length);
    const isEqual = known?.digest === digest && known.tags.equals(tags);
    this.#blocks.push(isEqual ? known : { digest, tags: Buffer.from(tags) });
    this.#hash = undefined;
  }
}

/** Returns the same text for all spellings of a row, and for a row without newer fields the same as earlier versions. */
function canonicalText(pet: RowPet): string {
  const optional = OPTIONAL_ENTRIES.map(([field]) => pet[field] ?? null);
  while (optional.length > 1 && optional.at(-1) === null) optional.pop();
  return `${JSON.stringify([pet.name, String(pet.categoryId), ...optional])}\n`;
}

/** Returns the index of the first row of a block with another tag. */
function differingRow(mine: Buffer, theirs: Buffer, myRows: number, theirRows: number): number {
  const rows = Math.min(myRows, theirRows);
  const tag = (tags: Buffer, row: number): Buffer => tags.subarray(row * TAG_BYTES, (row + 1) * TAG_BYTES);
  for (let row = 0; row < rows; row += 1) if (!tag(mine, row).equals(tag(theirs, row))) return row;
  return myRows === theirRows ? 0 : rows;
}

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
  const changed = line === undefined ? `The rows of ${name} have` : `Line ${String(line)} of ${name} has`;
  return new BulkError('input-changed', `${changed} changed since the import started`, { line });
}
