/** The input is not UTF-8. */
export class EncodingError extends Error {
  override readonly name = 'EncodingError';
  readonly hint = 'Save the rows as UTF-8 text, such as CSV.';
}

/**
 * Decodes UTF-8 and removes a byte order mark. Invalid bytes are an error, because replacing them would change a name.
 *
 * @throws EncodingError after yielding the text before the first invalid byte.
 */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // Has the same state, and shows where the first invalid byte is.
  const replacing = new TextDecoder();
  for await (const chunk of chunks) {
    const replaced = replacing.decode(chunk, { stream: true });
    let text: string;
    try {
      text = decoder.decode(chunk, { stream: true });
    } catch {
      yield replaced.slice(0, replaced.indexOf('\ufffd'));
      throw notUtf8();
    }
    yield text;
  }
  try {
    yield decoder.decode();
  } catch {
    throw notUtf8();
  }
}

function notUtf8(): EncodingError {
  return new EncodingError('Invalid UTF-8');
}
