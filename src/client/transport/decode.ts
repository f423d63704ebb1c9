import type { TransportResponse } from './transport.js';

/** The encodings that requests ask for and answers are decoded from. */
export const ACCEPT_ENCODING = 'gzip, deflate, br';

type Body = Pick<TransportResponse, 'body' | 'end'>;

/**
 * Undoes an answer's `Content-Encoding`, up to a cap on the decoded bytes: a small body may unpack to gigabytes.
 * An encoding that is not known is left as it is; the JSON parser will say so.
 */
export async function decodeBody(
  raw: Body,
  encoding: string | undefined,
  bodyMaxBytes: number,
): Promise<Body> {
  const name = encoding?.trim().toLowerCase();
  if (name === undefined || name === '' || name === 'identity' || raw.body.byteLength === 0) return raw;
  if (raw.end !== 'complete') return { body: EMPTY, end: raw.end };
  const zlib = await import('node:zlib');
  return new Promise((resolve) => {
    // zlib takes whole numbers only, and none above its own bound.
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

const DECODED_MAX_BYTES = 2 ** 32;
const EMPTY = new Uint8Array(0);

function endOf(error: Error): TransportResponse['end'] {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ERR_BUFFER_TOO_LARGE') return 'too-large';
  // zlib's and Brotli's word for an end that came too early.
  return code === 'Z_BUF_ERROR' ? 'truncated' : 'undecodable';
}
