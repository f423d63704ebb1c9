import { describe, expect, test } from 'vitest';
import {
  bodyExcerpt,
  classifyResponse,
  type Operation,
} from '../../../src/client/response/classify-response.js';
import { createRedactor } from '../../../src/security/redact-secret.js';
import type { TransportResponse } from '../../../src/client/transport/transport.js';

const responseOf = (status: number): TransportResponse => ({
  status,
  headers: {},
  end: 'complete',
  body: Buffer.from('[]'),
});
const operation: Operation<unknown> = {
  name: 'listPets',
  method: 'GET',
  path: '/v1/pets',
  validate: (body) => (Array.isArray(body) ? { data: body } : undefined),
  explain: () => Promise.resolve('it is not a list'),
};

describe('classifyResponse', () => {
  test.each([
    ['success', [200, 201, 299]],
    ['redirect', [300, 302, 399]],
    ['rate-limited', [429]],
    ['error', [304, 400, 428, 430, 500, 999, 0, 199]],
  ])('classifies as %s: %j', (kind, statuses) => {
    for (const status of statuses)
      expect(classifyResponse(responseOf(status), operation).kind, String(status)).toBe(kind);
  });
});

describe('bodyExcerpt', () => {
  test.each<[string | Uint8Array, string]>([
    ['\ufeffhello', 'hello'],
    [Buffer.from([0x68, 0xff, 0x69]), 'h\ufffdi'],
    [Buffer.from('xhellox').subarray(1, 6), 'hello'],
    ['  one\n\ttwo  ', 'one two'],
    ['x'.repeat(201), `${'x'.repeat(200)}…`],
    ['x'.repeat(200), 'x'.repeat(200)],
    ['a\x1b[31mb\x07', 'a^[[31mb^G'],
    ['a\u{e0041}b', 'a<U+E0041>b'],
    ['a\x9bb', 'a<U+009B>b'],
    ['a\u202eb\u200b', 'a<U+202E>b<U+200B>'],
    ['', ''],
  ])('returns for %j %j', (body, expected) => {
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    expect(bodyExcerpt({ body: bytes, end: 'complete' }, createRedactor(''))).toBe(expected);
  });

  test.each([
    ['complete', `${'x'.repeat(187)} a-secret-key`, `${'x'.repeat(187)} [redacted]`],
    ['truncated', '["a-secr', '["'],
    ['too-large', '["a-secret', '["'],
    ['undecodable', '["Möh', '["M'],
  ] as const)('of a body that is %s: redacts before it truncates', (end, text, expected) => {
    const body = Buffer.from(text).subarray(0, end === 'undecodable' ? 4 : undefined);
    expect(bodyExcerpt({ body, end }, createRedactor('a-secret-key'))).toBe(expected);
  });
});
