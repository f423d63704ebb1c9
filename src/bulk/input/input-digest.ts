import { createHash, type Hash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import type { RowPet } from '../rows/row.js';

/** Rows that share a digest. So many are read and compared before the first of them is sent. */
export const BLOCK_ROWS = 256;
const TAG_BYTES = 3;

/** What is remembered of a block of rows. */
export interface BlockDigest {
  /** SHA-256 of what the rows say, base64url. */
  digest: string;
  /** Three bytes a row, to name the one that has changed, base64url. */
  tags: string;
}

/**
 * What is remembered of an input, so that a change is noticed: of what its rows say and in which order, not of how that
 * is written down. Blank lines, quotes, the order of columns and another format change nothing that would be sent.
 */
export class InputDigest {
  readonly #blocks: BlockDigest[] = [];
  #rows = 0;
  #hash: Hash | undefined;
  #tags = Buffer.alloc(BLOCK_ROWS * TAG_BYTES);

  /** The digest that a journal holds. */
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

  /** Takes the next row. */
  add(pet: RowPet): void {
    const text = fingerprint(pet);
    this.#hash ??= createHash('sha256');
    this.#hash.update(text);
    this.#tags.writeUIntBE(tagOf(text), (this.#rows % BLOCK_ROWS) * TAG_BYTES, TAG_BYTES);
    this.#rows += 1;
    if (this.#rows % BLOCK_ROWS === 0) this.#endBlock();
  }

  /** No more rows. */
  end(): this {
    if (this.#hash !== undefined) this.#endBlock();
    return this;
  }

  /** The first row, from 1, that another input has not got just like this one. `undefined` where they are the same. */
  firstDifference(other: InputDigest): number | undefined {
    const common = Math.min(this.blocks.length, other.blocks.length);
    for (let index = 0; index < common; index += 1) {
      const [mine, theirs] = [this.blocks[index], other.blocks[index]];
      if (mine === undefined || theirs === undefined || mine.digest === theirs.digest) continue;
      return index * BLOCK_ROWS + differingTag(mine.tags, theirs.tags) + 1;
    }
    return this.rows === other.rows ? undefined : Math.min(this.rows, other.rows) + 1;
  }

  /** The same for one block that was read again; both count from 0. */
  differenceInBlock(index: number, pets: readonly RowPet[]): number | undefined {
    const again = new InputDigest();
    for (const pet of pets) again.add(pet);
    const [block] = again.end().blocks;
    const mine = this.blocks[index];
    if (mine === undefined || block?.digest === mine.digest) return undefined;
    return differingTag(mine.tags, block?.tags ?? '');
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

/** What a row says, in one way only. */
function fingerprint({ name, categoryId, status }: RowPet): string {
  return `${JSON.stringify([name, String(categoryId), status ?? null])}\n`;
}

function tagOf(text: string): number {
  return crc32(text) & 0xffffff;
}

/** Base64 writes three bytes as four characters, so a tag is four. The first, where all that both have are equal. */
function differingTag(mine: string, theirs: string): number {
  const length = Math.min(mine.length, theirs.length);
  for (let at = 0; at < length; at += 4) {
    if (mine.slice(at, at + 4) !== theirs.slice(at, at + 4)) return at / 4;
  }
  return mine.length === theirs.length ? 0 : length / 4;
}
