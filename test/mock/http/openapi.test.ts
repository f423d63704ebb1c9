import { expect, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { OPEN_API } from '../../../src/mock/service/openapi.js';
import { SPECIFIED_OPERATIONS } from '../../support/specification.js';
import { frozenClock, requestOf, sendRequest } from '../send-request.js';

test('is served below /v1 with a key, and at the root without one', () => {
  const mock = createMock();
  expect(sendRequest(mock, 'GET', '/openapi.json').json).toEqual(JSON.parse(JSON.stringify(OPEN_API)));
  expect(sendRequest(mock, 'GET', 'http://mock.test/openapi.json', { key: '' }).json).toMatchObject({
    openapi: '3.1.0',
  });
  expect(sendRequest(mock, 'POST', 'http://mock.test/openapi.json', { key: '' }).status).toBe(405);
});

test.each([
  ['outage', 200],
  ['rate-limit:seconds=60', 200],
  ['reset:query=x', 200],
  ['slow:route=GET', 200],
  ['status:status=404,route=GET /openapi.json', 404],
])('at the root, it has only faults that name it, and no limits: %s', (fault, status) => {
  const mock = createMock({ faults: ['slow', fault], clock: frozenClock });
  sendRequest(mock, 'GET', '/pets');
  const outcome = mock.handle(requestOf('GET', 'http://mock.test/openapi.json?x'));
  expect(outcome).toMatchObject({ response: { status }, delayMs: 0 });
  const { sequence = 0, tenant } = mock.journal.at(-1) ?? {};
  expect([tenant, mock.explain(sequence).reason === 'served']).toEqual([undefined, false]);
  expect(mock.verify.respectedRetryAfter).not.toThrow();
});

interface Described {
  operationId: string;
  parameters?: readonly { name: string; in: string }[];
  requestBody?: { content: Readonly<Record<string, { example?: object }>> };
  responses: Readonly<Record<string, { description: string }>>;
}

const described = Object.entries(OPEN_API.paths).flatMap(([path, operations]) =>
  Object.entries(operations).map(([method, operation]) => ({
    method: method.toUpperCase(),
    path,
    operation: operation as Described,
  })),
);

/** Requests that cause every status of an operation. The first one succeeds. */
function requestsOf(method: string, path: string, operation: Described) {
  const { parameters = [], requestBody } = operation;
  const body = requestBody?.content['application/json']?.example;
  const of = (id: string, parts: object = { body }, query = '') =>
    [method, path.replace(/\{\w+\}/, id) + query, parts] as const;
  return [
    of('1'),
    ...parameters.map(({ name, in: place }) => (place === 'query' ? of('1', {}, `?${name}=%zz`) : of('x'))),
    ...(path.includes('{') ? [of('999')] : []),
    ...(body === undefined
      ? []
      : [
          of('1', { body: { ...body, name: '' } }),
          of('1', { body, headers: { 'content-type': 'text/plain' } }),
          of('1', { body: JSON.stringify('x'.repeat(1_048_576)) }),
        ]),
  ];
}

test.each(described)(
  'lists the responses of $method $path, with "Mock only" for the mock’s own rules',
  ({ method, path, operation }) => {
    const requests = requestsOf(method, path, operation);
    const [[, target, parts] = ['', '', {}]] = requests;
    const mock = createMock({ clock: frozenClock });
    const send = (key: string) => sendRequest(mock, method, target, { ...parts, key }).status;
    const seen = new Set(requests.map((request) => sendRequest(mock, ...request).status));
    seen.add(send('wrong'));
    while (sendRequest(mock, 'GET', '/pets').status === 200);
    seen.add(send('mock-key'));
    mock.advance('1500d');
    seen.add(send('mock-key'));
    const statuses = Object.keys(operation.responses).map(Number);
    expect(statuses).toEqual([...seen].sort((one, other) => one - other));
    const specified = SPECIFIED_OPERATIONS.find(({ name }) => name === operation.operationId)?.statuses;
    const own = statuses.filter((status) =>
      operation.responses[status]?.description.startsWith('Mock only:'),
    );
    expect(own).toEqual(statuses.filter((status) => specified?.includes(status) !== true));
  },
);
