import { setupServer } from 'msw/node';
import { expect, test } from 'vitest';
import { createMock, type Mock, type MockRequest, type MockResponse } from '../../src/mock/index.js';
import { handlers } from '../../src/mock/msw.js';
import { frozenClock, requestOf } from './send-request.js';

/** The same requests for every transport. */
const SCRIPT: readonly (MockRequest | { advance: string })[] = [
  requestOf('GET', '/pets'),
  requestOf('GET', '/pets?limit=3&status=available'),
  requestOf('GET', '/pets?limit=0'),
  requestOf('GET', '/pets?status=%zz'),
  requestOf('HEAD', '/pets'),
  requestOf('POST', '/pets', { body: '{"name":"Möhre 小春","categoryId":9007199254740993,"status":"sold"}' }),
  requestOf('GET', '/pets/25'),
  requestOf('HEAD', '/pets/25'),
  requestOf('POST', '/pets', { body: '{"name":' }),
  requestOf('POST', '/pets', { body: '{}' }),
  requestOf('POST', '/pets', { body: 'x', headers: { 'content-type': 'text/plain' } }),
  requestOf('POST', '/pets', { body: JSON.stringify({ name: 'x'.repeat(1_100_000), categoryId: 1 }) }),
  requestOf('GET', '/pets/9007199254740993'),
  requestOf('GET', '/pets/404'),
  requestOf('GET', '/pets/abc'),
  requestOf('GET', '/pets/%zz'),
  requestOf('GET', '/nowhere'),
  requestOf('DELETE', '/pets'),
  requestOf('PUT', '/pets/1', { body: '{}' }),
  requestOf('GET', '/openapi.json'),
  requestOf('GET', '/pets', { key: '' }),
  requestOf('GET', '/pets', { key: 'wrong' }),
  requestOf('GET', '/pets', { key: 'second' }),
  ...Array.from({ length: 53 }, () => requestOf('GET', '/pets/1')),
  { advance: 'until-reset' },
  ...Array.from({ length: 72 }, () => requestOf('GET', '/pets?limit=1')),
  { advance: 'until-unbanned' },
  requestOf('GET', '/pets'),
  requestOf('GET', '/pets/2'),
  { advance: '2000d' },
  requestOf('GET', '/pets/2'),
];

type Send = (request: MockRequest) => Promise<MockResponse>;

async function run(mock: Mock, send: Send): Promise<MockResponse[]> {
  const responses: MockResponse[] = [];
  for (const step of SCRIPT) {
    if ('advance' in step) mock.advance(step.advance);
    else responses.push(await send(step));
  }
  return responses;
}

function sameMock(): Mock {
  return createMock({
    clock: frozenClock,
    keys: ['mock-key', 'second'],
    instance: 'same',
    faults: [
      { route: 'GET /pets/{petId}', skip: 5, times: 1, action: { status: 503 } },
      { route: 'GET /pets/{petId}', skip: 6, times: 1, action: 'html-502' },
      { route: 'GET /pets/{petId}', skip: 7, times: 1, action: 'bad-json' },
      { route: 'GET /pets/{petId}', skip: 8, times: 1, action: { status: 204 } },
      { route: 'GET /pets/{petId}', skip: 9, times: 1, action: { status: 205 } },
      { route: 'GET /pets/{petId}', skip: 10, times: 1, action: { status: 304 } },
    ],
  });
}

/** Headers of the connection, not of the response. */
const HOP_BY_HOP = ['connection', 'keep-alive'];

function byFetch(sender: typeof fetch, baseUrl: string): Send {
  return async ({ method, url, headers, body }) => {
    const response = await sender(baseUrl + url.slice('/v1'.length), {
      method,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    const endToEnd = [...response.headers].filter(([name]) => !HOP_BY_HOP.includes(name));
    return { status: response.status, headers: Object.fromEntries(endToEnd), body: await response.text() };
  };
}

test('handle, fetch, a real port and msw give the same status, headers and body', async () => {
  const direct = sameMock();
  const expected = await run(direct, (request) => {
    const outcome = direct.handle(request);
    if (outcome.kind !== 'response') throw new Error(outcome.kind);
    return Promise.resolve(outcome.response);
  });
  const statuses = new Set(expected.map(({ status }) => status));
  expect(statuses).toEqual(
    new Set([200, 201, 204, 205, 304, 400, 401, 404, 405, 410, 413, 415, 429, 502, 503]),
  );

  const fetched = sameMock();
  expect(await run(fetched, byFetch(fetched.fetch, 'http://mock.test/v1'))).toEqual(expected);

  const listening = sameMock();
  const { baseUrl, close } = await listening.listen();
  expect(await run(listening, byFetch(fetch, baseUrl))).toEqual(expected);
  await close();

  const intercepted = sameMock();
  const msw = setupServer(...handlers(intercepted, { baseUrl: 'https://pets.example/v1' }));
  msw.listen({ onUnhandledRequest: 'error' });
  expect(await run(intercepted, byFetch(fetch, 'https://pets.example/v1'))).toEqual(expected);
  msw.close();

  for (const mock of [fetched, listening, intercepted]) expect(mock.state()).toEqual(direct.state());
});
