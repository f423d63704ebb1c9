import { describe, expect, test } from 'vitest';
import {
  parseErrorBody,
  bodyExcerpt,
  classifyResponse,
  type Operation,
} from '../../../src/client/response/classify-response.js';
import type { TransportResponse } from '../../../src/client/transport/transport.js';

const responseOf = (
  status: number,
  body = '[]',
  change: Partial<TransportResponse> = {},
): TransportResponse => ({
  status,
  headers: {},
  body: Buffer.from(body),
  end: 'complete',
  ...change,
});
const operation: Operation<unknown> = {
  name: 'listPets',
  method: 'GET',
  path: '/v1/pets',
  validate: (body) => (Array.isArray(body) ? { data: body } : undefined),
  explain: () => Promise.resolve('it is not a list'),
};
const unchanged = (text: string): string => text;

describe('classifyResponse', () => {
  test.each([
    [200, 'success'],
    [201, 'success'],
    [299, 'success'],
    [300, 'redirect'],
    [302, 'redirect'],
    [399, 'redirect'],
    [304, 'error'],
    [400, 'error'],
    [428, 'error'],
    [429, 'rate-limited'],
    [430, 'error'],
    [500, 'error'],
    [999, 'error'],
    [0, 'error'],
    [199, 'error'],
  ])('classifies status %i as %s', (status, kind) => {
    expect(classifyResponse(responseOf(status), operation).kind).toBe(kind);
  });

  test.each<[string, TransportResponse, object]>([
    [
      'too large',
      responseOf(200, '[]', { end: 'too-large' }),
      { problem: 'the body is larger than allowed', isTruncated: false },
    ],
    [
      'truncated',
      responseOf(200, '[]', { end: 'truncated' }),
      { problem: 'the body is truncated', isTruncated: true },
    ],
    ['not JSON', responseOf(200, '<html>'), { problem: 'the body is not JSON', isTruncated: false }],
    ['of the wrong shape', responseOf(200, '{}'), { isTruncated: false }],
    ['empty', responseOf(200, ''), { isTruncated: false }],
  ])('reports a body that is %s as invalid', (_, response, expected) => {
    expect(classifyResponse(response, operation)).toMatchObject({ kind: 'invalid', ...expected });
  });

  test('returns the Location of a redirect', () => {
    expect(classifyResponse(responseOf(302, '', { headers: { location: '/x' } }), operation)).toEqual({
      kind: 'redirect',
      location: '/x',
    });
  });
});

test.each([
  [responseOf(400, '{"code":"x"}'), { code: 'x' }],
  [responseOf(400, ''), undefined],
  [responseOf(400, '<html>'), undefined],
  [responseOf(400, '{"code":"x"}', { end: 'truncated' }), undefined],
])('parseErrorBody returns undefined for a missing or invalid body (%#)', (response, expected) => {
  expect(parseErrorBody(response)).toEqual(expected);
});

describe('the text of an excerpt', () => {
  test.each([
    [Buffer.from('\ufeffhello'), 'hello'],
    [Buffer.from([0x68, 0xff, 0x69]), 'h\ufffdi'],
    [new Uint8Array(0), ''],
    [Buffer.from('xhellox').subarray(1, 6), 'hello'],
  ])('is decoded as UTF-8 (%#)', (body, expected) => {
    expect(bodyExcerpt(body, (text) => text)).toBe(expected);
  });
});

describe('bodyExcerpt', () => {
  test.each([
    ['  one\n\ttwo  ', 'one two'],
    ['x'.repeat(201), `${'x'.repeat(200)}…`],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['a\x1b[31mb\x07', 'a\\u{1b}[31mb\\u{7}'],
    ['a\u{e0041}b', 'a\\u{e0041}b'],
    ['a\x9bb', 'a\\u{9b}b'],
    ['a\u202eb\u200b', 'a\\u{202e}b\\u{200b}'],
    ['', ''],
  ])('returns for %j %j', (body, expected) => {
    expect(bodyExcerpt(Buffer.from(body), unchanged)).toBe(expected);
  });

  test('redacts before it truncates', () => {
    const redact = (text: string): string => text.replace('secret', '*');
    expect(bodyExcerpt(Buffer.from(`${'x'.repeat(197)}secret`), redact)).toBe(`${'x'.repeat(197)}*`);
  });
});
