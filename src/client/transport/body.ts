import { nodeModule } from '../../node-module.js';
import type { TransportResponse } from './transport.js';

/**
 * The header `Accept-Encoding`. `decodeBody` also decodes Brotli, but many builds of curl can't, and a command of `--curl`
 * sends the same header.
 */
export const ACCEPT_ENCODING = 'gzip, deflate';

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

/**
 * Decodes a body by its `Content-Encoding`. Limits the decoded size, because a small body may decompress to gigabytes.
 * Returns a body in an unknown encoding unchanged. It then fails to parse as JSON. Of an incomplete or invalid body, it
 * returns the beginning.
 */
export async function decodeBody(
  raw: Body,
  encoding: string | undefined,
  bodyMaxBytes: number,
): Promise<Body> {
  const name = encoding?.trim().toLowerCase();
  if (name === undefined || name === '' || name === 'identity' || raw.body.byteLength === 0) return raw;
  const zlib = nodeModule('node:zlib');
  const startMaxBytes = Math.min(bodyMaxBytes, START_MAX_BYTES);
  const { end } = raw;
  if (end !== 'complete') return { body: await decodeStart(zlib, raw.body, name, startMaxBytes), end };
  return new Promise((resolve) => {
    // zlib accepts whole numbers only.
    const options = { maxOutputLength: Math.min(Math.max(1, Math.floor(bodyMaxBytes)), DECODED_MAX_BYTES) };
    const done = (error: Error | null, body: Uint8Array): void => {
      if (error === null) resolve({ body, end: 'complete' });
      else
        void decodeStart(zlib, raw.body, name, startMaxBytes).then((start) => {
          resolve({ body: start, end: endOf(error) });
        });
    };
    if (name === 'gzip' || name === 'x-gzip') zlib.gunzip(raw.body, options, done);
    else if (name === 'deflate') zlib.inflate(raw.body, options, done);
    else if (name === 'br') zlib.brotliDecompress(raw.body, options, done);
    else resolve(raw);
  });
}

/** Enough for an excerpt. */
const START_MAX_BYTES = 4_096;

/**
 * Decodes the beginning of a body that is incomplete or invalid. Text that only claims to be encoded is returned as it is.
 */
async function decodeStart(
  { constants, createBrotliDecompress, createGunzip, createInflate }: typeof import('node:zlib'),
  raw: Uint8Array,
  encoding: string,
  maxBytes: number,
): Promise<Uint8Array> {
  // Small chunks, because zlib drops the chunk with an error. Without a flush, it drops the last one of a body that ends.
  const chunkSize = 64;
  const options = { chunkSize, finishFlush: constants.Z_SYNC_FLUSH };
  let stream;
  if (encoding === 'gzip' || encoding === 'x-gzip') stream = createGunzip(options);
  else if (encoding === 'deflate') stream = createInflate(options);
  else if (encoding === 'br')
    stream = createBrotliDecompress({ chunkSize, finishFlush: constants.BROTLI_OPERATION_FLUSH });
  else return raw;
  const collector = new BodyCollector(maxBytes);
  stream.end(raw);
  try {
    for await (const chunk of stream) if (!collector.add(chunk as Uint8Array)) break;
  } catch {
    // The rest is invalid.
  }
  const start = collector.body();
  return start.byteLength === 0 && isText(raw) ? raw.subarray(0, maxBytes) : start;
}

function isText(bytes: Uint8Array): boolean {
  try {
    // The end may be within a character.
    return !new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true }).includes('\0');
  } catch {
    return false;
  }
}

function endOf(error: Error): TransportResponse['end'] {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'too-large';
  // Both zlib and Brotli report this code when the input ends early.
  return code === 'Z_BUF_ERROR' ? 'truncated' : 'undecodable';
}
