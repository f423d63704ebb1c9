import { expect, test } from 'vitest';
import { createMock, type Mock } from '../../../src/mock/index.js';
import { sendRequest } from '../send-request.js';
import { serveMock } from './serve-mock.js';

const ORIGIN = { origin: 'https://shop.example' };
const PREFLIGHT = {
  ...ORIGIN,
  'access-control-request-method': 'POST',
  'access-control-request-headers': 'authorization,content-type',
};

test('a preflight request needs no key, has no faults and counts in no window', () => {
  const mock = createMock({ faults: ['outage'] });
  for (const path of ['/pets', '/pets/7', '/nowhere', 'http://mock.test/openapi.json']) {
    const { status, headers, body } = sendRequest(mock, 'OPTIONS', path, { key: '', headers: PREFLIGHT });
    expect({ status, body }).toEqual({ status: 204, body: '' });
    expect(headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-headers': 'Authorization, Content-Type, *',
      'access-control-allow-methods': expect.stringMatching(/^GET, HEAD, POST\b/),
      'x-ratelimit-limit': '60',
    });
  }
  expect(mock.state()).toMatchObject({ faults: [{ seen: 0 }], tenants: [{ rateLimit: { remaining: 60 } }] });
  expect(mock.journal.map(({ method, status }) => [method, status])[0]).toEqual(['OPTIONS', 204]);
});

test('a preflight request is no early retry', () => {
  const mock = createMock({ faults: [{ action: { status: 429, retryAfter: 60 } }] });
  sendRequest(mock, 'GET', '/pets', { key: '' });
  sendRequest(mock, 'OPTIONS', '/pets', { key: '', headers: PREFLIGHT });
  expect(mock.verify.respectedRetryAfter).not.toThrow();
});

test.each<[string, number, (mock: Mock) => void, { key?: string; path?: string }]>([
  ['a list', 200, () => undefined, {}],
  ['a request without a key', 401, () => undefined, { key: '' }],
  ['an unknown route', 404, () => undefined, { path: '/nowhere' }],
  ['a used-up limit', 429, (mock) => mock.setFaults(['rate-limit']), {}],
  ['a fault', 503, (mock) => mock.setFaults(['outage']), {}],
])(
  'a page of another origin can read the response to %s',
  (_, expected, prepare, { key, path = '/pets' }) => {
    const mock = createMock();
    prepare(mock);
    const { status, headers } = sendRequest(mock, 'GET', path, { key: key ?? 'mock-key', headers: ORIGIN });
    expect([status, headers['access-control-allow-origin']]).toEqual([expected, '*']);
    for (const name of ['Retry-After', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'])
      expect(headers['access-control-expose-headers']).toContain(name);
  },
);

test('a request without an origin gets no headers for pages', () => {
  expect(JSON.stringify(sendRequest(createMock(), 'GET', '/pets').headers)).not.toContain('access-control');
});

test('pages of other origins can not use the control API', async () => {
  const { url } = await serveMock(createMock());
  const preflight = await fetch(`${url}/__mock/reset`, { method: 'OPTIONS', headers: PREFLIGHT });
  const get = await fetch(`${url}/__mock/state`, { headers: ORIGIN });
  for (const { status, headers } of [preflight, get])
    expect([status, [...headers.keys()].filter((name) => name.startsWith('access-control'))]).toEqual([
      403,
      [],
    ]);
});
