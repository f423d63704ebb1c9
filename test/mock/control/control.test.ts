import { expect, test } from 'vitest';
import { createMock } from '../../../src/mock/index.js';
import { NOON, sendRequest } from '../send-request.js';
import { serveControl } from './serve-control.js';

const { mock, control, url } = serveControl();

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

test('has no limits, no delays, no faults and no journal entries', async () => {
  mock.setFaults(['outage', 'slow:ms=3600000']);
  for (let count = 0; count < 70; count += 1) expect((await control('GET', '/health')).status).toBe(200);
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
  const set = await control('PUT', '/faults', {
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
    expect((await control('PUT', '/faults', wrong)).status).toBe(400);
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

test('the parameter tenant selects a key by its number', async () => {
  const key = mock.tenant({ pets: 2 });
  const number = String(mock.forKey(key).number);
  expect((await control('GET', `/pets?tenant=${number}`)).json).toMatchObject({ total: 2 });
  expect((await control('PATCH', `/faults?tenant=${number}`, { add: ['slow'] })).status).toBe(200);
  expect(mock.forKey(key).faults).toHaveLength(1);
  expect(mock.state().faults).toEqual([]);
  expect((await control('GET', '/pets?tenant=99')).status).toBe(404);
  const own = { headers: { authorization: 'Bearer sekret' } };
  const different = await fetch(`${url()}/__mock/pets?tenant=${number}`, own);
  expect([different.status, await different.json()]).toMatchObject([400, { code: 'bad_request' }]);
  expect((await fetch(`${url()}/__mock/pets?tenant=1`, own)).status).toBe(200);
  expect((await fetch(`${url()}/__mock/events?tenant=99`)).status).toBe(404);
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
