import { describe, expect, test } from 'vitest';
import type { AttemptResult } from '../../../src/client/call/attempt.js';
import {
  abortedError,
  type ErrorContext,
  invalidResponseError,
  isTransient,
  noResponse,
  deadlineError,
  rateLimitErrorOf,
  statusError,
  redirectError,
  unknownOutcomeError,
} from '../../../src/client/call/call-errors.js';
import { type TransportResponse, TransportFailure } from '../../../src/client/transport/transport.js';

const context: ErrorContext = {
  request: { method: 'GET', url: 'https://api.test/v1/pets' },
  attempts: [{ number: 1, startedAt: 0, waitedMs: 0 }],
  apiKey: 'k3y',
};
const answerOf = (status: number, body = '', headers: Record<string, string> = {}): TransportResponse => ({
  status,
  headers,
  body: Buffer.from(body),
  end: 'complete',
});
const failed = (
  reason: 'connection' | 'timeout' | 'aborted',
  sent: boolean,
  cause?: unknown,
): Extract<AttemptResult, { kind: 'failed' }> => ({ kind: 'failed', reason, sent, cause });

describe('a refusal', () => {
  test.each([
    [400, 'bad-request', false],
    [401, 'authentication', false],
    [403, 'api', false],
    [404, 'not-found', false],
    [408, 'api', true],
    [410, 'api', false],
    [500, 'server', true],
    [501, 'server', false],
    [502, 'server', true],
    [503, 'server', true],
    [504, 'server', true],
    [505, 'server', false],
  ])('with %i is of type %s, retryable: %s', (status, type, retryable) => {
    expect(statusError(answerOf(status), context)).toMatchObject({
      type,
      status,
      retryable,
      outcome: 'refused',
      message: `the service answered ${String(status)}`,
      attempts: context.attempts,
      request: context.request,
    });
    expect(isTransient(status)).toBe(retryable);
  });

  test('says what the service said', () => {
    const body = '{"code":"bad","message":"Name k3y missing.","status":999}';
    expect(statusError(answerOf(400, body, { 'x-request-id': 'r', 'x-e': 'k3y' }), context)).toMatchObject({
      message: 'Name [redacted] missing.',
      code: 'bad',
      status: 400,
      requestId: 'r',
      headers: { 'x-e': '[redacted]' },
    });
  });

  test.each(['null', '[]', '5', '"x"', '{}', '{"code":5,"message":{}}', '<html>', '{"code"'])(
    'with the body %s is told by its status alone',
    (body) => {
      const error = statusError(answerOf(404, body), context);
      expect(error.message).toBe('the service answered 404');
      expect(error.code).toBeUndefined();
    },
  );
});

describe('no answer', () => {
  test.each([
    ['ECONNREFUSED', true],
    ['ENOTFOUND', true],
    ['ECONNRESET', true],
    ['CERT_HAS_EXPIRED', false],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', false],
    ['SELF_SIGNED_CERT_IN_CHAIN', false],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', false],
    ['ERR_TLS_CERT_ALTNAME_INVALID', false],
  ])('because of %s may be better later: %s', (code, retryable) => {
    const cause = new TransportFailure(Object.assign(new Error('x'), { code }));
    expect(noResponse(failed('connection', false, cause), 5, context)).toMatchObject({
      type: 'connection',
      message: `no answer from https://api.test (${code})`,
      code,
      retryable,
      outcome: 'not-sent',
    });
  });

  test.each([
    [true, 'unknown'],
    [false, 'not-sent'],
  ])('of a request of which a byte left (%s) leaves the outcome %s', (sent, outcome) => {
    expect(noResponse(failed('timeout', sent), 800, context)).toMatchObject({
      type: 'timeout',
      limit: 'attempt',
      message: 'no complete answer within 800 ms',
      outcome,
    });
    expect(noResponse(failed('aborted', sent, 'why'), 800, context)).toMatchObject({
      type: 'aborted',
      cause: 'why',
      outcome,
    });
  });

  test('without a code is told by its message', () => {
    const error = noResponse(failed('connection', true, new Error('strange k3y')), 5, context);
    expect(error.message).toBe('no answer from https://api.test (strange [redacted])');
  });
});

test('an answer that can’t be understood is shown in part, without the key', () => {
  const answer = answerOf(200, '<p>\x1b k3y', { 'content-type': 'text/html; k3y', 'request-id': 'r k3y' });
  expect(invalidResponseError(answer, 'its body is not JSON', context)).toMatchObject({
    message: "the answer can't be understood: its body is not JSON",
    status: 200,
    contentType: 'text/html; [redacted]',
    excerpt: '<p>\\u{1b} [redacted]',
    requestId: 'r [redacted]',
    retryable: false,
    outcome: 'unknown',
  });
});

test.each([
  [
    307,
    'elsewhere',
    'https://elsewhere.test',
    'to https://elsewhere.test, and the key is not taken there',
    'refused',
  ],
  [308, 'write', 'https://api.test', 'a write, which is not sent a second time', 'refused'],
  [303, 'write', 'https://api.test', 'a write, which is not sent a second time', 'unknown'],
  [302, 'too-many', 'https://api.test', 'again and again', 'refused'],
  [308, 'no-target', undefined, 'without saying where to', 'refused'],
] as const)('a redirect with %i, %s, says why it is not followed', (status, fault, origin, told, outcome) => {
  const error = redirectError(answerOf(status), fault, origin, context);
  expect(error).toMatchObject({ type: 'invalid-response', status, outcome });
  expect(error.message).toContain(told);
  expect(error.message).not.toContain(context.apiKey);
});

describe('a limit', () => {
  test('says until when, as a time that exists', () => {
    const facts = { retryAfterMs: 5_000, now: 1_000, rateLimit: undefined, answer: undefined };
    expect(rateLimitErrorOf({ ...facts, outcome: 'not-sent' }, context)).toMatchObject({
      message: 'the rate limit is reached; the service accepts requests again at 1970-01-01T00:00:06.000Z',
      retryAt: new Date(6_000),
      retryAfterMs: 5_000,
      outcome: 'not-sent',
    });
    const endless = rateLimitErrorOf({ ...facts, retryAfterMs: Infinity, outcome: 'refused' }, context);
    expect(endless.retryAt.getTime()).toBe(8.64e15);
  });

  test('says what the service said of it', () => {
    const answer = answerOf(429, '{"code":"slow","message":"Slow down, k3y."}', { 'x-request-id': 'r' });
    const rateLimit = { limit: 60, remaining: 0, resetAt: 0, window: 'minute' as const };
    const error = rateLimitErrorOf(
      { retryAfterMs: 0, now: 0, rateLimit, answer, outcome: 'refused' },
      context,
    );
    expect(error.message).toContain('Slow down, [redacted].');
    expect(error).toMatchObject({ code: 'slow', requestId: 'r', limit: 60, remaining: 0, window: 'minute' });
  });
});

test('a write without a clear end keeps what is known of it', () => {
  const cause = statusError(answerOf(503), context);
  expect(unknownOutcomeError(cause, context)).toMatchObject({
    message: 'the request may or may not have been carried out: the service answered 503',
    cause,
    status: 503,
    request: context.request,
    attempts: context.attempts,
  });
  expect(
    unknownOutcomeError(deadlineError(9, undefined, context, 'unknown'), context).status,
  ).toBeUndefined();
});

test('an abort keeps the caller’s own reason', () => {
  const reason = { mine: true };
  expect(abortedError(reason, context, 'not-sent').cause).toBe(reason);
});
