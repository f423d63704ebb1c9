import { expect, test } from 'vitest';
import { NOON, sendRequest } from '../send-request.js';
import { serveControl } from './serve-control.js';

const { mock, control } = serveControl();

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
