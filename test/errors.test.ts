import { inspect } from 'node:util';
import { describe, expect, test } from 'vitest';
import {
  AbortedError,
  ApiError,
  type Attempt,
  AuthenticationError,
  BadRequestError,
  causesOf,
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

const cause = new Error('why');
const attempts: Attempt[] = [{ number: 1, startedAt: new Date(5), waitedMs: 0, status: 500 }];
const request = { method: 'GET', url: 'https://api.test/v1/pets' };
const shared = { cause, hint: 'do this', attempts, request };
const api = {
  ...shared,
  code: 'c',
  requestId: 'r',
  response: { status: 418, headers: { 'set-cookie': 'session=1' } },
};
const retryAt = new Date(0);

/** Express and connect, Koa, Fastify, Hono, h3 and Nitro, hapi, Restify, Next. */
const READ_BY_FRAMEWORKS = [
  ...['headers', 'statusCode', 'statusMessage', 'statusText', 'expose', 'body', 'data', 'headerSent'],
  ...['validation', 'validationContext', 'serialization', 'res', 'getResponse', 'unhandled', 'fatal'],
  ...['isBoom', 'output', 'restCode', 'digest', 'retryAfter'],
];

interface Expected {
  name: string;
  type: string;
  outcome: string;
  retryable: boolean;
  own: object;
}

const ALL: readonly (readonly [PetStoreError, Expected])[] = [
  [
    new InvalidInputError('m', { ...shared, field: 'limit' }),
    {
      name: 'InvalidInputError',
      type: 'invalid-input',
      outcome: 'not-sent',
      retryable: false,
      own: { field: 'limit' },
    },
  ],
  [
    new ConfigurationError('m', { ...shared, option: 'apiKey' }),
    {
      name: 'ConfigurationError',
      type: 'configuration',
      outcome: 'not-sent',
      retryable: false,
      own: { option: 'apiKey' },
    },
  ],
  [
    new ApiError('m', { ...api, status: 418 }),
    {
      name: 'ApiError',
      type: 'api',
      outcome: 'refused',
      retryable: false,
      own: { status: 418, code: 'c', requestId: 'r' },
    },
  ],
  [
    new BadRequestError('m', { ...api, status: 400 }),
    {
      name: 'BadRequestError',
      type: 'bad-request',
      outcome: 'refused',
      retryable: false,
      own: { status: 400, code: 'c', requestId: 'r' },
    },
  ],
  [
    new AuthenticationError('m', { ...api, status: 401 }),
    {
      name: 'AuthenticationError',
      type: 'authentication',
      outcome: 'refused',
      retryable: false,
      own: { status: 401, code: 'c', requestId: 'r' },
    },
  ],
  [
    new NotFoundError('m', { ...api, status: 404 }),
    {
      name: 'NotFoundError',
      type: 'not-found',
      outcome: 'refused',
      retryable: false,
      own: { status: 404, code: 'c', requestId: 'r' },
    },
  ],
  [
    new RateLimitError('m', { ...api, retryAt, retryAfterMs: 9, limit: 60, remaining: 0, window: 'minute' }),
    {
      name: 'RateLimitError',
      type: 'rate-limit',
      outcome: 'refused',
      retryable: true,
      own: {
        status: 429,
        code: 'c',
        requestId: 'r',
        retryAt: '1970-01-01T00:00:00.000Z',
        retryAfterMs: 9,
        limit: 60,
        remaining: 0,
        window: 'minute',
      },
    },
  ],
  [
    new ServerError('m', { ...api, status: 503, retryable: true }),
    {
      name: 'ServerError',
      type: 'server',
      outcome: 'refused',
      retryable: true,
      own: { status: 503, code: 'c', requestId: 'r' },
    },
  ],
  [
    new ConnectionError('m', { ...shared, code: 'ECONNREFUSED' }),
    {
      name: 'ConnectionError',
      type: 'connection',
      outcome: 'not-sent',
      retryable: true,
      own: { code: 'ECONNREFUSED' },
    },
  ],
  [
    new TimeoutError('m', { ...shared, limit: 'attempt', outcome: 'unknown' }),
    {
      name: 'TimeoutError',
      type: 'timeout',
      outcome: 'unknown',
      retryable: true,
      own: { limit: 'attempt' },
    },
  ],
  [
    new AbortedError('m', shared),
    { name: 'AbortedError', type: 'aborted', outcome: 'not-sent', retryable: false, own: {} },
  ],
  [
    new UnknownOutcomeError('m', { ...shared, response: { status: 503, headers: {} } }),
    {
      name: 'UnknownOutcomeError',
      type: 'unknown-outcome',
      outcome: 'unknown',
      retryable: false,
      own: { status: 503 },
    },
  ],
  [
    new InvalidResponseError('m', {
      ...shared,
      response: { status: 200, headers: {} },
      contentType: 'text/html',
      excerpt: '<p>',
      requestId: 'r',
    }),
    {
      name: 'InvalidResponseError',
      type: 'invalid-response',
      outcome: 'unknown',
      retryable: false,
      own: { status: 200, contentType: 'text/html', excerpt: '<p>', requestId: 'r', isHttp: true },
    },
  ],
];

describe.each(ALL.map(([error, expected]) => [expected.name, error, expected] as const))(
  '%s',
  (name, error, { type, outcome, retryable, own }) => {
    test('has a name and a type', () => {
      expect(error).toBeInstanceOf(PetStoreError);
      expect(isPetStoreError(error)).toBe(true);
      expect(error).toMatchObject({ name, type, outcome, retryable, message: 'm', hint: 'do this' });
      expect(error.cause).toBe(cause);
      expect(error.attempts).toBe(attempts);
      expect(error.request).toBe(request);
      expect(String(error)).toBe(`${name}: m`);
    });

    test('has no property that web frameworks copy to a response of their own', () => {
      expect(READ_BY_FRAMEWORKS.filter((property) => property in error)).toEqual([]);
      expect('status' in error).toBe(error instanceof ApiError);
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
        attempts: [{ ...attempts[0], startedAt: '1970-01-01T00:00:00.005Z' }],
        ...own,
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

test('the errors for a response are ApiErrors', () => {
  const names = ALL.filter(([error]) => error instanceof ApiError).map(([, { name }]) => name);
  expect(names).toEqual([
    'ApiError',
    'BadRequestError',
    'AuthenticationError',
    'NotFoundError',
    'RateLimitError',
    'ServerError',
  ]);
});

test('the types differ', () => {
  expect(new Set(ALL.map(([error]) => error.type)).size).toBe(ALL.length);
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

describe('causesOf', () => {
  test('returns each cause once, with the inner errors of an AggregateError', () => {
    const inner = new Error('inner');
    const aggregate = new AggregateError([inner, 'text'], 'several');
    const outer = new Error('outer', { cause: aggregate });
    inner.cause = outer;
    expect(causesOf(outer)).toEqual([outer, aggregate, inner, 'text']);
  });

  test.each([[undefined], [null], ['text']])('accepts %s', (value) => {
    expect(causesOf(value)).toEqual([value]);
  });
});

test('an invalid response has its facts as data', () => {
  const request = { method: 'GET', url: 'https://pets.test/v1/pets' };
  const shared = { request, attempts: [] };
  const redirect = new InvalidResponseError('Redirected', { ...shared, redirectOrigin: 'https://b.test' });
  expect(redirect).toMatchObject({ redirectOrigin: 'https://b.test', isHttp: true });
  expect(new InvalidResponseError('Odd', { ...shared, isHttp: false })).toMatchObject({ isHttp: false });
  expect('redirectOrigin' in new InvalidResponseError('Odd', shared)).toBe(false);
  expect(redirect.toJSON()).toMatchObject({ redirectOrigin: 'https://b.test', isHttp: true });
  expect(new InvalidResponseError('Odd', { ...shared, isHttp: false }).toJSON()).toHaveProperty(
    'isHttp',
    false,
  );
});
