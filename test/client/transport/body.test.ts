import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ACCEPT_ENCODING, BodyCollector, decodeBody } from '../../../src/client/transport/body.js';

const complete = (body: Uint8Array): { body: Uint8Array; end: 'complete' } => ({ body, end: 'complete' });
const text = Buffer.from('hello');

test('a body collector keeps the first bytes up to its maximum and reports an overflow', () => {
  const chunk = fc.uint8Array({ maxLength: 8 });
  fc.assert(
    fc.property(fc.array(chunk), fc.integer({ min: 0, max: 40 }), (chunks, maxBytes) => {
      const collector = new BodyCollector(maxBytes);
      for (const each of chunks) if (!collector.add(each)) break;
      const all = Buffer.concat(chunks);
      expect(Buffer.from(collector.body())).toEqual(all.subarray(0, maxBytes));
      expect(collector.hasOverflowed).toBe(all.byteLength > maxBytes);
    }),
  );
});

describe('decodeBody', () => {
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
  ])('decodes the encoding %s', async (encoding, body) => {
    const decoded = await decodeBody(complete(body), encoding, 100);
    expect(decoded.end).toBe('complete');
    expect(Buffer.from(decoded.body).toString()).toBe(body.byteLength === 0 ? '' : 'hello');
  });

  test.each([
    ['gzip', 'undecodable'],
    ['deflate', 'undecodable'],
    // Brotli accepts almost any first bytes.
    ['br', 'truncated'],
  ])('reports plain text that is labelled %s as %s', async (encoding, end) => {
    expect(await decodeBody(complete(text), encoding, 100)).toMatchObject({ end });
  });

  const long = Array.from({ length: 500 }, (_, index) => `pet ${String(index)}`).join(' ');
  const broken = gzipSync(long).fill(0xff, 600, 610);
  test.each<[string, Uint8Array, string, 'complete' | 'truncated' | 'too-large', number, string]>([
    ['gzip that ends early', gzipSync(long).subarray(0, 600), 'gzip', 'complete', 9_999, 'truncated'],
    ['truncated gzip', gzipSync(long).subarray(0, 600), 'gzip', 'truncated', 9_999, 'truncated'],
    ['truncated deflate', deflateSync(long).subarray(0, 600), 'deflate', 'truncated', 9_999, 'truncated'],
    ['truncated Brotli', brotliCompressSync(long).subarray(0, 600), 'br', 'truncated', 9_999, 'truncated'],
    ['gzip above the maximum', gzipSync(long).subarray(0, 600), 'x-gzip', 'too-large', 600, 'too-large'],
    ['decoded above the maximum', gzipSync(long), 'gzip', 'complete', 600, 'too-large'],
    ['broken gzip', broken, 'gzip', 'complete', 9_999, 'undecodable'],
    ['text', Buffer.from(long), 'gzip', 'complete', 9_999, 'undecodable'],
    ['a zstd frame', Buffer.from(long), 'zstd', 'truncated', 9_999, 'truncated'],
  ])('returns the beginning of %s', async (_, body, encoding, end, maxBytes, expected) => {
    const decoded = await decodeBody({ body, end }, encoding, maxBytes);
    expect(decoded.end).toBe(expected);
    const start = Buffer.from(decoded.body).toString();
    expect(start.slice(0, 300)).toBe(long.slice(0, 300));
    expect(start.length).toBeLessThanOrEqual(Math.min(4_096, maxBytes));
  });

  test('returns nothing of bytes that are neither encoded nor text', async () => {
    const decoded = await decodeBody(complete(Buffer.from([0xff, 0xfe, 0])), 'gzip', 100);
    expect([decoded.end, decoded.body.byteLength]).toEqual(['undecodable', 0]);
  });

  test('stops at the maximum size', async () => {
    const bomb = complete(gzipSync(Buffer.alloc(1_000_000)));
    expect(await decodeBody(bomb, 'gzip', 999_999)).toMatchObject({ end: 'too-large' });
    expect(await decodeBody(bomb, 'gzip', 1_000_000)).toMatchObject({ end: 'complete' });
  });

  test.each([Number.POSITIVE_INFINITY, 2 ** 53, 7.5])('accepts a maximum of %d bytes', async (maxBytes) => {
    expect(await decodeBody(complete(gzipSync(text)), 'gzip', maxBytes)).toMatchObject({ end: 'complete' });
  });

  test('requests accept encodings that every curl decodes', () => {
    expect(ACCEPT_ENCODING).toBe('gzip, deflate');
  });
});
