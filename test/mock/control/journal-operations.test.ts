import { expect, test } from 'vitest';
import { createMock, type MockEvent } from '../../../src/mock/index.js';
import { sendRequest } from '../send-request.js';
import { serveControl } from './serve-control.js';

const { mock, url, control: send } = serveControl({});

async function control(
  path: string,
  body?: object,
): Promise<{ status: number; json: Record<string, unknown> }> {
  const { status, json } = await send(body === undefined ? 'GET' : 'POST', path, body);
  return { status, json: json as Record<string, unknown> };
}

const addPet = (): unknown => sendRequest(mock, 'POST', '/pets', { body: { name: 'Rex', categoryId: 1 } });

test('waits until three POST requests were seen', async () => {
  addPet();
  const seen = control('/journal?method=POST&count=3&timeout=60s');
  let isSeen = false;
  void seen.then(() => (isSeen = true));
  await control('/health');
  addPet();
  sendRequest(mock, 'GET', '/pets');
  await control('/health');
  expect(isSeen).toBe(false);
  addPet();
  expect((await seen).json.entries).toHaveLength(3);
});

test('a wait that times out gets 408 with the requests so far', async () => {
  addPet();
  const { status, json } = await control('/journal?method=POST&count=2&timeout=1ms');
  expect({ status, ...json }).toMatchObject({ status: 408, code: 'timeout', entries: [{ sequence: 1 }] });
});

test('filters', async () => {
  addPet();
  sendRequest(mock, 'GET', '/pets/404');
  sendRequest(mock, 'GET', '/pets', { key: 'wrong' });
  const sequences = async (query: string): Promise<number[]> =>
    ((await control(`/journal?${query}`)).json.entries as { sequence: number }[]).map(
      ({ sequence }) => sequence,
    );
  expect(await sequences('method=get')).toEqual([2, 3]);
  expect(await sequences('path=/v1/pets')).toEqual([1, 3]);
  expect(await sequences('status=404')).toEqual([2]);
  expect(await sequences('since=2')).toEqual([3]);
  expect(await sequences('tenant=1')).toEqual([1, 2]);
  for (const query of ['status=x', 'count=-1', 'count=1&timeout=soon', 'count=1&timeout=61s'])
    expect((await control(`/journal?${query}`)).status, query).toBe(400);
});

test('a failed expectation names the nearest request', async () => {
  addPet();
  const { status, json } = await control('/expectations', {
    expectations: [{ method: 'PUT', path: '/pets', count: 1 }, { respectedRetryAfter: true }],
  });
  expect(status).toBe(409);
  expect(json).toMatchObject({ passed: false, results: [{ passed: false }, { passed: true }] });
  expect(json.message).toMatch(/differs in method:\n {2}#1 .* POST \/pets → 201/);
});

test.each([
  [{}, 'expectations[0] needs count, min, max or respectedRetryAfter'],
  [5, 'expectations[0] must be an object'],
  [{ methd: 'GET', count: 1 }, 'Unknown property "expectations[0].methd". Did you mean "method"?'],
  [{ method: 5, count: 1 }, 'expectations[0].method must be a string'],
  [{ path: 'pets', count: 0 }, 'expectations[0].path must be a path that starts with /, such as /pets'],
  [{ status: 'ok', count: 1 }, 'expectations[0].status must be a whole number'],
  [{ count: 'one' }, 'expectations[0].count must be a whole number of 0 or more'],
  [{ count: null }, 'expectations[0].count must be a whole number of 0 or more'],
  [{ min: -1 }, 'expectations[0].min must be a whole number of 0 or more'],
  [{ max: 1.5 }, 'expectations[0].max must be a whole number of 0 or more'],
  [{ min: 5, max: 2 }, 'expectations[0]: min (5) must be at most max (2)'],
  [{ respectedRetryAfter: false }, 'expectations[0].respectedRetryAfter must be true'],
])('rejects the expectation %j', async (expectation, message) => {
  const { status, json } = await control('/expectations', { expectations: [expectation] });
  expect([status, json.message]).toEqual([400, message]);
});

test('explains a 429', async () => {
  for (let count = 0; count < 61; count += 1) sendRequest(mock, 'GET', '/pets');
  const { json } = await control('/explain?entry=61');
  expect(json).toMatchObject({
    reason: 'limit',
    limits: { minute: { limit: 60, used: 60 }, day: { used: 60 } },
  });
  expect((json.text as string[])[0]).toBe(
    'The minute window of the plan free: 60 of 60 requests used; it resets at 2026-11-21T10:01:00.000Z.',
  );
  for (let count = 0; count < 10; count += 1) sendRequest(mock, 'GET', '/pets');
  expect(mock.explain(71)).toMatchObject({ reason: 'ban' });
  expect(mock.explain(1)).toMatchObject({ reason: 'served' });
  expect((await control('/explain?entry=99')).status).toBe(404);
  expect((await control('/explain')).status).toBe(400);
});

test('explains that the plan unlimited counts no requests', () => {
  const unlimited = createMock({ plan: 'unlimited', faults: ['rate-limit:seconds=5,times=1'] });
  sendRequest(unlimited, 'GET', '/pets');
  const [first, ...rest] = unlimited.explain(1).text;
  expect([first, rest.join(' ')]).toEqual([
    'The plan unlimited counts no requests.',
    expect.stringMatching(/^A fault blocks the key until/),
  ]);
  unlimited.advance('5s');
  sendRequest(unlimited, 'GET', '/pets');
  expect(unlimited.explain(2).text).toEqual([first]);
});

test('streams requests and changes as events', async () => {
  const controller = new AbortController();
  const response = await fetch(`${url()}/__mock/events`, { signal: controller.signal });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const reader = (response.body as ReadableStream<Uint8Array>)
    .pipeThrough(new TextDecoderStream())
    .getReader();
  let text = '';
  const readUntil = async (wanted: string): Promise<void> => {
    while (!text.includes(wanted)) text += (await reader.read()).value ?? '';
  };
  await readUntil('"connected"');
  addPet();
  await readUntil('id: 1\nevent: request');
  await readUntil('\n\n');
  mock.advance('1s');
  await readUntil('"changed":"clock"');
  expect(text).toContain('"response":{"status":201,"headers":{');
  expect(text).not.toContain('Bearer mock-key');
  controller.abort();
});

test('subscribe reports until it is removed', () => {
  const events: MockEvent[] = [];
  const remove = mock.subscribe((event) => events.push(event));
  addPet();
  mock.setFaults(['reset']);
  mock.handle({ method: 'GET', url: '/v1/pets', headers: {} });
  remove();
  mock.reset();
  expect(events.map(({ type }) => type)).toEqual(['request', 'state', 'request']);
  expect(events[2]).not.toHaveProperty('response');
});

test('its description lists every operation', async () => {
  const { json } = await control('/openapi.json');
  const paths = Object.keys(json.paths as object).map((path) => path.slice(1));
  expect(paths.sort().join(' ')).toBe(
    ' ca.pem clock dns events expectations explain fault-profiles faults health journal openapi.json ' +
      'pets pets/{id} reset snapshot state tenants tenants/{id}',
  );
});
