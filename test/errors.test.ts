import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import type { Attempt } from '../src/error-fields.js';
import {
  AbortedError,
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConfigurationError,
  ConnectionError,
  InvalidInputError,
  InvalidResponseError,
  isPetStoreError,
  NotFoundError,
  PetStoreError,
  RateLimitError,
  ServerError,
  TimeoutError,
  UnknownOutcomeError,
} from '../src/errors.js';
import { causesOf } from '../src/foreign-error.js';

const cause = new Error('why');
const attempts: Attempt[] = [{ number: 1, startedAt: new Date(5), waitedMs: 0, status: 500 }];
const request = { method: 'GET', url: 'https://api.test/v1/pets' };
const response = { status: 206, headers: { 'set-cookie': 'session=1' } };
const shared = { cause, hint: 'do this', attempts, request, response };

/** Express and connect, Koa, Fastify, Hono, h3 and Nitro, hapi, Restify, Next. */
const READ_BY_FRAMEWORKS = [
  ...['headers', 'statusCode', 'statusMessage', 'statusText', 'expose', 'body', 'data', 'headerSent'],
  ...['validation', 'validationContext', 'serialization', 'res', 'getResponse', 'unhandled', 'fatal'],
  ...['isBoom', 'output', 'restCode', 'digest', 'retryAfter'],
];

const retryAt = new Date(0);
const OF_API = { code: 'c', requestId: 'r' };
const LIMIT = { retryAt, retryAfterMs: 9, limit: 60, remaining: 0, window: 'minute' };
const INVALID = { contentType: 'text/html', excerpt: '<p>', requestId: 'r' };

type AnyClass = new (message: string, options: never) => PetStoreError;
type Row = [AnyClass, type: string, outcome: string, retryable: boolean, own?: object];

/** Each class with its own fields. */
const ALL: readonly Row[] = [
  [InvalidInputError, 'invalid-input', 'not-sent', false, { field: 'limit' }],
  [ConfigurationError, 'configuration', 'not-sent', false, { option: 'apiKey' }],
  [ApiError, 'api', 'refused', false, { status: 418, ...OF_API }],
  [BadRequestError, 'bad-request', 'refused', false, { status: 400, ...OF_API }],
  [AuthenticationError, 'authentication', 'refused', false, { status: 401, ...OF_API }],
  [NotFoundError, 'not-found', 'refused', false, { status: 404, ...OF_API }],
  [RateLimitError, 'rate-limit', 'refused', true, { status: 429, ...OF_API, ...LIMIT }],
  [ServerError, 'server', 'refused', false, { status: 503, ...OF_API }],
  [ConnectionError, 'connection', 'not-sent', true, { code: 'ECONNREFUSED' }],
  [TimeoutError, 'timeout', 'not-sent', true, { limit: 'attempt' }],
  [AbortedError, 'aborted', 'not-sent', false],
  [UnknownOutcomeError, 'unknown-outcome', 'unknown', false],
  [InvalidResponseError, 'invalid-response', 'unknown', false, { ...INVALID, isHttp: true }],
];

describe.each(ALL.map((row) => [row[0].name, ...row] as const))(
  '%s',
  (name, ErrorClass, type, outcome, retryable, own = {}) => {
    const error = new ErrorClass('m', { ...shared, ...own } as never);

    test('has a name and a type', () => {
      expect(error).toBeInstanceOf(PetStoreError);
      expect(isPetStoreError(error)).toBe(true);
      expect(error).toMatchObject({ name, type, outcome, retryable, message: 'm', hint: 'do this', ...own });
      expect([error.cause, error.attempts, error.request]).toEqual([cause, attempts, request]);
      expect(String(error)).toBe(`${name}: m`);
    });

    test('has no property that web frameworks copy to a response of their own', () => {
      expect(READ_BY_FRAMEWORKS.filter((property) => property in error)).toEqual([]);
      expect('status' in error).toBe(error instanceof ApiError);
      expect(error.response?.status).toBe(206);
      expect(Object.keys(error)).not.toContain('response');
      expect(inspect(error, { depth: 20 })).not.toContain('session=1');
      expect(inspect(structuredClone(error), { depth: 20 })).not.toContain('session=1');
    });

    test('is plain data as JSON, without headers, cause and stack', () => {
      expect(JSON.parse(JSON.stringify(error))).toEqual({
        name,
        type,
        message: 'm',
        hint: 'do this',
        retryable,
        outcome,
        request,
        status: 206,
        attempts: [{ ...attempts[0], startedAt: '1970-01-01T00:00:00.005Z' }],
        ...(JSON.parse(JSON.stringify(own)) as object),
      });
    });
  },
);

test('omits unknown fields in JSON and has no cause by default', () => {
  const bare: readonly PetStoreError[] = [
    new InvalidInputError('m'),
    new ConfigurationError('m'),
    new ApiError('m', { status: 418 }),
    new RateLimitError('m', { retryAt, retryAfterMs: 0 }),
    new ConnectionError('m'),
    new UnknownOutcomeError('m'),
    new InvalidResponseError('m', {}),
  ];
  for (const error of bare) {
    expect(Object.values(error.toJSON())).not.toContain(undefined);
    expect(error).not.toHaveProperty('cause');
  }
});

test('UnknownOutcomeError always has the outcome unknown', () => {
  const options = { outcome: 'refused', retryable: true } as object;
  expect(new UnknownOutcomeError('m', options)).toMatchObject({ outcome: 'unknown', retryable: false });
});

describe('an error of another copy of the package', () => {
  test('is recognised', () => {
    const foreign = Object.assign(new Error('m'), { [Symbol.for('petstore.error')]: true });
    expect(foreign).not.toBeInstanceOf(PetStoreError);
    expect(isPetStoreError(foreign)).toBe(true);
  });

  test.each([new Error('m'), null, undefined, 'petstore.error', 5, {}])(
    'is not recognised in %o',
    (value) => {
      expect(isPetStoreError(value)).toBe(false);
    },
  );
});

function fail(): never {
  throw new Error('a getter of the caller');
}

describe('causesOf', () => {
  test('returns each cause once, with the inner errors of an AggregateError', () => {
    const inner = new Error('inner');
    const aggregate = new AggregateError([inner, 'text'], 'several');
    const outer = new Error('outer', { cause: aggregate });
    inner.cause = outer;
    expect(causesOf(outer)).toEqual([outer, aggregate, inner, 'text']);
  });

  test.each([
    ['undefined', undefined],
    ['null', null],
    ['a text', 'text'],
    ['what can not be read', new Proxy({}, { get: fail })],
  ])('accepts %s', (_, value) => {
    expect(causesOf(value)[0] === value).toBe(true);
    expect(causesOf(value)).toHaveLength(1);
  });

  test('ends where a getter creates ever more causes', () => {
    const create = (): Error => Object.defineProperty(new Error(), 'cause', { get: create });
    expect(causesOf(create())).toHaveLength(20);
    const inner = Array.from({ length: 50 }, () => new Error());
    expect(causesOf(new AggregateError(inner))).toHaveLength(20);
  });
});

test('an invalid response shows where it leads, and whether it is HTTP', () => {
  const redirect = new InvalidResponseError('Redirected', { redirectOrigin: 'https://b.test' });
  expect(redirect.toJSON()).toMatchObject({ redirectOrigin: 'https://b.test', isHttp: true });
  expect(new InvalidResponseError('Odd', { isHttp: false }).toJSON()).toHaveProperty('isHttp', false);
});
