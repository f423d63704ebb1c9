import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { ACCEPT_ENCODING, decodeBody } from '../../../src/client/transport/decode.js';

const complete = (body: Uint8Array): { body: Uint8Array; end: 'complete' } => ({ body, end: 'complete' });
const text = Buffer.from('hello');

describe('decoding a body', () => {
  test.each([
    ['gzip', gzipSync(text)],
    [' X-Gzip ', gzipSync(text)],
    ['deflate', deflateSync(text)],
    ['br', brotliCompressSync(text)],
    ['identity', text],
    ['', text],
    [undefined, text],
    ['zstd', text],
    ['gzip', Buffer.alloc(0)],
  ])('from %s', async (encoding, body) => {
    const decoded = await decodeBody(complete(body), encoding, 100);
    expect(decoded.end).toBe('complete');
    expect(Buffer.from(decoded.body).toString()).toBe(body.byteLength === 0 ? '' : 'hello');
  });

  test.each([
    ['gzip', 'undecodable'],
    ['deflate', 'undecodable'],
    // Brotli takes almost anything for a beginning.
    ['br', 'truncated'],
  ])('that is not %s at all is %s', async (encoding, end) => {
    expect(await decodeBody(complete(text), encoding, 100)).toMatchObject({ end });
  });

  test('that stops within its encoding ends it early', async () => {
    const cut = gzipSync('hello'.repeat(100)).subarray(0, 20);
    expect(await decodeBody(complete(cut), 'gzip', 1_000)).toMatchObject({ end: 'truncated' });
  });

  test.each(['truncated', 'too-large'] as const)('that is %s already is not tried', async (end) => {
    const decoded = await decodeBody({ body: gzipSync(text), end }, 'gzip', 100);
    expect([decoded.end, decoded.body.byteLength]).toEqual([end, 0]);
  });

  test('stops at the cap', async () => {
    const bomb = complete(gzipSync(Buffer.alloc(1_000_000)));
    expect(await decodeBody(bomb, 'gzip', 999_999)).toMatchObject({ end: 'too-large' });
    expect(await decodeBody(bomb, 'gzip', 1_000_000)).toMatchObject({ end: 'complete' });
  });

  test.each([Number.POSITIVE_INFINITY, 2 ** 53, 7.5])('takes a cap of %d bytes', async (cap) => {
    expect(await decodeBody(complete(gzipSync(text)), 'gzip', cap)).toMatchObject({ end: 'complete' });
  });

  test('understands what is asked for', () => {
    expect(ACCEPT_ENCODING).toBe('gzip, deflate, br');
  });
});
