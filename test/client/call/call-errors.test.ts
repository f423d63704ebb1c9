import { describe, expect, test } from 'vitest';
import { DATE_MAX_MS } from '../../../src/schema/rate-limit.js';
import { createRedactor } from '../../../src/security/redact-secret.js';
import {
  invalidResponseError,
  noResponseError,
  rateLimitError,
  statusError,
} from '../../../src/client/call/call-errors.js';
import type { CallState } from '../../../src/client/call/call-state.js';
import { type AttemptFailure, Attempts } from '../../../src/client/call/attempts.js';
import { type TransportResponse, TransportFailure } from '../../../src/client/transport/transport.js';

const plan = {
  client: { base: { origin: 'https://api.test', prefix: '/v1' }, clock: { now: () => 1_000 } },
  operation: { method: 'GET' },
  settings: { retry: { waitMaxMs: 75_000 } },
} as unknown as CallState<unknown>['plan'];
const attempts = new Attempts(undefined);
attempts.add(
  { kind: 'failed', startedAt: new Date(0), reason: 'timeout', sent: true, cause: 0 },
  { counts: true },
);
const request = { path: '/v1/pets', redactor: createRedactor('k3y') } as CallState<unknown>['request'];
const context: CallState<unknown> = { plan, attempts, request };
const responseOf = (status: number, body = '', headers: Record<string, string> = {}): TransportResponse => ({
  status,
  headers,
  body: Buffer.from(body),
  end: 'complete',
});
const failed = (
  reason: 'connection' | 'timeout' | 'aborted',
  sent: boolean,
  cause?: unknown,
): Pick<AttemptFailure, 'reason' | 'sent' | 'cause'> => ({ reason, sent, cause });

describe('the body of a large page', () => {
  const page = '&amp;'.repeat(200_000);
  /** Counts the texts that are redacted, and their length. */
  const countingContext = () => {
    const lengths: number[] = [];
    const { redactor } = request;
    const redact: typeof redactor.redact = (text, options) => {
      lengths.push(text.length);
      return redactor.redact(text, options);
    };
    return { lengths, context: { ...context, request: { ...request, redactor: { ...redactor, redact } } } };
  };

  test('is redacted when it is read, once, up to 64 Ki characters', () => {
    const counting = countingContext();
    const error = statusError(responseOf(503, `k3y ${page}`), counting.context);
    expect(Math.max(...counting.lengths, 0)).toBeLessThan(100);
    expect(error.response?.body).toBe(error.response?.body);
    expect(String(error.response?.body).startsWith('[redacted] &amp;')).toBe(true);
    expect(counting.lengths.filter((length) => length > 100)).toEqual([65_536]);
  });

  test('is not redacted whole for its message', () => {
    const counting = countingContext();
    statusError(responseOf(400, JSON.stringify({ code: page, message: page })), counting.context);
    expect(Math.max(...counting.lengths)).toBe(65_536);
  });
});

describe('statusError', () => {
  test.each([
    [400, 'bad-request'],
    [401, 'authentication'],
    [404, 'not-found'],
    [499, 'api'],
    [500, 'server'],
  ])('for %i has the type %s', (status, type) => {
    expect(statusError(responseOf(status), context).type).toBe(type);
  });

  test.each([
    [
      'listPets',
      404,
      'Check the base URL, https://api.test/v1. It must end with the version prefix, such as /v1.',
    ],
    ['listPets', 405, undefined],
    // The service may have found no pet.
    ['getPet', 404, undefined],
    ['createPet', 404, undefined],
    ['request', 404, undefined],
  ])('of %s for %i has the hint %j', (name, status, hint) => {
    const operation = { ...plan.operation, name };
    expect(statusError(responseOf(status), { ...context, plan: { ...plan, operation } }).hint).toBe(hint);
  });

  test('contains the message of the service, redacted', () => {
    const body = '{"code":"bad","message":"Name k3y missing.","status":999}';
    expect(statusError(responseOf(400, body, { 'x-request-id': 'r', 'x-e': 'k3y' }), context)).toMatchObject({
      message: 'Name [redacted] missing.',
      code: 'bad',
      status: 400,
      requestId: 'r',
      response: { headers: { 'x-e': '[redacted]' } },
    });
  });

  test.each([
    'null',
    '[]',
    '5',
    '{}',
    '" "',
    '\x00\ufffd',
    '.',
    '{"code":5,"message":{}}',
    '<html>',
    '{"code"',
  ])('contains only the status if the body is %s', (body) => {
    const error = statusError(responseOf(404, body), context);
    expect(error.message).toBe('The service responded with status 404');
    expect(error.code).toBeUndefined();
  });
});

test.each([
  ['"too long"', {}, 'too long'],
  ['{"detail":"k3y is too long"}', { 'content-type': 'application/problem+json' }, '[redacted] is too long'],
  [
    'name k3y is\n too\u001b[2J long.\n',
    {},
    'The service responded with status 422: name [redacted] is too^[[2J long',
  ],
  ['too long', { 'content-type': 'text/html' }, 'The service responded with status 422'],
  ['x'.repeat(2_049), {}, 'The service responded with status 422'],
])('the message has the reason in %j', (body, headers, message) => {
  expect(statusError(responseOf(422, body, headers), context).message).toBe(message);
});

