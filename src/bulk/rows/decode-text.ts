import { describeForeign, recognizeBytes, SIGNATURE_BYTES } from './foreign-file.js';

/** The input is no text in UTF-8. */
export class NoTextError extends Error {
  override readonly name = 'NoTextError';
  readonly hint: string;

  constructor({ message, hint }: { message: string; hint: string }) {
    super(message);
    this.hint = hint;
  }
}

/**
 * Decodes UTF-8 and removes a byte order mark. Invalid bytes are an error, because replacing them would change a name.
 *
 * @throws NoTextError after yielding the text before the first invalid byte; before any text for a file that is recognized
 * as another one by its first bytes.
 */
export async function* decodeText(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  // Has the same state, and shows where the first invalid byte is.
  const replacing = new TextDecoder();
  for await (const chunk of recognized(chunks)) {
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

/** Joins the first bytes, and recognizes a file that is no text by them. */
async function* recognized(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let start: Uint8Array | undefined = new Uint8Array();
  for await (const chunk of chunks) {
    if (start === undefined) {
      yield chunk;
      continue;
    }
    start = start.length === 0 ? chunk : Buffer.concat([start, chunk]);
    if (start.length < SIGNATURE_BYTES) continue;
    yield assertText(start);
    start = undefined;
  }
  if (start !== undefined) yield assertText(start);
}

function assertText(start: Uint8Array): Uint8Array {
  const foreign = recognizeBytes(start);
  if (foreign !== undefined) throw new NoTextError(describeForeign(foreign));
  return start;
}

function notUtf8(): NoTextError {
  return new NoTextError({ message: 'Invalid UTF-8', hint: 'Save the rows as UTF-8 text, such as CSV.' });
}
