import { isUtf8 } from 'node:buffer';

/** Text that is not UTF-8. All that comes before it has been handed over. */
export class EncodingFault extends Error {
  override readonly name = 'EncodingFault';
}

/** Longest UTF-8 sequence, less one: so many bytes of a character may be missing at the end of a piece. */
const UNFINISHED_MAX = 3;

/**
 * Decodes UTF-8, without its byte order mark, and takes nothing else: a decoder that puts `U+FFFD` for what it can't
 * read would change a name in silence.
 *
 * @throws EncodingFault behind the last character before the fault.
 */
export async function* decodeText(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = Buffer.alloc(0);
  let isFirst = true;
  for await (const piece of pieces) {
    const bytes = rest.length === 0 ? asBuffer(piece) : Buffer.concat([rest, piece]);
    if (isFirst && bytes.length < UNFINISHED_MAX) {
      rest = Buffer.from(bytes);
      continue;
    }
    if (isFirst) refuseUtf16(bytes);
    const whole = bytes.length - unfinishedBytes(bytes);
    const text = validText(bytes.subarray(0, whole));
    yield isFirst ? withoutMark(text.valid) : text.valid;
    if (!text.isWhole) throw notUtf8();
    isFirst = false;
    // A copy: the piece may be a view on memory that is used again.
    rest = Buffer.from(bytes.subarray(whole));
  }
  if (isFirst) refuseUtf16(rest);
  const text = validText(rest);
  yield isFirst ? withoutMark(text.valid) : text.valid;
  if (!text.isWhole) throw notUtf8();
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function refuseUtf16(bytes: Buffer): void {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff))
    throw new EncodingFault('this is UTF-16, and only UTF-8 is read: save it as UTF-8');
}

function notUtf8(): EncodingFault {
  return new EncodingFault('a byte here is not UTF-8: save the file as UTF-8');
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** How many bytes at the end begin a character that is not whole yet. */
function unfinishedBytes(bytes: Buffer): number {
  for (let back = 1; back <= Math.min(UNFINISHED_MAX, bytes.length); back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0b1100_0000) === 0b1000_0000) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? back : 0;
  }
  return 0;
}

/** The text up to the first byte that is not UTF-8. */
function validText(bytes: Buffer): { valid: string; isWhole: boolean } {
  if (isUtf8(bytes)) return { valid: bytes.toString('utf8'), isWhole: true };
  // The longest start that is UTF-8, found by halving: a start that ends within a character counts as good.
  let good = 0;
  let bad = bytes.length;
  while (bad - good > 1) {
    const middle = (good + bad) >> 1;
    const start = bytes.subarray(0, middle);
    if (isUtf8(start.subarray(0, middle - unfinishedBytes(start)))) good = middle;
    else bad = middle;
  }
  const start = bytes.subarray(0, good);
  return { valid: start.subarray(0, good - unfinishedBytes(start)).toString('utf8'), isWhole: false };
}
