import { nodeModule } from '../../node-module.js';
import type { TransportResponse } from './transport.js';

/** The encodings that `decodeBody` decodes, for the header `Accept-Encoding`. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

/** Collects the chunks of a body, up to a maximum size. */
export class BodyCollector {
  /** Whether the body is larger than the maximum. */
  hasOverflowed = false;
  readonly #chunks: Uint8Array[] = [];
  #remainingBytes: number;

  constructor(bodyMaxBytes: number) {
    this.#remainingBytes = bodyMaxBytes;
  }

  /** Adds a chunk. Drops the bytes beyond the maximum, and then returns `false`. */
  add(chunk: Uint8Array): boolean {
    if (chunk.byteLength > this.#remainingBytes) {
      this.hasOverflowed = true;
      if (this.#remainingBytes > 0) this.#chunks.push(chunk.subarray(0, this.#remainingBytes));
      this.#remainingBytes = 0;
      return false;
    }
    this.#chunks.push(chunk);
    this.#remainingBytes -= chunk.byteLength;
    return true;
  }

  /** Returns the bytes received so far, at most the maximum. */
  body(): Uint8Array {
    const [first] = this.#chunks;
    return first !== undefined && this.#chunks.length === 1 ? first : concatenate(this.#chunks);
  }
}

function concatenate(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((bytes, chunk) => bytes + chunk.byteLength, 0));
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}

type Body = Pick<TransportResponse, 'body' | 'end'>;

/** The largest `maxOutputLength` that zlib accepts. */
const DECODED_MAX_BYTES = 2 ** 32;
const EMPTY = new Uint8Array(0);

/**
 * Decodes a body by its `Content-Encoding`. Limits the decoded size, because a small body may decompress to gigabytes.
 * Returns a body in an unknown encoding unchanged. It then fails to parse as JSON.
 */
export async function decodeBody(
  raw: Body,
  encoding: string | undefined,
  bodyMaxBytes: number,
): Promise<Body> {
  const name = encoding?.trim().toLowerCase();
  if (name === undefined || name === '' || name === 'identity' || raw.body.byteLength === 0) return raw;
  if (raw.end !== 'complete') return { body: EMPTY, end: raw.end };
  const zlib = nodeModule('node:zlib');
  return new Promise((resolve) => {
    // zlib accepts whole numbers only.
    const options = { maxOutputLength: Math.min(Math.max(1, Math.floor(bodyMaxBytes)), DECODED_MAX_BYTES) };
    const done = (error: Error | null, body: Uint8Array): void => {
      if (error === null) resolve({ body, end: 'complete' });
      else resolve({ body: EMPTY, end: endOf(error) });
    };
    if (name === 'gzip' || name === 'x-gzip') zlib.gunzip(raw.body, options, done);
    else if (name === 'deflate') zlib.inflate(raw.body, options, done);
    else if (name === 'br') zlib.brotliDecompress(raw.body, options, done);
    else resolve(raw);
  });
}

function endOf(error: Error): TransportResponse['end'] {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'too-large';
  // Both zlib and Brotli report this code when the input ends early.
  return code === 'Z_BUF_ERROR' ? 'truncated' : 'undecodable';
}