describe('noResponseError', () => {
  test.each([
    ...['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET'].map((code) => [code, true] as const),
    ...[
      ...['CERT_HAS_EXPIRED', 'DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN'],
      ...['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'],
      'ERR_TLS_CERT_ALTNAME_INVALID',
    ].map((code) => [code, false] as const),
  ])('for the code %s has retryable: %s', (code, retryable) => {
    const cause = new TransportFailure(Object.assign(new Error('x'), { code }));
    expect(noResponseError(failed('connection', false, cause), 5, context)).toMatchObject({
      type: 'connection',
      message: `No response from https://api.test (${code})`,
      code,
      retryable,
      outcome: 'not-sent',
    });
  });

  test.each([
    ['ERR_PROXY_407', false],
    ['ERR_PROXY_408', true],
    ['ERR_PROXY_503', true],
    ['ERR_PROXY_DATA', true],
  ])('for the code %s has the message of the proxy', (code, retryable) => {
    const cause = Object.assign(new Error('The proxy refuses'), { code });
    const error = noResponseError(failed('connection', false, cause), 5, context);
    expect(error).toMatchObject({ message: 'The proxy refuses', code, retryable });
  });

  test.each([
    [5_000, '5 s'],
    [5_500, '5.5 s'],
  ])('contains the time limit %i', (limitMs, text) => {
    const { message } = noResponseError(failed('timeout', true), limitMs, context);
    expect(message).toBe(`No complete response from https://api.test within ${text}`);
  });

  test.each([
    ['the connection failed', { code: 5 }],
    ['x', Object.assign(new Error('x'), { code: 5 })],
  ])('ignores a code that is no text (%s)', (text, cause) => {
    const error = noResponseError(failed('connection', true, cause), 5, context);
    expect(error).toMatchObject({ message: `No response from https://api.test (${text})`, retryable: true });
    expect(error).not.toHaveProperty('code');
  });

  test('contains the message of a cause without a code', () => {
    const error = noResponseError(failed('connection', true, new Error('strange k3y')), 5, context);
    expect(error.message).toBe('No response from https://api.test (strange [redacted])');
  });
});

test('invalidResponseError contains a redacted excerpt', () => {
  const response = responseOf(200, '<p>\x1b k3y', {
    'content-type': 'text/html; k3y',
    'request-id': 'r k3y',
  });
  expect(invalidResponseError(response, 'the body is not JSON', context)).toMatchObject({
    message: 'Invalid response: the body is not JSON',
    response: { status: 200 },
    contentType: 'text/html; [redacted]',
    excerpt: '<p>^[ [redacted]',
    requestId: 'r [redacted]',
    retryable: false,
    outcome: 'unknown',
  });
});

describe('rateLimitError', () => {
  const refused = (retryAfterMs?: number, reason: 'paced' | 'rate-limited' = 'rate-limited') =>
    rateLimitError(context, { retryAfterMs, reason, rateLimit: undefined });

  test('contains the end of the wait, at most the latest possible date', () => {
    expect(refused(5_000)).toMatchObject({
      message: 'Rate limit reached; the service accepts requests again at 1970-01-01T00:00:06.000Z',
      retryAt: new Date(6_000),
      retryAfterMs: 5_000,
      outcome: 'unknown',
    });
    expect(refused(Infinity).retryAt?.getTime()).toBe(DATE_MAX_MS);
  });

  test.each([
    ['rate-limited', 'Rate limit reached; the service did not say until when'],
    ['paced', 'Not sent: the rate limit allowed no request within 75 s'],
  ] as const)('contains no time if the service has named none (%s)', (reason, message) => {
    const error = refused(undefined, reason);
    expect(error.message).toBe(message);
    expect(error.toJSON()).not.toHaveProperty('retryAt');
    expect(error.toJSON()).not.toHaveProperty('retryAfterMs');
    expect(error.retryable).toBe(true);
  });

  test('contains the message of a 429 response, redacted', () => {
    const last429 = responseOf(429, '{"code":"slow","message":"Slow down, k3y."}', { 'x-request-id': 'r' });
    const rateLimit = { limit: 60, remaining: 0, resetAt: 0, window: 'minute' as const };
    const limited = new Attempts(undefined);
    const exchange = { response: Promise.resolve(last429), sent: true, abort: () => undefined };
    limited.add({ kind: 'response', startedAt: new Date(0), response: last429, exchange }, { counts: true });
    const error = rateLimitError(
      { ...context, attempts: limited },
      { retryAfterMs: 0, reason: 'rate-limited', rateLimit },
    );
    expect(error.message).toContain('Slow down, [redacted].');
    expect(error).toMatchObject({
      outcome: 'refused',
      code: 'slow',
      requestId: 'r',
      limit: 60,
      remaining: 0,
      window: 'minute',
    });
  });
});
