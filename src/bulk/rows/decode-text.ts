/** The input is not UTF-8. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
}

/** Maximum number of bytes that wait for the next chunk: a UTF-8 sequence has at most four. */
const INCOMPLETE_MAX = 3;

/**
 * Decodes UTF-8 and removes a byte order mark. Invalid bytes are an error, because replacing them would change a name.
 *
 * @throws EncodingError after yielding the text before the first invalid byte.
 */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let isStart = true;
  /** The bytes of an incomplete character at the end of the last chunk. */
  let incomplete: Uint8Array = Buffer.alloc(0);
  for await (const chunk of chunks) {
    if (chunk.length === 0) continue;
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      yield decodeValidStart(Buffer.concat([incomplete, chunk]), isStart);
      throw notUtf8();
    }
    yield text;
    isStart &&= text === '';
    incomplete = incompleteEnd(Buffer.concat([incomplete, chunk.subarray(-INCOMPLETE_MAX)]));
  }
  try {
    yield decoder.decode();
  } catch {
    throw notUtf8();
  }
}

function notUtf8(): EncodingError {
  return new EncodingError('Invalid UTF-8; save the file as UTF-8');
}

/** Decodes up to the first invalid byte. Slow, but called at most once. */
function decodeValidStart(bytes: Uint8Array, isStart: boolean): string {
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: !isStart });
  let text = '';
  try {
    for (let at = 0; ; at += 1) text += decoder.decode(bytes.subarray(at, at + 1), { stream: true });
  } catch {
    return text;
  }
}

/** Returns the bytes of an incomplete character at the end. */
function incompleteEnd(bytes: Uint8Array): Uint8Array {
  for (let length = 1; length <= Math.min(INCOMPLETE_MAX, bytes.length); length += 1) {
    const byte = bytes[bytes.length - length] ?? 0;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const needed = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return needed > length ? bytes.slice(-length) : bytes.slice(0, 0);
  }
  return bytes.slice(0, 0);
}
