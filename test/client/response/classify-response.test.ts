import { describe, expect, test } from 'vitest';
import {
  parseErrorBody,
  bodyExcerpt,
  classifyResponse,
  type Operation,
} from '../../../src/client/response/classify-response.js';
import type { TransportResponse } from '../../../src/client/transport/transport.js';

const answerOf = (
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
  method: 'GET',
  path: '/v1/pets',
  read: (body) => (Array.isArray(body) ? { data: body } : undefined),
  explain: () => Promise.resolve('it is no list'),
};
const same = (text: string): string => text;

describe('an answer', () => {
  test.each([
    [200, 'done'],
    [201, 'done'],
    [299, 'done'],
    [300, 'redirect'],
    [302, 'redirect'],
    [399, 'redirect'],
    [304, 'refused'],
    [400, 'refused'],
    [428, 'refused'],
    [429, 'limited'],
    [430, 'refused'],
    [500, 'refused'],
    [999, 'refused'],
    [0, 'refused'],
    [199, 'refused'],
  ])('of status %i is %s', (status, kind) => {
    expect(classifyResponse(answerOf(status), operation).kind).toBe(kind);
  });

  test.each<[string, TransportResponse, object]>([
    [
      'too large',
      answerOf(200, '[]', { end: 'too-large' }),
      { why: 'its body is larger than allowed', broken: false },
    ],
    ['cut short', answerOf(200, '[]', { end: 'truncated' }), { why: 'its body was cut short', broken: true }],
    ['not JSON', answerOf(200, '<html>'), { why: 'its body is not JSON', broken: false }],
    ['of the wrong shape', answerOf(200, '{}'), { broken: false }],
    ['empty', answerOf(200, ''), { broken: false }],
  ])('that is %s is invalid', (_, answer, expected) => {
    expect(classifyResponse(answer, operation)).toMatchObject({ kind: 'invalid', ...expected });
  });

  test('that redirects tells where to', () => {
    expect(classifyResponse(answerOf(302, '', { headers: { location: '/x' } }), operation)).toEqual({
      kind: 'redirect',
      location: '/x',
    });
  });
});

test.each([
  [answerOf(400, '{"code":"x"}'), { code: 'x' }],
  [answerOf(400, ''), undefined],
  [answerOf(400, '<html>'), undefined],
  [answerOf(400, '{"code":"x"}', { end: 'truncated' }), undefined],
])('the body of a refusal is read where it can be (%#)', (answer, expected) => {
  expect(parseErrorBody(answer)).toEqual(expected);
});

describe('the text of a body', () => {
  test.each([
    [Buffer.from('\ufeffhello'), 'hello'],
    [Buffer.from([0x68, 0xff, 0x69]), 'h\ufffdi'],
    [new Uint8Array(0), ''],
    [Buffer.from('xhellox').subarray(1, 6), 'hello'],
  ])('is read as UTF-8 (%#)', (body, expected) => {
    expect(bodyExcerpt(body, (text) => text)).toBe(expected);
  });
});

describe('an excerpt', () => {
  test.each([
    ['  one\n\ttwo  ', 'one two'],
    ['x'.repeat(201), `${'x'.repeat(200)}…`],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['a\x1b[31mb\x07', 'a\\u{1b}[31mb\\u{7}'],
    ['a\u{e0041}b', 'a\\u{e0041}b'],
    ['a\x9bb', 'a\\u{9b}b'],
    ['a\u202eb\u200b', 'a\\u{202e}b\\u{200b}'],
    ['', ''],
  ])('of %j is %j', (body, expected) => {
    expect(bodyExcerpt(Buffer.from(body), same)).toBe(expected);
  });

  test('is cleaned before it is cut', () => {
    const clean = (text: string): string => text.replace('secret', '*');
    expect(bodyExcerpt(Buffer.from(`${'x'.repeat(197)}secret`), clean)).toBe(`${'x'.repeat(197)}*`);
  });
});
