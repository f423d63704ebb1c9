/** Streams a text or bytes in chunks of this length. */
export async function* pieces(content: string | Uint8Array, length = Infinity): AsyncGenerator<Uint8Array> {
  const bytes = typeof content === 'string' ? Buffer.from(content, 'utf8') : content;
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

/** Collects all items in order. */
export async function collect<T>(items: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
}
