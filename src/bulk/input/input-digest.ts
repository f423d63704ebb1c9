import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { RowPet } from '../rows/row.js';

/** Rows per block. A block is read and compared with its digest before its first row is sent. */
export const BLOCK_ROWS = 256;
const TAG_BYTES = 3;

/** The digest of a block of rows. */
export interface BlockDigest {
  /** SHA-256 of the rows' values, base64url. */
  digest: string;
  /** Three bytes per row, to find the row that has changed, base64url. */
  tags: string;
}

/**
 * The digest of an input, to detect changes. It covers the values and the order of the rows, not their spelling: blank
 * lines, quotes, the order of columns and the format do not matter.
 */
export class InputDigest {
  readonly #blocks: BlockDigest[] = [];
  #rows = 0;
  #hash: Hash | undefined;
  #tags = Buffer.alloc(BLOCK_ROWS * TAG_BYTES);

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
    this.#tags.writeUIntBE(tagOf(text), (this.#rows % BLOCK_ROWS) * TAG_BYTES, TAG_BYTES);
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
      return index * BLOCK_ROWS + differingTag(mine.tags, theirs.tags) + 1;
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
    return differingTag(expected.tags, block?.tags ?? '');
  }

  #endBlock(): void {
    const length = (this.#rows % BLOCK_ROWS || BLOCK_ROWS) * TAG_BYTES;
    this.#blocks.push({
      digest: this.#hash?.digest('base64url') ?? '',
      tags: this.#tags.toString('base64url', 0, length),
    });
    this.#hash = undefined;
  }
}

/** Returns the same text for all spellings of a row. */
function canonicalText({ name, categoryId, status }: RowPet): string {
  return `${JSON.stringify([name, String(categoryId), status ?? null])}\n`;
}

function tagOf(text: string): number {
  return crc32(text) & 0xffffff;
}

/** Returns the index of the first different tag. A tag of three bytes is four characters in base64. */
function differingTag(mine: string, theirs: string): number {
  const length = Math.min(mine.length, theirs.length);
  for (let at = 0; at < length; at += 4) {
    if (mine.slice(at, at + 4) !== theirs.slice(at, at + 4)) return at / 4;
  }
  return mine.length === theirs.length ? 0 : length / 4;
}
