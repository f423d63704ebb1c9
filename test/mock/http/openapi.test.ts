import { expect, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { OPEN_API } from '../../../src/mock/http/openapi.js';
import { ROUTES } from '../../../src/mock/http/routes.js';
import { ask } from '../ask.js';

test('describes exactly the routes of the service', () => {
  const described = Object.entries(OPEN_API.paths).map(([path, item]) => [path, ...Object.keys(item)]);
  const served = ROUTES.filter(({ path }) => path !== '/openapi.json').map(({ path, methods }) => [
    path,
    ...Object.keys(methods).map((method) => method.toLowerCase()),
  ]);
  expect(described).toEqual(served);
});

test('every reference leads somewhere', () => {
  const references = [...JSON.stringify(OPEN_API).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
    ([, path = '']) => path,
  );
  expect(references.length).toBeGreaterThan(10);
  for (const path of references) {
    const found = path
      .split('/')
      .reduce<unknown>((node, part) => (node as Record<string, unknown>)[part], OPEN_API);
    expect(found, path).toBeTypeOf('object');
  }
});

test('is served below /v1 with the key, and beside it to tools that can send none', () => {
  const mock = createMock();
  expect(ask(mock, 'GET', '/openapi.json').json).toEqual(JSON.parse(JSON.stringify(OPEN_API)));
  expect(ask(mock, 'GET', 'http://mock.test/openapi.json', { key: '' }).json).toMatchObject({
    openapi: '3.1.0',
  });
  expect(ask(mock, 'POST', 'http://mock.test/openapi.json', { key: '' }).status).toBe(405);
});
