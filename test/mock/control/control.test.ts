import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createMock, type MockServer } from '../../../src/mock/index.js';
import { handleControlRequest } from '../../../src/mock/control/control.js';
import { sendRequest, frozenClock, NOON } from '../send-request.js';

const mock = createMock({ clock: frozenClock, keys: ['sekret'] });
let server: MockServer;

beforeAll(async () => {
  server = await mock.listen();
});
beforeEach(() => {
  mock.reset();
});
afterAll(() => server.close());

async function control(
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; json: unknown }> {
  const response = await fetch(`${server.url}/__mock${path}`, {
    method,
    ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, json: await response.json() };
}

test('health returns the instance', async () => {
  expect(await control('GET', '/health')).toEqual({
    status: 200,
    json: { status: 'ok', instance: mock.instance },
  });
});

test('state, journal and reset', async () => {
  sendRequest(mock, 'POST', '/pets', { key: 'sekret', body: { name: 'Rex', categoryId: 1 } });
  expect((await control('GET', '/state')).json).toMatchObject({
    now: new Date(NOON).toISOString(),
    tenants: [{ tenant: 1, plan: 'free', pets: 26 }],
  });
  const { json } = await control('GET', '/journal');
  expect(json).toMatchObject({ dropped: 0, entries: [{ method: 'POST', path: '/pets', status: 201 }] });
  expect(JSON.stringify(json)).not.toContain('sekret');
  expect((await control('POST', '/reset')).json).toMatchObject({
    tenants: [{ pets: 25 }],
    journal: { entries: 0 },
  });
  expect(mock.journal).toEqual([]);
});

test('clock', async () => {
  expect((await control('POST', '/clock', { advance: '60s' })).json).toEqual({
    now: new Date(NOON + 60_000).toISOString(),
    offsetMs: 60_000,
    frozen: false,
  });
  expect((await control('POST', '/clock', { advance: 'until-reset' })).json).toMatchObject({
    now: new Date(NOON + 90_000).toISOString(),
  });
  expect((await control('POST', '/clock', { freeze: true })).json).toMatchObject({ frozen: true });
  expect((await control('POST', '/clock', { run: true })).json).toMatchObject({ frozen: false });
  expect((await control('GET', '/clock')).json).toMatchObject({ offsetMs: 90_000 });
  expect((await control('POST', '/clock', { advance: 'tomorrow' })).status).toBe(400);
  expect((await control('POST', '/clock', {})).status).toBe(400);
});

test('clock does not pass the year 9999', async () => {
  for (const advance of [1e300, -1, 8.64e15, '99999999999d', '-5s', null]) {
    expect(await control('POST', '/clock', { advance }), String(advance)).toMatchObject({ status: 400 });
  }
  expect(mock.state().clockOffsetMs).toBe(0);
  expect(await control('GET', '/health')).toMatchObject({ status: 200 });
});

test('faults', async () => {
  const set = await control('POST', '/faults', {
    faults: ['outage:times=1', { route: 'POST /pets', action: 'reset' }],
  });
  expect(set.json).toEqual({
    faults: [
      { id: 1, spec: 'outage:times=1', times: 1, action: { status: 503 }, seen: 0, applied: 0 },
      { id: 2, route: 'POST /pets', action: 'reset', seen: 0, applied: 0 },
    ],
  });
  expect(sendRequest(mock, 'GET', '/pets', { key: 'sekret' }).status).toBe(503);
  expect((await control('GET', '/faults')).json).toMatchObject({ faults: [{ applied: 1 }, { applied: 0 }] });
  for (const wrong of [{}, { faults: 'flaky' }, { faults: ['nonsense'] }, { faults: [null] }, '[', '5']) {
    expect((await control('POST', '/faults', wrong)).status).toBe(400);
  }
});

test('faults are added and removed, and the others keep their counts', async () => {
  mock.setFaults(['outage:times=1', 'slow:ms=1']);
  expect(sendRequest(mock, 'GET', '/pets', { key: 'sekret' }).status).toBe(503);
  const changed = await control('PATCH', '/faults', { add: ['garbage'], remove: [2] });
  expect(changed.json).toMatchObject({
    faults: [
      { id: 1, spec: 'outage:times=1', applied: 1 },
      { id: 3, spec: 'garbage', applied: 0 },
      { id: 4, spec: 'garbage' },
      { id: 5, spec: 'garbage' },
    ],
  });
  expect(await control('PATCH', '/faults', { remove: [2] })).toMatchObject({
    status: 400,
    json: { message: 'No fault has the id 2' },
  });
  expect((await control('PATCH', '/faults', { add: ['nonsense'], remove: [1] })).status).toBe(400);
  expect((await control('PATCH', '/faults', { add: 'slow' })).status).toBe(400);
  expect(mock.state().faults).toHaveLength(4);
});

test('lists the named faults', async () => {
  const { json } = await control('GET', '/fault-profiles');
  expect(json).toMatchObject({
    profiles: expect.arrayContaining([
      expect.objectContaining({ name: 'slow', example: expect.any(String) }),
    ]),
  });
});

test('the parameter tenant selects a key by its number', async () => {
  const key = mock.tenant({ pets: 2 });
  const number = String(mock.forKey(key).number);
  expect((await control('GET', `/pets?tenant=${number}`)).json).toMatchObject({ total: 2 });
  expect((await control('PATCH', `/faults?tenant=${number}`, { add: ['slow'] })).status).toBe(200);
  expect(mock.forKey(key).faults).toHaveLength(1);
  expect(mock.state().faults).toEqual([]);
  expect((await control('GET', '/pets?tenant=99')).status).toBe(404);
  const own = { headers: { authorization: 'Bearer sekret' } };
  const different = await fetch(`${server.url}/__mock/pets?tenant=${number}`, own);
  expect([different.status, await different.json()]).toMatchObject([400, { code: 'bad_request' }]);
  expect((await fetch(`${server.url}/__mock/pets?tenant=1`, own)).status).toBe(200);
  expect((await fetch(`${server.url}/__mock/events?tenant=99`)).status).toBe(404);
  mock.removeTenant(key);
});

test('lists a part of the pets, and adds one with the next free id', async () => {
  const { json } = await control('GET', '/pets?limit=2&offset=24');
  expect(json).toMatchObject({ total: 25, pets: [expect.any(Object)] });
  const added = await control('POST', '/pets', { name: 'Rex', categoryId: '7', status: 'sold' });
  expect(added).toMatchObject({ status: 201, json: { name: 'Rex', categoryId: 7, status: 'sold' } });
  expect((await control('GET', '/pets?limit=0')).json).toEqual({ pets: [], total: 26 });
  expect((await control('GET', '/pets?limit=some')).status).toBe(400);
});

test('the state has both windows and the fingerprint of each key, and no key', async () => {
  sendRequest(mock, 'GET', '/pets', { key: 'sekret' });
  const { json } = await control('GET', '/state');
  expect(json).toMatchObject({
    tenants: [
      {
        tenant: 1,
        fingerprint: expect.stringMatching(/^[\da-f]{8}$/),
        now: new Date(NOON).toISOString(),
        clockFrozen: false,
        limits: {
          minute: { limit: 60, used: 1, resetsAt: new Date(NOON + 30_000).toISOString() },
          day: { limit: 1000, used: 1 },
          banned: false,
        },
      },
    ],
  });
  expect(JSON.stringify(json)).not.toContain('sekret');
});

test('lists the DNS names, and where the DNS is served', async () => {
  const { json } = await control('GET', '/dns');
  expect(json).toMatchObject({
    names: expect.arrayContaining([
      { name: 'missing.example.test', shows: 'record.missing', because: 'no record' },
    ]),
  });
  expect(json).not.toHaveProperty('endpoint');
  const own = createMock();
  const serving = await own.listen({ dnsPort: 0 });
  const response = await fetch(`${serving.url}/__mock/dns`);
  expect(await response.json()).toMatchObject({
    endpoint: { host: '127.0.0.1', port: serving.dns?.port },
    zones: expect.arrayContaining(['example.test']),
  });
  await serving.close();
});

test('has no limits, no delays, no faults and no journal entries', async () => {
  mock.setFaults(['outage', 'slow:ms=3600000']);
  for (let count = 0; count < 70; count += 1) expect((await control('GET', '/health')).status).toBe(200);
  expect(mock.journal).toEqual([]);
});

test('rejects unknown paths, methods and bodies', async () => {
  expect(await control('GET', '/nonsense')).toMatchObject({ status: 404, json: { status: 404 } });
  expect(await control('GET', '/constructor')).toMatchObject({ status: 404 });
  expect(await control('GET', '/reset')).toMatchObject({ status: 405, json: { status: 405 } });
  const rejected = await fetch(`${server.url}/__mock/pets`, { method: 'PATCH' });
  expect([rejected.status, rejected.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST, PUT']);
  const head = await fetch(`${server.url}/__mock/faults`, { method: 'HEAD' });
  expect([head.status, await head.text()]).toEqual([200, '']);
  const beyond = await fetch(`${server.url}/__mock/nonsense`, { method: 'HEAD' });
  expect([beyond.status, await beyond.text()]).toEqual([404, '']);
});

describe('rejects what would have no effect, and suggests the nearest name', () => {
  test.each([
    ['GET', '/journal?metod=POST', undefined, 'Unknown parameter "metod". Did you mean "method"?'],
    ['GET', '/journal?path=pets', undefined, 'path must be a path that starts with /, such as /pets'],
    ['GET', '/journal?status=1&status=2', undefined, 'The parameter status occurs more than once'],
    ['GET', '/journal?timeout=1s', undefined, 'The parameter timeout has no effect without count'],
    ['GET', '/journal?limit=-1', undefined, 'The parameter limit must be a whole number of 0 or more'],
    ['GET', '/journal?count=1&timeout=2h', undefined, 'The time-out must be 0 to 60000 ms'],
    [
      'GET',
      '/journal?count=1&timeout=2x',
      undefined,
      'The parameter timeout must be a duration, such as 5s or 500ms',
    ],
    [
      'POST',
      '/clock',
      { advance: '60' },
      'Invalid duration: "60" (valid: "500ms", "60s", "5m", or a number of milliseconds)',
    ],
    ['PUT', '/pets/5', { id: 6, name: 'Rex', categoryId: 1 }, 'The body has the id 6, the path has 5'],
    ['GET', '/journal?count=0&limit=1', undefined, 'The parameter limit has no effect with count'],
    ['GET', '/events?kee=x', undefined, 'Unknown parameter "kee". Did you mean "key"?'],
    ['GET', '/pets?state=sold', undefined, 'Unknown parameter "state". Did you mean "status"?'],
    ['GET', '/state?journal', undefined, 'Unknown parameter "journal". Known: tenant.'],
    ['GET', '/explain?entry=1&sequence=1', undefined, 'Unknown parameter "sequence". Known: entry, tenant.'],
    ['POST', '/reset', { key: 'a' }, 'Unknown property "key" of the body. This request needs no body.'],
    ['POST', '/tenants', { plans: 'pro' }, 'Unknown property "plans" of the body. Did you mean "plan"?'],
    [
      'PUT',
      '/faults',
      { faults: [], fault: [] },
      'Unknown property "fault" of the body. Did you mean "faults"?',
    ],
    ['PATCH', '/faults', { adds: [] }, 'Unknown property "adds" of the body. Did you mean "add"?'],
    ['POST', '/clock', { advnce: '1s' }, 'Unknown property "advnce" of the body. Did you mean "advance"?'],
    [
      'POST',
      '/clock',
      { run: true, freeze: true },
      'The body can have only one of "advance", "freeze" and "run"',
    ],
    ['PUT', '/pets', { pets: [], pet: [] }, 'Unknown property "pet" of the body. Did you mean "pets"?'],
    [
      'POST',
      '/expectations',
      { expectation: [] },
      'Unknown property "expectation" of the body. Did you mean "expectations"?',
    ],
    [
      'POST',
      '/expectations',
      { expectations: [{ method: 'POST', count: 1, min: 1 }] },
      "expectations[0] can't have count with min or max",
    ],
    [
      'POST',
      '/expectations',
      { expectations: [{ respectedRetryAfter: true, count: 1 }] },
      'expectations[0] can have no other property with respectedRetryAfter',
    ],
    [
      'PUT',
      '/snapshot',
      { format: 'petstore-mock/1', world: [] },
      'Unknown property "world" of the body. Did you mean "worlds"?',
    ],
  ])('%s %s %j', async (method, path, body, message) => {
    expect(await control(method, path, body)).toMatchObject({ status: 400, json: { status: 400, message } });
  });
});

test.each([
  ['PUT', '/faults', '{"faults": [flaky]}', 'found "f" in line 1, column 13. Send JSON, such as {"faults":['],
  [
    'POST',
    '/clock',
    '{\n  "advance": "60s",\n}',
    'found "}" in line 3, column 1. Send JSON, such as {"advance":',
  ],
  ['POST', '/tenants', 'plan=pro', 'found "p" in line 1, column 1. Send JSON, such as {"plan":"pro"'],
  ['POST', '/reset', '{', 'found the end of the text in line 1, column 2. This request needs no body.'],
])(
  '%s %s with the body %j gets the place of the error and what to send',
  async (method, path, body, text) => {
    const { status, json } = await control(method, path, body);
    const { code, message } = json as { code: string; message: string };
    expect([status, code]).toEqual([400, 'invalid_json']);
    expect(message).toContain(`The body is not JSON: ${text}`);
  },
);

describe('access', () => {
  const from = (peer: string | undefined, headers: Record<string, string>) =>
    handleControlRequest(mock, { method: 'GET', url: '/__mock/health', headers }, peer).then(
      ({ status }) => status,
    );

  test.each([
    ['127.0.0.1', 'localhost:4010', 200],
    ['127.8.9.1', '127.0.0.1', 200],
    ['::1', '[::1]:80', 200],
    ['::ffff:127.0.0.1', 'LOCALHOST', 200],
    ['192.168.0.7', 'localhost', 403],
    ['::ffff:10.0.0.1', 'localhost', 403],
    [undefined, 'localhost', 403],
    ['127.0.0.1', 'evil.example', 403],
    ['127.0.0.1', 'localhost.evil.example', 403],
    ['127.0.0.1', '127.0.0.1.evil.example', 403],
    ['127.0.0.1', '', 403],
  ])('from %s to the host %s gets %i', async (peer, host, status) => {
    expect(await from(peer, { host })).toBe(status);
  });

  test('rejects pages of other origins', async () => {
    const host = 'localhost:4010';
    expect(await from('::1', { host, origin: 'http://localhost:4010' })).toBe(200);
    expect(await from('::1', { host, origin: 'http://localhost:3000' })).toBe(403);
    expect(await from('::1', { host, origin: 'null' })).toBe(403);
    for (const [site, status] of [
      ['same-origin', 200],
      ['none', 200],
      ['same-site', 403],
      ['cross-site', 403],
    ] as const)
      expect(await from('::1', { host, 'sec-fetch-site': site }), site).toBe(status);
  });
});
