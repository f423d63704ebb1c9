import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { stringifyJson } from '../../../src/schema/json.js';
import { createMock, type JournalEntry } from '../../../src/mock/index.js';
import { sendRequest, frozenClock, NOON, requestOf } from '../send-request.js';

test('records requests and outcomes', () => {
  const mock = createMock({
    clock: frozenClock,
    faults: [
      { route: 'POST', action: 'reset' },
      { route: '/pets/1', action: { status: 500 } },
    ],
  });
  sendRequest(mock, 'GET', '/pets?limit=5');
  mock.advance('1s');
  mock.handle(requestOf('POST', '/pets', { body: { name: 'Rex', categoryId: 1 } }));
  sendRequest(mock, 'GET', '/pets/1');
  sendRequest(mock, 'GET', 'http://mock.test/elsewhere', { key: 'wrong' });
  const headers = { authorization: 'Bearer [redacted]' };
  const list = { method: 'GET', target: '/v1/pets?limit=5', path: '/pets', query: 'limit=5' };
  const create = { method: 'POST', target: '/v1/pets', path: '/pets', query: '', fault: 'reset' };
  expect(mock.journal).toEqual([
    { ...list, sequence: 1, at: new Date(NOON), headers, tenant: 1, status: 200 },
    {
      ...create,
      sequence: 2,
      at: new Date(NOON + 1_000),
      tenant: 1,
      headers: { ...headers, 'content-type': 'application/json' },
      body: '{"name":"Rex","categoryId":1}',
    },
    expect.objectContaining({ sequence: 3, path: '/pets/1', status: 500, fault: 'status 500' }),
    expect.objectContaining({ sequence: 4, target: '/elsewhere', path: '/elsewhere', status: 401 }),
  ]);
  expect(mock.journal[3]).not.toHaveProperty('tenant');
});

test('never shows the key: not in the journal, the state, a snapshot or the console', () => {
  const seen: JournalEntry[] = [];
  const mock = createMock({ keys: ['sekret-key'], onRequest: (entry) => seen.push(entry) });
  for (const authorization of ['Bearer sekret-key', 'sekret-key', 'bearer\tsekret-key', 'Basic sekret-key']) {
    sendRequest(mock, 'GET', '/pets', {
      headers: { authorization, cookie: 'sekret-key', 'x-api-key': 'sekret-key' },
    });
  }
  mock.handle({ method: 'GET', url: '/v1/pets', headers: { Authorization: 'Bearer sekret-key' } });
  mock.handle({ method: 'GET', url: 'http://me:sekret-key@mock.test/v1/pets', headers: {} });
  expect(seen).toHaveLength(6);
  const outputs = [seen, mock.journal, mock.state(), mock.snapshot()].map((value) => stringifyJson(value));
  expect([...outputs, inspect(mock, { depth: 9, showHidden: true })].join('\n')).not.toContain('sekret');
});

test('has a maximum, and counts dropped entries', () => {
  const mock = createMock({ journalMax: 3 });
  for (let id = 1; id <= 5; id += 1) sendRequest(mock, 'GET', `/pets/${String(id)}`);
  expect(mock.journal.map(({ sequence, path }) => [sequence, path])).toEqual([
    [3, '/pets/3'],
    [4, '/pets/4'],
    [5, '/pets/5'],
  ]);
  expect(mock.state().journal).toEqual({ entries: 3, dropped: 2 });
  expect(() => createMock({ journalMax: 0 })).toThrow(TypeError);
});

test('keeps the start of a long body', () => {
  const mock = createMock();
  sendRequest(mock, 'POST', '/pets', { body: 'ö'.repeat(20_000) });
  expect(mock.journal[0]?.body).toBe('ö'.repeat(16_384));
});

test('a request keeps its own values, however similar it is to the one before', () => {
  const mock = createMock();
  const headers = { authorization: `Bearer ${mock.keys[0] ?? ''}`, 'x-a': '1' };
  const requests = [
    { method: 'GET', url: '/v1/pets', headers },
    { method: 'GET', url: '/v1/pets', headers: { ...headers } },
    { method: 'GET', url: '/v1/pets?limit=1', headers: { ...headers } },
    { method: 'HEAD', url: '/v1/pets?limit=1', headers: { ...headers } },
    { method: 'HEAD', url: '/v1/pets?limit=1', headers: { ...headers, 'x-a': '2' } },
    { method: 'HEAD', url: '/v1/pets?limit=1', headers: { ...headers, 'x-b': '2' } },
    { method: 'HEAD', url: '/v1/pets?limit=1', headers },
    { method: 'POST', url: '/v1/pets', headers, body: '1' },
    { method: 'POST', url: '/v1/pets', headers, body: '2' },
    { method: 'POST', url: '/v1/pets', headers },
  ];
  for (const request of requests) mock.handle(request);
  expect(mock.journal.map(({ method, target, headers, body }) => [method, target, headers, body])).toEqual(
    requests.map(({ method, url, headers, body }) => [
      method,
      url,
      { ...headers, authorization: 'Bearer [redacted]' },
      body,
    ]),
  );
  expect(mock.journal.map(({ query }) => query)).toEqual(requests.map(({ url }) => url.split('?')[1] ?? ''));
});
