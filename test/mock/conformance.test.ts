import { setupServer } from 'msw/node';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createMock, type Mock, type MockRequest, type MockResponse } from '../../src/mock/index.js';
import { handlers } from '../../src/mock/msw.js';
import { frozenClock, requestOf } from './send-request.js';

/** A request with the status of its response, or a step of the clock. */
type Row = readonly [request: MockRequest, status: number] | { advance: string };

function repeated(request: MockRequest, ...statuses: readonly number[]): Row[] {
  return statuses.map((status) => [request, status]);
}

const times = (status: number, count: number): number[] => Array.from({ length: count }, () => status);

/** The table that every transport conforms to (interface specification, "Endpoints", "Limits" and "Versioning"). */
const TABLE: readonly Row[] = [
  [requestOf('GET', '/pets'), 200],
  [requestOf('GET', '/pets?limit=3&status=available'), 200],
  [requestOf('GET', '/pets?limit=0'), 400],
  [requestOf('GET', '/pets?status=%zz'), 400],
  [requestOf('HEAD', '/pets'), 200],
  [requestOf('POST', '/pets', { body: '{"name":"Möhre 小春","categoryId":9007199254740993}' }), 201],
  [requestOf('GET', '/pets/25'), 200],
  [requestOf('HEAD', '/pets/25'), 200],
  [requestOf('POST', '/pets', { body: '{"name":' }), 400],
  [requestOf('POST', '/pets', { body: '{}' }), 400],
  [requestOf('POST', '/pets', { body: 'x', headers: { 'content-type': 'text/plain' } }), 415],
  [requestOf('POST', '/pets', { body: JSON.stringify({ name: 'x'.repeat(1_100_000), categoryId: 1 }) }), 413],
  // A generated pet has an id beyond the exact numbers of JavaScript.
  [requestOf('GET', '/pets/9007199254740993'), 200],
  [requestOf('GET', '/pets/404'), 404],
  [requestOf('GET', '/pets/abc'), 400],
  [requestOf('GET', '/pets/%zz'), 400],
  [requestOf('GET', '/nowhere'), 404],
  [requestOf('DELETE', '/pets'), 405],
  [requestOf('PUT', '/pets/1', { body: '{}' }), 405],
  [requestOf('GET', '/openapi.json'), 200],
  [requestOf('GET', '/pets', { key: '' }), 401],
  [requestOf('GET', '/pets', { key: 'wrong' }), 401],
  [requestOf('GET', '/pets', { key: 'second' }), 200],
  // The faults of `mockWithFaults`, and then the limit of the minute.
  ...repeated(requestOf('GET', '/pets/1'), 503, 200, 502, 200, 200, 200, 204, 200, 205, 200, 304),
  ...repeated(requestOf('GET', '/pets/1'), ...times(200, 34), ...times(429, 8)),
  { advance: 'until-reset' },
  ...repeated(requestOf('GET', '/pets?limit=1'), ...times(200, 60), ...times(429, 12)),
  { advance: 'until-unbanned' },
  [requestOf('GET', '/pets'), 200],
  [requestOf('GET', '/pets/2'), 200],
  // After the announced removal of the endpoint.
  { advance: '2000d' },
  [requestOf('GET', '/pets/2'), 410],
];

const EXPECTED_STATUSES = TABLE.flatMap((row) => ('advance' in row ? [] : [row[1]]));

type Send = (request: MockRequest) => Promise<MockResponse>;

async function run(mock: Mock, send: Send): Promise<MockResponse[]> {
  const responses: MockResponse[] = [];
  for (const row of TABLE) {
    if ('advance' in row) mock.advance(row.advance);
    else responses.push(await send(row[0]));
  }
  return responses;
}

function mockWithFaults(): Mock {
  const actions = [
    { status: 503 },
    'html-502',
    'bad-json',
    { status: 204 },
    { status: 205 },
    { status: 304 },
  ];
  return createMock({
    clock: frozenClock,
    keys: ['mock-key', 'second'],
    instance: 'same',
    faults: (actions as (string | { status: number })[]).map((action, index) => ({
      route: 'GET /pets/{petId}',
      skip: 5 + index,
      times: 1,
      action: action as 'bad-json',
    })),
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

/** Without a transport. */
function byHandle(mock: Mock): Send {
  return (request) => {
    const outcome = mock.handle(request);
    if (outcome.kind !== 'response') throw new Error(outcome.kind);
    return Promise.resolve(outcome.response);
  };
}

const TRANSPORTS: Readonly<Record<string, (mock: Mock) => Promise<Send>>> = {
  async HTTP(mock) {
    const { baseUrl, close } = await mock.listen();
    onTestFinished(() => close());
    return byFetch(fetch, baseUrl);
  },
  'Web fetch': (mock) => Promise.resolve(byFetch(mock.fetch, 'http://mock.test/v1')),
  msw(mock) {
    const server = setupServer(...handlers(mock, { baseUrl: 'https://pets.example/v1' }));
    server.listen({ onUnhandledRequest: 'error' });
    onTestFinished(() => server.close());
    return Promise.resolve(byFetch(fetch, 'https://pets.example/v1'));
  },
};

describe.each(Object.keys(TRANSPORTS))('%s', (name) => {
  test('conforms to the table, with the headers and bodies of the handler', async () => {
    const mock = mockWithFaults();
    const responses = await run(mock, await TRANSPORTS[name]!(mock));
    expect(responses.map(({ status }) => status)).toEqual(EXPECTED_STATUSES);
    const direct = mockWithFaults();
    expect(responses).toEqual(await run(direct, byHandle(direct)));
    expect(mock.state()).toEqual(direct.state());
  });
});
