import { expect, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { OPEN_API } from '../../../src/mock/http/openapi.js';
import { ROUTES } from '../../../src/mock/http/routes.js';
import { sendRequest, frozenClock } from '../send-request.js';

test('describes exactly the routes of the service', () => {
  const described = Object.entries(OPEN_API.paths).map(([path, item]) => [path, ...Object.keys(item)]);
  const served = ROUTES.filter(({ path }) => path !== '/openapi.json').map(({ path, methods }) => [
    path,
    ...Object.keys(methods).map((method) => method.toLowerCase()),
  ]);
  expect(described).toEqual(served);
});

test('is served below /v1 with a key, and at the root without one', () => {
  const mock = createMock();
  expect(sendRequest(mock, 'GET', '/openapi.json').json).toEqual(JSON.parse(JSON.stringify(OPEN_API)));
  expect(sendRequest(mock, 'GET', 'http://mock.test/openapi.json', { key: '' }).json).toMatchObject({
    openapi: '3.1.0',
  });
  expect(sendRequest(mock, 'POST', 'http://mock.test/openapi.json', { key: '' }).status).toBe(405);
});

/** Requests that cause every status of an operation. */
const REQUESTS: Readonly<Record<string, readonly [method: string, path: string, parts?: object][]>> = {
  listPets: [
    ['GET', '/pets'],
    ['GET', '/pets?limit=0'],
    ['GET', '/pets?status=%zz'],
  ],
  createPet: [
    ['POST', '/pets', { body: { name: 'Rex', categoryId: 1 } }],
    ['POST', '/pets', { body: {} }],
    ['POST', '/pets', { body: '{}', headers: { 'content-type': 'text/plain' } }],
    ['POST', '/pets', { body: JSON.stringify('x'.repeat(1_048_576)) }],
  ],
  getPet: [
    ['GET', '/pets/1'],
    ['GET', '/pets/999'],
    ['GET', '/pets/x'],
  ],
};

test.each(Object.values(OPEN_API.paths).flatMap((item) => Object.values(item)))(
  'lists the responses of $operationId, with "Mock only" for the mock’s own rules',
  ({
    operationId,
    responses,
  }: {
    operationId: string;
    responses: Record<string, { description: string }>;
  }) => {
    const requests = REQUESTS[operationId] ?? [];
    const mock = createMock({ clock: frozenClock });
    const seen = new Set(requests.map((parts) => sendRequest(mock, ...parts).status));
    seen.add(sendRequest(mock, ...withKey(requests[0], 'wrong')).status);
    while (sendRequest(mock, 'GET', '/pets').status === 200);
    seen.add(sendRequest(mock, ...withKey(requests[0], 'mock-key')).status);
    mock.advance('1500d');
    seen.add(sendRequest(mock, ...withKey(requests[0], 'mock-key')).status);
    expect(Object.keys(responses).map(Number)).toEqual([...seen].sort((one, other) => one - other));
    const own = Object.entries(responses).filter(([, { description }]) =>
      description.startsWith('Mock only:'),
    );
    expect(own.map(([status]) => `${operationId} ${status}`)).toEqual(
      OWN_RULES.filter((rule) => rule.startsWith(`${operationId} `)),
    );
  },
);

/** Statuses that the service does not list (interface specification, "Endpoints"). */
const OWN_RULES = ['listPets 400', 'createPet 413', 'createPet 415', 'getPet 400', 'getPet 410'];

function withKey([method, path, parts = {}]: readonly [string, string, object?] = ['', ''], key: string) {
  return [method, path, { ...parts, key }] as const;
}
