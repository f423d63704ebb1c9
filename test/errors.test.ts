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

type Row = [error: PetStoreError, type: string, outcome: string, retryable: boolean, own?: object];

const OF_API = { code: 'c', requestId: 'r' };
const NO_PET = { status: 200, headers: {} };
const limit = { retryAfterMs: 9, limit: 60, remaining: 0, window: 'minute' } as const;
const invalid = { contentType: 'text/html', excerpt: '<p>', requestId: 'r' };

const ALL: readonly Row[] = [
  [
    new InvalidInputError('m', { ...shared, field: 'limit' }),
    'invalid-input',
    'not-sent',
    false,
    { field: 'limit' },
  ],
  [
    new ConfigurationError('m', { ...shared, option: 'apiKey' }),
    'configuration',
    'not-sent',
    false,
    { option: 'apiKey' },
  ],
  [new ApiError('m', { ...api, status: 418 }), 'api', 'refused', false, { status: 418, ...OF_API }],
  [
    new BadRequestError('m', { ...api, status: 400 }),
    'bad-request',
    'refused',
    false,
    { status: 400, ...OF_API },
  ],
  [
    new AuthenticationError('m', { ...api, status: 401 }),
    'authentication',
    'refused',
    false,
    { status: 401, ...OF_API },
  ],
  [
    new NotFoundError('m', { ...api, status: 404 }),
    'not-found',
    'refused',
    false,
    { status: 404, ...OF_API },
  ],
  [
    new RateLimitError('m', { ...api, retryAt, ...limit }),
    'rate-limit',
    'refused',
    true,
    { status: 429, ...OF_API, retryAt: '1970-01-01T00:00:00.000Z', ...limit },
  ],
  [
    new ServerError('m', { ...api, status: 503, retryable: true }),
    'server',
    'refused',
    true,
    { status: 503, ...OF_API },
  ],
  [
    new ConnectionError('m', { ...shared, code: 'ECONNREFUSED' }),
    'connection',
    'not-sent',
    true,
    { code: 'ECONNREFUSED' },
  ],
  [
    new TimeoutError('m', { ...shared, limit: 'attempt', outcome: 'unknown' }),
    'timeout',
    'unknown',
    true,
    { limit: 'attempt' },
  ],
  [new AbortedError('m', shared), 'aborted', 'not-sent', false],
  [
    new UnknownOutcomeError('m', { ...shared, response: { ...NO_PET, status: 503 } }),
    'unknown-outcome',
    'unknown',
    false,
    { status: 503 },
  ],
  [
    new InvalidResponseError('m', { ...shared, response: NO_PET, ...invalid }),
    'invalid-response',
    'unknown',
    false,
    { status: 200, ...invalid, isHttp: true },
  ],
];

describe.each(ALL.map((row) => [row[0].constructor.name, ...row] as const))(
  '%s',
  (name, error, type, outcome, retryable, own = {}) => {
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

test('an invalid response shows where it leads, and whether it is HTTP', () => {
  const redirect = new InvalidResponseError('Redirected', { redirectOrigin: 'https://b.test' });
  expect(redirect.toJSON()).toMatchObject({ redirectOrigin: 'https://b.test', isHttp: true });
  expect(new InvalidResponseError('Odd', { isHttp: false }).toJSON()).toHaveProperty('isHttp', false);
});
