/** Gathers the chunks of a body up to a cap. */
export interface Collector {
  /** Takes a chunk. Returns `false` once the body is larger than the cap; nothing more is kept then. */
  add(chunk: Uint8Array): boolean;
  /** What came, up to the cap. */
  body(): Uint8Array;
  readonly overflowed: boolean;
}

export function createCollector(bodyMaxBytes: number): Collector {
  return new CappedCollector(bodyMaxBytes);
}

class CappedCollector implements Collector {
  overflowed = false;
  readonly #chunks: Uint8Array[] = [];
  #room: number;

  constructor(bodyMaxBytes: number) {
    this.#room = bodyMaxBytes;
  }

  add(chunk: Uint8Array): boolean {
    if (chunk.byteLength > this.#room) {
      this.overflowed = true;
      if (this.#room > 0) this.#chunks.push(chunk.subarray(0, this.#room));
      this.#room = 0;
      return false;
    }
    this.#chunks.push(chunk);
    this.#room -= chunk.byteLength;
    return true;
  }

  body(): Uint8Array {
    const [first] = this.#chunks;
    return first !== undefined && this.#chunks.length === 1 ? first : Buffer.concat(this.#chunks);
  }
}
