import { describe, expect, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { sendRequest, frozenClock, NOON } from '../send-request.js';

const problem = (status: number) => ({ code: expect.any(String), message: expect.any(String), status });

describe('API key', () => {
  test.each(['/pets', '/pets/1', '/nowhere', '/openapi.json', '/pets/%zz', 'http://mock.test/elsewhere'])(
    '%s without a key gets 401',
    (path) => {
      const response = sendRequest(createMock(), 'GET', path, { key: '' });
      expect([response.status, response.json]).toEqual([401, problem(401)]);
      expect(response.headers['www-authenticate']).toMatch(/^Bearer/);
    },
  );

  test.each([
    'Bearer wrong',
    'mock-key',
    'Basic mock-key',
    'Bearer',
    'Bearer ',
    'Bearer mock-key x',
    'Bearermock-key',
  ])('%j gets 401', (authorization) => {
    expect(sendRequest(createMock(), 'GET', '/pets', { headers: { authorization } }).status).toBe(401);
    expect(sendRequest(createMock(), 'POST', '/pets', { headers: { authorization } }).status).toBe(401);
  });

  test.each(['Bearer mock-key', 'bearer mock-key', 'BEARER  mock-key'])('%j is accepted', (authorization) => {
    expect(sendRequest(createMock(), 'GET', '/pets', { headers: { authorization } }).status).toBe(200);
  });
});

describe('unknown routes and methods', () => {
  test.each([
    ['GET', '/nowhere', 404],
    ['GET', '/pets/', 404],
    ['GET', '/pets/1/photos', 404],
    ['GET', '//pets', 404],
    ['GET', 'http://mock.test/pets', 404],
    ['GET', 'http://mock.test', 404],
    ['GET', '/pets/%zz', 400],
    ['GET', '/pets%2F1', 404],
    ['GET', '/v1%2fpets', 404],
    ['GET', '/pets/1%2F2', 400],
    ['GET', '/%c3%28', 400],
  ])('%s %s gets %i', (method, path, status) => {
    const response = sendRequest(createMock(), method, path);
    expect([response.status, response.json]).toEqual([status, problem(status)]);
  });

  test.each([
    ['DELETE', '/pets', 'GET, HEAD, POST'],
    ['POST', '/pets/1', 'GET, HEAD'],
    ['OPTIONS', '/openapi.json', 'GET, HEAD'],
    ['constructor', '/pets', 'GET, HEAD, POST'],
  ])('%s %s gets 405 with Allow', (method, path, allow) => {
    const response = sendRequest(createMock(), method, path);
    expect([response.status, response.json]).toEqual([405, problem(405)]);
    expect(response.headers.allow?.startsWith(allow)).toBe(true);
  });
});

test('HEAD has the headers of GET and no body', () => {
  for (const path of ['/pets', '/pets/1', '/pets/99', '/nowhere']) {
    const [get, head] = ['GET', 'HEAD'].map((method) =>
      sendRequest(createMock({ clock: frozenClock, instance: 'x' }), method, path),
    );
    expect(head?.body).toBe('');
    expect([head?.status, head?.headers]).toEqual([get?.status, get?.headers]);
    expect(head?.headers['content-length']).toBe(String(Buffer.byteLength(get?.body ?? '')));
  }
});

test('every response has the rate headers, the date of the mock and the instance', () => {
  const mock = createMock({ clock: frozenClock, instance: 'me' });
  const responses = [
    sendRequest(mock, 'GET', '/pets'),
    sendRequest(mock, 'GET', '/pets', { key: '' }),
    sendRequest(mock, 'GET', '/nowhere'),
    sendRequest(mock, 'DELETE', '/pets'),
    sendRequest(mock, 'POST', '/pets', { body: '{' }),
    sendRequest(mock, 'GET', '/pets/1'),
    sendRequest(mock, 'GET', 'http://mock.test/openapi.json'),
    ...Array.from({ length: 60 }, () => sendRequest(mock, 'GET', '/pets')),
  ];
  expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([200, 400, 401, 404, 405, 429]));
  for (const { headers, body } of responses) {
    expect(headers).toMatchObject({
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
      'x-ratelimit-reset': String((NOON + 30_000) / 1_000),
      date: 'Sat, 21 Nov 2026 10:00:30 GMT',
      'x-mock-instance': 'me',
      'content-length': String(Buffer.byteLength(body)),
    });
  }
});

test('the date follows the clock', () => {
  const mock = createMock({ clock: frozenClock });
  expect(sendRequest(mock, 'GET', '/pets').headers.date).toBe('Sat, 21 Nov 2026 10:00:30 GMT');
  mock.advance('90s');
  expect(sendRequest(mock, 'GET', '/pets').headers.date).toBe('Sat, 21 Nov 2026 10:02:00 GMT');
});

test('accepts an absolute URL with any host, a query and a fragment', () => {
  const mock = createMock();
  expect(sendRequest(mock, 'GET', 'http://mock.test/v1/pets?limit=2#top').json).toHaveLength(2);
  expect(sendRequest(mock, 'GET', 'https://[::1]:8080/v1/pets?limit=3').json).toHaveLength(3);
});

test('HEAD counts like GET, and gets 429 like GET', () => {
  const mock = createMock({ clock: frozenClock });
  const remaining = () => sendRequest(mock, 'HEAD', '/pets').headers['x-ratelimit-remaining'];
  expect([remaining(), remaining()]).toEqual(['59', '58']);
  for (let sent = 2; sent < 60; sent += 1) expect(sendRequest(mock, 'HEAD', '/pets/1').status).toBe(200);
  const rejected = sendRequest(mock, 'HEAD', '/pets');
  expect([rejected.status, rejected.headers['retry-after'], rejected.body]).toEqual([429, '30', '']);
});

test('a client that waits until X-RateLimit-Reset or for Retry-After is never early', () => {
  for (const oddMs of [1, 250, 499, 500, 501, 999]) {
    for (const until of ['x-ratelimit-reset', 'retry-after'] as const) {
      const base = NOON + oddMs;
      const mock = createMock({ clock: { now: () => base }, faults: ['rate-limit:seconds=2.5'] });
      const { status, headers } = sendRequest(mock, 'GET', '/pets');
      expect(status).toBe(429);
      const waitMs = Number(headers[until]) * 1_000;
      mock.advance(until === 'retry-after' ? waitMs : waitMs - base);
      expect(sendRequest(mock, 'GET', '/pets').status, `${until} at .${String(oddMs)}`).toBe(200);
    }
  }
});
