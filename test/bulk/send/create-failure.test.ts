import { expect, test } from 'vitest';
import { classifyFailure } from '../../../src/bulk/send/create-failure.js';
import {
  AbortedError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  InvalidInputError,
  InvalidResponseError,
  NotFoundError,
  RateLimitError,
  TimeoutError,
  UnknownOutcomeError,
} from '../../../src/errors.js';

const retryAt = new Date(0);

test.each([
  [
    new BadRequestError('name is too long', { status: 400, code: 'bad_name' }),
    'name is too long (bad_name, HTTP 400)',
  ],
  [new ApiError('no', { status: 422 }), 'no (HTTP 422)'],
  [new ApiError('there is one', { status: 409 }), 'there is one (HTTP 409)'],
  [new InvalidInputError('name is missing'), 'name is missing'],
])('%s affects the row', (error, reason) => {
  expect(classifyFailure(error)).toEqual({ kind: 'rejected', reason });
});

test.each([
  new UnknownOutcomeError('lost'),
  new AbortedError('aborted', { outcome: 'unknown' }),
  new InvalidResponseError('not understood', { response: { status: 201, headers: {} } }),
  new Error('unexpected'),
  'not an error',
])('%s leaves the outcome unknown', (error) => {
  expect(classifyFailure(error)).toMatchObject({ kind: 'unknown', error });
});

test.each<readonly [Error, object]>([
  [new RateLimitError('wait', { retryAt, retryAfterMs: 1 }), { reason: 'rate-limited', retryAt }],
  [new AuthenticationError('who?', { status: 401 }), { reason: 'rejected' }],
  ...[402, 403, 405, 407, 410].map(
    (status) => [new ApiError('no', { status }), { reason: 'rejected' }] as const,
  ),
  [new NotFoundError('no such route', { status: 404 }), { reason: 'rejected' }],
  [new ConfigurationError('no key'), { reason: 'rejected' }],
  [new InvalidResponseError('elsewhere', { outcome: 'refused' }), { reason: 'rejected' }],
  [new ConnectionError('refused'), { reason: 'unavailable' }],
  [new TimeoutError('too long', { limit: 'deadline' }), { reason: 'unavailable' }],
  [new AbortedError('aborted'), { reason: 'aborted' }],
])('%s affects all rows, and creates no pet', (error, stop) => {
  expect(classifyFailure(error)).toEqual({ kind: 'not-created', stop: { error, ...stop } });
});

test('a long reason is truncated', () => {
  const failure = classifyFailure(new BadRequestError('x'.repeat(5_000_000), { status: 400 }));
  expect(failure).toEqual({ kind: 'rejected', reason: `${'x'.repeat(1_000)}…` });
});
