/** Gathers the chunks of a body up to a cap. */
export interface Collector {
  /** Takes a chunk. Returns `false` once the body is larger than the cap; nothing more is kept then. */
  add(chunk: Uint8Array): boolean;
  /** What came, up to the cap. */
  body(): Uint8Array;
  readonly overflowed: boolean;
}

export function createCollector(bodyMaxBytes: number): Collector {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  let overflowed = false;
  return {
    get overflowed() {
      return overflowed;
    },
    add(chunk) {
      const room = bodyMaxBytes - bytes;
      if (chunk.byteLength > room) {
        overflowed = true;
        if (room > 0) chunks.push(chunk.subarray(0, room));
        bytes = bodyMaxBytes;
        return false;
      }
      chunks.push(chunk);
      bytes += chunk.byteLength;
      return true;
    },
    body() {
      return chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks);
    },
  };
}
